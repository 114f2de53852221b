//! Path lengths from every cell of the map to given goal cells.

use super::{Board, Cell, Space};
use std::{collections::HashMap, sync::Arc};

/// Path lengths from every cell to the nearest goal, in cells of 5 ft. An expensive step counts as
/// several cells.
#[derive(Clone)]
pub struct Field {
    width: usize,
    distances: Arc<[u16]>,
}

impl Field {
    /// The length of the path from a cell to the nearest goal, in cells of 5 ft. `u16::MAX` if
    /// there is no way.
    #[inline]
    pub fn distance_in_cells(&self, from: Cell) -> u16 {
        // Negative coordinates wrap around to more than any map has.
        let (x, y) = (usize::from(from.x as u16), usize::from(from.y as u16));
        let at = (x < self.width).then(|| y * self.width + x);
        let distance = at.and_then(|n| self.distances.get(n));
        distance.copied().unwrap_or(u16::MAX)
    }
}

/// A cache of fields, by their goal cells. It is valid until a door moves; it pays because units
/// return to cells where others stood before.
#[derive(Default)]
pub struct Fields {
    doors: Vec<bool>,
    ground: Vec<EntryCost>,
    /// The cost of the most expensive step, in steps of 5 ft.
    dearest: u16,
    known: HashMap<Box<[Cell]>, Arc<[u16]>>,
    /// The last field to several bodies: enemies do not move while a side moves.
    nearest: Option<(Vec<Space>, Field)>,
}

/// The maximum number of cells in all cached fields.
const MAX: usize = 1 << 22;

/// Up to this many bodies, a field is cached for each of them. With more, one search for the
/// nearest is faster.
const FEW: usize = 6;

/// The extra cost of a shut door, in steps of 5 ft.
const DOOR: u16 = 3;

/// How a cell can be entered.
#[derive(Clone, Default)]
struct EntryCost {
    /// The neighbours from which the cell can be entered without a fall, one bit each in the
    /// order of [`Cell::DIRECTIONS`].
    from: u8,
    /// The cost from each neighbour, in steps of 5 ft.
    costs: [u16; 8],
}

impl Fields {
    /// The path lengths from every cell to the nearest of `goals` for a body of one cell, with
    /// climbs, rough ground and corners (GR-30 to GR-32). Ignores units and lets shut doors be
    /// opened.
    pub fn to(&mut self, board: &Board, goals: &[Cell]) -> Field {
        self.refresh(board);
        Field {
            width: usize::from(board.width()),
            distances: self.find(board, goals),
        }
    }

    /// The path lengths from every cell to the nearest of some bodies.
    pub fn nearest_of(&mut self, board: &Board, bodies: Vec<Space>) -> Field {
        self.refresh(board);
        if let Some((known, field)) = &self.nearest
            && *known == bodies
        {
            return field.clone();
        }
        let field = Field {
            width: usize::from(board.width()),
            distances: match bodies.len() <= FEW {
                true => self.least_of(board, &bodies).into(),
                false => {
                    let cells: Vec<Cell> = bodies.iter().flat_map(|body| body.cells()).collect();
                    self.search(board, &cells).into()
                }
            },
        };
        self.nearest = Some((bodies, field.clone()));
        field
    }

    /// The minimum of the fields to each of some bodies. Most of these fields are cached.
    fn least_of(&mut self, board: &Board, bodies: &[Space]) -> Vec<u16> {
        let mut distances = vec![u16::MAX; self.ground.len()];
        for body in bodies {
            let cells: Vec<Cell> = body.cells().collect();
            let field = self.find(board, &cells);
            let both = distances.iter_mut().zip(field.iter());
            both.for_each(|(least, &other)| *least = other.min(*least));
        }
        distances
    }

    /// Clears the cache if a door has moved.
    fn refresh(&mut self, board: &Board) {
        let doors = || board.doors().map(|door| board.door(door) == Some(true));
        if self.ground.is_empty() || !doors().eq(self.doors.iter().copied()) {
            let (ground, dearest) = survey(board);
            *self = Self {
                doors: doors().collect(),
                ground,
                dearest,
                ..Self::default()
            };
        }
    }

    fn find(&mut self, board: &Board, goals: &[Cell]) -> Arc<[u16]> {
        if let Some(field) = self.known.get(goals) {
            return field.clone();
        }
        if self.known.len() * self.ground.len() > MAX {
            self.known.clear();
        }
        let field: Arc<[u16]> = self.search(board, goals).into();
        self.known.insert(goals.into(), field.clone());
        field
    }

    fn search(&self, board: &Board, goals: &[Cell]) -> Vec<u16> {
        let width = isize::try_from(board.width()).unwrap_or(0);
        let beside = Cell::DIRECTIONS.map(|(dx, dy)| isize::from(dy) * width + isize::from(dx));
        let mut distances = vec![u16::MAX; self.ground.len()];
        // A cyclic bucket queue: no step costs more than `dearest`, so this many buckets hold all
        // open cells.
        let mut rings = vec![vec![]; usize::from(self.dearest) + 1];
        let of = |ring: u16| usize::from(ring) % (usize::from(self.dearest) + 1);
        let inside = goals.iter().filter(|&&goal| board.contains(goal));
        rings[0].extend(inside.map(|&goal| index(board, goal)));
        let (mut ring, mut idle) = (0u16, 0);
        while idle < rings.len() {
            idle += 1;
            let mut here = std::mem::take(&mut rings[of(ring)]);
            for at in here.drain(..) {
                if distances[at] <= ring {
                    continue;
                }
                distances[at] = ring;
                idle = 0;
                let ground = &self.ground[at];
                let mut from = ground.from;
                while from != 0 {
                    let direction = from.trailing_zeros() as usize;
                    from &= from - 1;
                    let before = at.wrapping_add_signed(beside[direction]);
                    let there = ring + ground.costs[direction];
                    if distances[before] > there {
                        rings[of(there)].push(before);
                    }
                }
            }
            rings[of(ring)] = here;
            ring += 1;
        }
        distances
    }
}

fn index(board: &Board, cell: Cell) -> usize {
    let width = usize::from(board.width());
    usize::try_from(cell.y).unwrap_or(0) * width + usize::try_from(cell.x).unwrap_or(0)
}

/// How each cell can be entered with all doors open, and the cost of the most expensive step. A
/// step that begins in a shut door's cell, or passes one diagonally, pays for opening it.
fn survey(board: &Board) -> (Vec<EntryCost>, u16) {
    let open = board.opened();
    let mut ground = vec![EntryCost::default(); board.cells().count()];
    let mut dearest = 1;
    for from in board.cells() {
        let door = |at: Cell| match board.door(at) {
            Some(false) => DOOR,
            _ => 0,
        };
        for (direction, to, cost) in open.step_costs_from(from) {
            let past = match from.x != to.x && from.y != to.y {
                true => door(Cell::new(from.x, to.y)) + door(Cell::new(to.x, from.y)),
                false => 0,
            };
            let (cost, back) = (cost + door(from) + past, Cell::opposite(direction));
            let there = &mut ground[index(board, to)];
            there.from |= 1 << back;
            there.costs[back] = cost;
            dearest = dearest.max(cost);
        }
    }
    (ground, dearest)
}
