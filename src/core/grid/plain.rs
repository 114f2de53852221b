//! Movement ranges without provoked attacks, and with equal costs for all diagonals. The first of
//! the cheapest paths found to a cell is the best, so most cells are final as soon as a plain
//! step reaches them.

use super::{Cell, Diagonals, Occupant, Reached, StepRules, range::SearchArea};

/// The cheapest path to each cell, from [`StepRules::range`].
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// The searched part of the map in rows, with a margin on all sides. The row length is a
    /// power of two for speed.
    places: Vec<Place>,
    /// The base-2 logarithm of the row length.
    shift: u32,
    /// The factor for all costs.
    pub slow: u16,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The cost of the path, in steps of 5 ft at full speed.
    cost: u16,
    /// The direction of the path's last step.
    came: u8,
    /// The unit in the cell; `None` if it was not looked up.
    occupant: Option<Occupant>,
}

impl Place {
    /// The place as a reached cell.
    #[inline]
    pub fn reached(self, cell: Cell, slow: u16) -> Reached {
        Reached {
            cell,
            feet: 5 * self.cost * slow,
            provoked: 0,
            may_stop: self.occupant == Some(Occupant::Nobody),
        }
    }
}

const UNKNOWN: Place = Place {
    cost: u16::MAX,
    came: 0,
    occupant: None,
};

/// A row and its margin must fit into a 64-bit word.
const WIDEST: usize = 62;

/// A cell and its neighbours as nine bits, row by row: the cell itself.
const MIDDLE: u16 = 1 << 4;
/// The bits of the neighbours in a set of directions.
const AROUND: [u16; 1 << 8] = {
    let mut around = [0; 1 << 8];
    let mut n = 0;
    while n < around.len() {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = Cell::DIRECTIONS[direction];
            around[n] |= ((n >> direction & 1) as u16) << (4 + 3 * dy + dx);
            direction += 1;
        }
        n += 1;
    }
    around
};
/// The directions of the neighbours among nine bits, row by row around the cell in the middle:
/// one bit each.
pub(super) static TOWARDS: [u8; 1 << 9] = {
    let mut towards = [0; 1 << 9];
    let mut n = 0;
    while n < towards.len() {
        let mut direction = 0;
        while direction < 8 {
            let is_there = n as u16 & AROUND[1 << direction] != 0;
            towards[n] |= (is_there as u8) << direction;
            direction += 1;
        }
        n += 1;
    }
    towards
};

impl Plain {
    /// Whether a range over this part of the map can use this search.
    pub fn may_search(walk: &StepRules, part: &SearchArea) -> bool {
        let may_provoke = || walk.provokes.is_some_and(|it| it.may_in(part, walk.size));
        walk.diagonals == Diagonals::Five && part.width <= WIDEST && !may_provoke()
    }

