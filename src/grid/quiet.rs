//! Ranges where no step provokes anybody. Of all ways to a place the first
//! that is found of the cheapest is best, so a place is settled as soon as a
//! way reaches it for the price of one plain step: most of them at first sight.

use super::{
    Cell, Diagonals, Occupant, Walk,
    range::{Done, Part, corners, sides},
    stride::Steps,
};

/// The cheapest way to each place, from [`Walk::range`]. A place is a cell of
/// the part of the map that was searched, in rows; where diagonals are counted,
/// there are as many places again, for the same cells after an odd number of
/// them.
#[derive(Clone, Debug)]
pub(super) struct Quiet {
    places: Vec<Place>,
    /// Multiplies the paces.
    slow: u16,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    /// What the way costs, in paces of 5 ft at full speed.
    paces: u16,
    /// The direction of the way's last step.
    came: u8,
    /// Who stands there, as far as somebody asked.
    occupant: Option<Occupant>,
}

const UNKNOWN: Place = Place {
    paces: u16::MAX,
    came: 0,
    occupant: None,
};

/// A place that has been reached: its column and row.
#[derive(Clone, Copy)]
struct Entry {
    x: u16,
    y: u16,
    odd: bool,
}

impl Quiet {
    /// The best ways from a cell of the part for at most `budget` paces, and
    /// the reached cells, nearest first; with `to`, no more of it than it takes
    /// to know the way there.
    pub fn search(
        walk: &Walk,
        part: &Part,
        from: Cell,
        to: Option<Cell>,
        budget: u16,
    ) -> (Self, Vec<Cell>) {
        match walk.diagonals {
            Diagonals::Five => Self::flood::<false>(walk, part, from, to, budget),
            Diagonals::FiveTen => Self::flood::<true>(walk, part, from, to, budget),
        }
    }

