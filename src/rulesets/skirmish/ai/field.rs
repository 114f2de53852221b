//! How far it is from everywhere to the foes, or to where somebody is sent.

use crate::grid::{Board, Cell, Space};
use std::{collections::HashMap, sync::Arc};

/// Steps from every cell of the map, in rows, to the nearest of some cells.
pub(super) type Field = Arc<[u16]>;

/// Fields that were worked out, by the cells that they lead to. They hold as
/// long as no door moves: foes come back to where others stood before.
#[derive(Default)]
pub struct Fields {
    doors: Vec<bool>,
    ground: Vec<Ground>,
    known: HashMap<Box<[Cell]>, Field>,
    /// The last one to several bodies: foes stand still while a side moves.
    nearest: Option<(Vec<Space>, Field)>,
}

/// Cells of all fields that are remembered, at most.
const MOST: usize = 1 << 22;

/// What a field needs to know of a cell.
struct Ground {
    /// What it costs to enter, in steps; 0 for what cannot be entered.
    cost: u8,
    /// The neighbours that can be entered from it, one bit each in the order of
    /// [`Cell::DIRECTIONS`].
    ways: u8,
}

/// A shut door counts as three steps more.
const DOOR: u8 = 4;

impl Fields {
    /// Steps from every cell to the nearest of `goals`, creatures aside.
    pub(super) fn to(&mut self, board: &Board, goals: &[Cell]) -> Field {
        self.look(board);
        if let Some(field) = self.known.get(goals) {
            return field.clone();
        }
        if self.known.len() * self.ground.len() > MOST {
            self.known.clear();
        }
        let field: Field = self.search(board, goals).into();
        self.known.insert(goals.into(), field.clone());
        field
    }

    /// Forgets everything when a door has moved.
    fn look(&mut self, board: &Board) {
        let doors = || board.doors().map(|door| board.door(door) == Some(true));
        if self.ground.is_empty() || !doors().eq(self.doors.iter().copied()) {
            *self = Self {
                doors: doors().collect(),
                ground: survey(board),
                ..Self::default()
            };
        }
    }

    /// Steps from every cell to the nearest of some bodies.
    pub(super) fn nearest_of(&mut self, board: &Board, bodies: Vec<Space>) -> Field {
        self.look(board);
        if let Some((known, field)) = &self.nearest
            && *known == bodies
        {
            return field.clone();
        }
        let mut steps = vec![u16::MAX; self.ground.len()];
        for body in &bodies {
            let cells: Vec<Cell> = body.cells().collect();
            let field = self.to(board, &cells);
            let both = steps.iter_mut().zip(field.iter());
            both.for_each(|(least, &other)| *least = other.min(*least));
        }
        let field: Field = steps.into();
        self.nearest = Some((bodies, field.clone()));
        field
    }

    fn search(&self, board: &Board, goals: &[Cell]) -> Vec<u16> {
        let width = isize::try_from(board.width()).unwrap_or(0);
        let ahead = Cell::DIRECTIONS.map(|(dx, dy)| isize::from(dy) * width + isize::from(dx));
        let mut steps = vec![u16::MAX; self.ground.len()];
        // Costs are 1 or 4: five rings in turn hold all that is open.
        let mut rings: [Vec<usize>; 5] = Default::default();
        let inside = goals.iter().filter(|&&goal| board.contains(goal));
        rings[0].extend(inside.map(|&goal| index(board, goal)));
        let (mut ring, mut idle) = (0u16, 0);
        while idle < rings.len() {
            idle += 1;
            for at in std::mem::take(&mut rings[usize::from(ring) % 5]) {
                if steps[at] <= ring {
                    continue;
                }
                steps[at] = ring;
                idle = 0;
                let mut ways = self.ground[at].ways;
                while ways != 0 {
                    let to = at.wrapping_add_signed(ahead[ways.trailing_zeros() as usize]);
                    ways &= ways - 1;
                    let there = ring + u16::from(self.ground[to].cost);
                    if steps[to] > there {
                        rings[usize::from(there) % 5].push(to);
                    }
                }
            }
            ring += 1;
        }
        steps
    }
}

/// The place of a cell in a field.
pub(super) fn index(board: &Board, cell: Cell) -> usize {
    let width = usize::from(board.width());
    usize::try_from(cell.y).unwrap_or(0) * width + usize::try_from(cell.x).unwrap_or(0)
}

fn survey(board: &Board) -> Vec<Ground> {
    let cost = |cell| match board.door(cell) {
        Some(false) => DOOR,
        _ if board.can_stand(Space::one(cell)) => 1,
        _ => 0,
    };
    let height = |cell| {
        if cost(cell) > 0 {
            board.stand(cell)
        } else {
            0.0
        }
    };
    let way = |from: Cell, to: Cell| {
        let is_open = board.contains(to) && cost(to) > 0;
        is_open && (height(to) - height(from)).abs() <= 5.0
    };
    let ground = |from: Cell| {
        let bits = from.neighbours().enumerate();
        let ways = bits.fold(0, |set, (n, to)| set | u8::from(way(from, to)) << n);
        Ground {
            cost: cost(from),
            ways,
        }
    };
    board.cells().map(ground).collect()
}