    /// The best paths from a cell of the part for at most `budget` steps of 5 ft, and the reached
    /// cells, nearest first. With `to`, the search stops once the path there is known.
    pub fn search(
        walk: &StepRules,
        part: &SearchArea,
        from: Cell,
        to: Option<Cell>,
        budget: u16,
    ) -> (Self, Vec<Cell>) {
        let slow = u16::from(walk.slow.max(1));
        let mut budget = budget / slow;
        let shift = (part.width + 2).next_power_of_two().trailing_zeros();
        let mut plain = Self {
            places: vec![UNKNOWN; (part.height + 2) << shift],
            shift,
            slow,
        };
        let Some(start) = plain.index(part, from) else {
            return (plain, vec![]);
        };
        plain.places[start].cost = 0;
        plain.places[start].occupant = Some(walk.occupant(from));
        let known = walk.known();
        let to = to.and_then(|to| plain.index(part, to));
        let (west, north) = (part.corner.x - 1, part.corner.y - 1);
        let places = &mut plain.places[..];
        let ahead = Cell::DIRECTIONS
            .map(|(dx, dy)| ((isize::from(dy) << shift) + isize::from(dx)) as usize);
        // Cells whose best path is final, and the margin: one bit each.
        let mut settled = vec![!(((1 << part.width) - 1) << 1); part.height + 2];
        settled[0] = u64::MAX;
        settled[part.height + 1] = u64::MAX;
        // The cells that cost what is spent now, those that cost one step more, and those reached
        // by more expensive steps, by their cost.
        let mut now = Vec::with_capacity(part.cells());
        let mut next = Vec::with_capacity(part.cells());
        let mut later: Vec<Vec<u32>> = vec![];
        let mut order = Vec::with_capacity(part.cells());
        now.push(start as u32);
        let mut spent = 0;
        while spent <= budget && !(now.is_empty() && later.len() <= usize::from(spent)) {
            // First the cells that were queued earlier.
            if let Some(waiting) = later.get_mut(usize::from(spent) + 1) {
                next.append(waiting);
            }
            for index in now.drain(..) {
                let index = index as usize;
                if places[index].cost != spent {
                    continue;
                }
                let (x, y) = (index & ((1 << shift) - 1), index >> shift);
                let cell = Cell::new(west + x as i16, north + y as i16);
                order.push(cell);
                if to == Some(index) {
                    budget = spent;
                }
                if spent == budget {
                    continue;
                }
                let [above, here, below] = &mut settled[y - 1..y + 2] else {
                    unreachable!("three rows are three");
                };
                let around = [&*above, here, below].map(|row| (row >> (x - 1) & 7) as usize);
                let around = around[0] | around[1] << 3 | around[2] << 6;
                let steps = known.steps(cell);
                let mut directions = steps.open & !TOWARDS[around];
                // No step is cheaper than one step of 5 ft.
                let sure = u64::from(AROUND[usize::from(directions & steps.even)] | MIDDLE);
                *above |= (sure & 7) << (x - 1);
                *here |= (sure >> 3 & 7) << (x - 1);
                *below |= (sure >> 6) << (x - 1);
                while directions != 0 {
                    let direction = directions.trailing_zeros() as usize;
                    directions &= directions - 1;
                    let there = index.wrapping_add(ahead[direction]);
                    let cost = spent.saturating_add(steps.costs[direction]);
                    let place = &mut places[there];
                    if cost > budget || cost >= place.cost {
                        continue;
                    }
                    let occupant = *place.occupant.get_or_insert_with(|| {
                        let (dx, dy) = Cell::DIRECTIONS[direction];
                        walk.occupant(cell.offset(dx, dy))
                    });
                    if occupant == Occupant::Foe {
                        continue;
                    }
                    place.cost = cost;
                    place.came = direction as u8;
                    if cost == spent + 1 {
                        next.push(there as u32);
                    } else {
                        wait(&mut later, cost, there as u32);
                    }
                }
            }
            std::mem::swap(&mut now, &mut next);
            spent += 1;
        }
        (plain, order)
    }

    fn index(&self, part: &SearchArea, cell: Cell) -> Option<usize> {
        let (x, y) = part.place(cell)?;
        Some((y + 1) << self.shift | (x + 1))
    }

    /// A place by its column and row in the part.
    #[inline]
    pub fn at(&self, x: usize, y: usize) -> Place {
        self.places[(y + 1) << self.shift | (x + 1)]
    }

    /// The cost to reach a cell. `None` beyond range.
    pub fn get(&self, part: &SearchArea, cell: Cell) -> Option<Reached> {
        let place = self.places[self.index(part, cell)?];
        // An unreached place has no cost in feet: the multiplication would overflow.
        (place.cost != UNKNOWN.cost).then(|| place.reached(cell, self.slow))
    }

    /// The path to a cell, start and end included. Empty beyond range.
    pub fn path(&self, part: &SearchArea, to: Cell) -> Vec<Cell> {
        let place = |cell: Cell| Some(self.places[self.index(part, cell)?]);
        let back = |&cell: &Cell| {
            let place = place(cell).filter(|place| place.cost > 0)?;
            let (dx, dy) = Cell::DIRECTIONS[usize::from(place.came)];
            Some(cell.offset(-dx, -dy))
        };
        let end = Some(to).filter(|to| self.get(part, *to).is_some());
        let mut path: Vec<Cell> = std::iter::successors(end, back).collect();
        path.reverse();
        path
    }
}

#[cold]
fn wait(later: &mut Vec<Vec<u32>>, cost: u16, index: u32) {
    let cost = usize::from(cost);
    if later.len() <= cost {
        later.resize_with(cost + 1, Vec::new);
    }
    later[cost].push(index);
}