    fn flood<const COUNTED: bool>(
        walk: &Walk,
        part: &Part,
        from: Cell,
        to: Option<Cell>,
        budget: u16,
    ) -> (Self, Vec<Cell>) {
        let (width, cells) = (part.width, part.cells());
        let slow = u16::from(walk.slow.max(1));
        let mut budget = budget / slow;
        let mut places = vec![UNKNOWN; if COUNTED { 2 * cells } else { cells }];
        let mut order = Vec::with_capacity(cells);
        let known = walk.board.strides().known(walk.board, walk.size);
        let mut done = [
            Done::new(width, part.height),
            if COUNTED {
                Done::new(width, part.height)
            } else {
                Done::default()
            },
        ];
        // The places that cost as much as is spent, one pace more, and by
        // their cost those that dearer steps lead to.
        let (mut now, mut next) = (Vec::with_capacity(cells), Vec::with_capacity(cells));
        let mut later: Vec<Vec<Entry>> = vec![];
        if let Some(start) = part.index(from) {
            places[start] = Place {
                paces: 0,
                came: 0,
                occupant: Some(walk.occupant(from)),
            };
            let (x, y) = (start % width, start / width);
            done[0].set(x, y);
            now.push(Entry {
                x: x as u16,
                y: y as u16,
                odd: false,
            });
        }
        let mut spent = 0;
        while spent <= budget && !(now.is_empty() && later.len() <= usize::from(spent)) {
            // They have been waiting for longer than what follows.
            if let Some(waiting) = later.get_mut(usize::from(spent) + 1) {
                next.append(waiting);
            }
            for Entry { x, y, odd } in now.drain(..) {
                let (x, y) = (usize::from(x), usize::from(y));
                let index = y * width + x;
                if places[index + cells * usize::from(COUNTED && odd)].paces != spent {
                    continue;
                }
                let cell = part.corner.offset(x as i16, y as i16);
                order.push(cell);
                if to == Some(cell) {
                    budget = spent;
                }
                if spent == budget {
                    continue;
                }
                let same = done[usize::from(COUNTED && odd)].around(x, y);
                let other = if COUNTED {
                    done[usize::from(!odd)].around(x, y)
                } else {
                    same
                };
                if same[1] & 2 == 0 {
                    done[usize::from(COUNTED && odd)].set(x, y);
                }
                let Steps { open, paces } = known.steps(cell);
                let mut directions = open & !(sides(same) | corners(other));
                while directions != 0 {
                    let direction = directions.trailing_zeros() as usize;
                    directions &= directions - 1;
                    let (cost, odd) = match COUNTED {
                        true => Diagonals::FiveTen.count(paces[direction], direction >= 4, odd),
                        false => (paces[direction], false),
                    };
                    let there = spent.saturating_add(cost);
                    if there > budget {
                        continue;
                    }
                    let (dx, dy) = Cell::DIRECTIONS[direction];
                    let (x, y) = (
                        x.wrapping_add_signed(dx.into()),
                        y.wrapping_add_signed(dy.into()),
                    );
                    let place = &mut places[y * width + x + cells * usize::from(odd)];
                    if there >= place.paces {
                        continue;
                    }
                    let occupant = *place
                        .occupant
                        .get_or_insert_with(|| walk.occupant(cell.offset(dx, dy)));
                    if cost == 1 || occupant == Occupant::Foe {
                        // No step is cheaper, and nobody steps on a foe.
                        done[usize::from(odd)].set(x, y);
                    }
                    if occupant == Occupant::Foe {
                        continue;
                    }
                    place.paces = there;
                    place.came = direction as u8;
                    let entry = Entry {
                        x: x as u16,
                        y: y as u16,
                        odd,
                    };
                    if cost == 1 {
                        next.push(entry);
                    } else {
                        wait(&mut later, there, entry);
                    }
                }
            }
            std::mem::swap(&mut now, &mut next);
            spent += 1;
        }
        if COUNTED {
            // Cells reached both ways are listed twice.
            let mut listed = Done::new(width, part.height);
            order.retain(|cell| {
                let (x, y) = (cell.x - part.corner.x, cell.y - part.corner.y);
                listed.set(x as usize, y as usize)
            });
        }
        (Self { places, slow }, order)
    }

    /// The number of the best place of a cell, the part's cells being so many;
    /// none beyond range.
    fn best(&self, index: usize, cells: usize) -> Option<usize> {
        let places = (index..self.places.len()).step_by(cells);
        let reached = places.filter(|&place| self.places[place].paces != UNKNOWN.paces);
        reached.min_by_key(|&place| self.places[place].paces)
    }

    /// What the way to a cell costs in paces, and who stands there.
    pub fn get(&self, index: usize, cells: usize) -> Option<(u16, Option<Occupant>)> {
        let place = self.places[self.best(index, cells)?];
        Some((place.paces * self.slow, place.occupant))
    }

    /// The way to a cell, from the start to the cell itself; empty beyond
    /// range.
    pub fn path(&self, part: &Part, to: usize) -> Vec<Cell> {
        let cells = part.cells();
        let back = |&place: &usize| {
            let Place { paces, came, .. } = self.places[place];
            let (dx, dy) = Cell::DIRECTIONS[usize::from(came)];
            let step = isize::from(dy) * part.width as isize + isize::from(dx);
            let before = (place % cells).checked_add_signed(-step)?;
            let counts = self.places.len() > cells && came >= 4;
            let odd = (place >= cells) != counts;
            (paces > 0).then_some(before + cells * usize::from(odd))
        };
        let ways = std::iter::successors(self.best(to, cells), back);
        let mut path: Vec<Cell> = ways.map(|place| part.cell(place % cells)).collect();
        path.reverse();
        path
    }
}

#[cold]
fn wait(later: &mut Vec<Vec<Entry>>, paces: u16, entry: Entry) {
    let paces = usize::from(paces);
    if later.len() <= paces {
        later.resize_with(paces + 1, Vec::new);
    }
    later[paces].push(entry);
}
