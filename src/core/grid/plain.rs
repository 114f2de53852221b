//! Ranges where no step provokes anybody and all diagonals cost alike. Of all
//! ways to a cell the first that is found of the cheapest is best, so a cell is
//! settled as soon as a plain step leads to it: most of them at first sight.

use super::{Cell, Diagonals, Occupant, Reached, StepRules, range::Part};

/// The cheapest way to each cell, from [`StepRules::range`].
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// The part of the map in rows, with a margin all around it; a row is a
    /// power of two long, for the sake of speed.
    places: Vec<Place>,
    /// The logarithm of a row's length.
    shift: u32,
    /// Multiplies the paces.
    pub slow: u16,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// What the way costs, in paces of 5 ft at full speed.
    paces: u16,
    /// The direction of the way's last step.
    came: u8,
    /// Who stands there, as far as somebody asked.
    occupant: Option<Occupant>,
}

impl Place {
    /// As it is reached.
    #[inline]
    pub fn reached(self, cell: Cell, slow: u16) -> Reached {
        Reached {
            cell,
            feet: 5 * self.paces * slow,
            provoked: 0,
            may_stop: self.occupant == Some(Occupant::Nobody),
        }
    }
}

const UNKNOWN: Place = Place {
    paces: u16::MAX,
    came: 0,
    occupant: None,
};

/// A row of the part and its margin have to fit into a word.
const WIDEST: usize = 62;

/// A cell and those around it as nine bits, row by row: the cell itself.
const MIDDLE: u16 = 1 << 4;
/// Those of its neighbours that lie in some directions.
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
/// The directions of the neighbours that are among nine cells, row by row, of
/// which the middle one is where one stands: a bit each.
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
    /// Whether ranges over this part of the map may be searched so.
    pub fn may_search(walk: &StepRules, part: &Part) -> bool {
        let may_provoke = || walk.provokes.is_some_and(|it| it.may_in(part, walk.size));
        walk.diagonals == Diagonals::Five && part.width <= WIDEST && !may_provoke()
    }

    /// The best ways from a cell of the part for at most `budget` paces, and
    /// the reached cells, nearest first; with `to`, no more of it than it takes
    /// to know the way there.
    pub fn search(
        walk: &StepRules,
        part: &Part,
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
        plain.places[start].paces = 0;
        plain.places[start].occupant = Some(walk.occupant(from));
        let known = walk.board.strides().known(walk.board, walk.size);
        let to = to.and_then(|to| plain.index(part, to));
        let (west, north) = (part.corner.x - 1, part.corner.y - 1);
        let places = &mut plain.places[..];
        let ahead = Cell::DIRECTIONS
            .map(|(dx, dy)| ((isize::from(dy) << shift) + isize::from(dx)) as usize);
        // Cells to which no better way can turn up, and the margin: a bit each.
        let mut settled = vec![!(((1 << part.width) - 1) << 1); part.height + 2];
        settled[0] = u64::MAX;
        settled[part.height + 1] = u64::MAX;
        // The cells that cost as much as is spent, those that cost a pace more,
        // and by their cost those that dearer steps lead to.
        let mut now = Vec::with_capacity(part.cells());
        let mut next = Vec::with_capacity(part.cells());
        let mut later: Vec<Vec<u32>> = vec![];
        let mut order = Vec::with_capacity(part.cells());
        now.push(start as u32);
        let mut spent = 0;
        while spent <= budget && !(now.is_empty() && later.len() <= usize::from(spent)) {
            // They have been waiting for longer than what follows.
            if let Some(waiting) = later.get_mut(usize::from(spent) + 1) {
                next.append(waiting);
            }
            for index in now.drain(..) {
                let index = index as usize;
                if places[index].paces != spent {
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
                // No step is cheaper than a pace.
                let sure = u64::from(AROUND[usize::from(directions & steps.even)] | MIDDLE);
                *above |= (sure & 7) << (x - 1);
                *here |= (sure >> 3 & 7) << (x - 1);
                *below |= (sure >> 6) << (x - 1);
                while directions != 0 {
                    let direction = directions.trailing_zeros() as usize;
                    directions &= directions - 1;
                    let there = index.wrapping_add(ahead[direction]);
                    let cost = spent.saturating_add(steps.paces[direction]);
                    let place = &mut places[there];
                    if cost > budget || cost >= place.paces {
                        continue;
                    }
                    let occupant = *place.occupant.get_or_insert_with(|| {
                        let (dx, dy) = Cell::DIRECTIONS[direction];
                        walk.occupant(cell.offset(dx, dy))
                    });
                    if occupant == Occupant::Foe {
                        continue;
                    }
                    place.paces = cost;
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

    fn index(&self, part: &Part, cell: Cell) -> Option<usize> {
        let (x, y) = part.place(cell)?;
        Some((y + 1) << self.shift | (x + 1))
    }

    /// By column and row of the part.
    #[inline]
    pub fn at(&self, x: usize, y: usize) -> Place {
        self.places[(y + 1) << self.shift | (x + 1)]
    }

    /// What it takes to reach a cell; none beyond range.
    pub fn get(&self, part: &Part, cell: Cell) -> Option<Reached> {
        let place = self.places[self.index(part, cell)?];
        // A prone body's way to nowhere is not reckoned: it would be too far.
        (place.paces != UNKNOWN.paces).then(|| place.reached(cell, self.slow))
    }

    /// The way to a cell, from the start to the cell itself; empty beyond
    /// range.
    pub fn path(&self, part: &Part, to: Cell) -> Vec<Cell> {
        let place = |cell: Cell| Some(self.places[self.index(part, cell)?]);
        let back = |&cell: &Cell| {
            let place = place(cell).filter(|place| place.paces > 0)?;
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
fn wait(later: &mut Vec<Vec<u32>>, paces: u16, index: u32) {
    let paces = usize::from(paces);
    if later.len() <= paces {
        later.resize_with(paces + 1, Vec::new);
    }
    later[paces].push(index);
}
