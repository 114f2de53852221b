//! A symmetric map in the making: whatever is put into a cell is also put into the
//! cells at the corresponding positions of the other sides.

use super::GeneratedMap;
use crate::{battle::Chance, grid::Cell};
use std::collections::{BTreeSet, VecDeque};

/// A map of characters with rotational symmetry.
pub struct Sketch {
    pub width: i16,
    pub height: i16,
    /// The number of rotations under which the map looks the same: 2 or 4.
    turns: usize,
    cells: Vec<char>,
}

/// The size of a starting area in cells: along the edge, and away from it.
const START: (i16, i16) = (6, 4);
/// The most cells in which a side can start: large units take four, and some space is
/// lost between them.
const ROOM: usize = 64;
/// Floor that neither slows nor conceals, at any height.
const PLAIN: [char; 3] = ['.', '1', '2'];
/// Characters that units can walk through; doors can be opened.
const OPEN: [char; 8] = ['.', '1', '2', '3', ',', '~', '+', '/'];

impl Sketch {
    pub fn new(width: i16, height: i16, turns: usize) -> Self {
        let cells = vec!['.'; width as usize * height as usize];
        Self {
            width,
            height,
            turns,
            cells,
        }
    }

    pub fn is_in(&self, (x, y): (i16, i16)) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    fn place(&self, (x, y): (i16, i16)) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// The character of a cell; a wall outside the map.
    pub fn at(&self, cell: (i16, i16)) -> char {
        match self.is_in(cell) {
            true => self.cells[self.place(cell)],
            false => '#',
        }
    }

    pub fn all(&self) -> impl Iterator<Item = (i16, i16)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// The cells at corresponding positions for each side, starting with this one.
    fn like(&self, (x, y): (i16, i16)) -> Vec<(i16, i16)> {
        let (w, h) = (self.width - 1, self.height - 1);
        match self.turns {
            2 => vec![(x, y), (w - x, h - y)],
            _ => vec![(x, y), (w - y, x), (w - x, h - y), (y, h - x)],
        }
    }

    /// Puts a character into a cell and the corresponding cells.
    pub fn put(&mut self, cell: (i16, i16), what: char) {
        if self.is_in(cell) {
            for cell in self.like(cell) {
                let place = self.place(cell);
                self.cells[place] = what;
            }
        }
    }

    pub fn fill(&mut self, from: (i16, i16), to: (i16, i16), what: char) {
        for y in from.1..=to.1 {
            for x in from.0..=to.0 {
                self.put((x, y), what);
            }
        }
    }

    /// The four cells next to a cell.
    pub fn beside((x, y): (i16, i16)) -> [(i16, i16); 4] {
        [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    }

    /// How many of the eight neighbours satisfy a condition.
    pub fn round(&self, (x, y): (i16, i16), is_so: impl Fn(char) -> bool) -> usize {
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let around = around.filter(|d| *d != (0, 0));
        let around = around.map(|(dx, dy)| self.at((x + dx, y + dy)));
        around.filter(|what| is_so(*what)).count()
    }

    /// A random cell.
    pub fn any(&self, chance: &mut Chance) -> (i16, i16) {
        let x = chance.below(self.width as usize) as i16;
        (x, chance.below(self.height as usize) as i16)
    }

    /// Puts an irregular patch of at most `cells` cells on plain floor.
    pub fn blot(&mut self, chance: &mut Chance, what: char, cells: usize) {
        let mut at = self.any(chance);
        for _ in 0..cells {
            if self.at(at) == '.' {
                self.put(at, what);
            } else if what == ',' && self.at(at) == '1' {
                self.put(at, '3');
            }
            at = Self::beside(at)[chance.below(4)];
        }
    }

    /// The cells where the first side starts. The other sides' cells correspond to
    /// them.
    fn start(&self) -> Vec<(i16, i16)> {
        let ((long, deep), (x, top)) = match self.turns {
            2 => (START, (0, (self.height - START.0) / 2)),
            _ => ((4, 4), (1, 1)),
        };
        let cells = (top..top + long).flat_map(|y| (x..x + deep).map(move |x| (x, y)));
        let mut cells: Vec<(i16, i16)> = cells.collect();
        // The first cells are not adjacent, so that one area attack does not hit
        // everyone.
        cells.sort_by_key(|(x, y)| (x + y) % 2);
        cells
    }

    /// Completes the map: floor where sides start, a path from each start to the
    /// middle, and wall wherever no unit can get.
    pub fn finish(mut self, chance: &mut Chance, sides: usize) -> GeneratedMap {
        let start = self.start();
        for &cell in &start {
            let floor = match self.at(cell) {
                it if PLAIN.contains(&it) => it,
                '3' => '1',
                '4' => '2',
                _ => '.',
            };
            self.put(cell, floor);
        }
        let middle = (self.width / 2, self.height / 2);
        self.clear(middle);
        self.way(start[start.len() / 4], middle, chance);
        // The middle of an even number of cells lies between two cells.
        for cell in Self::beside(middle) {
            self.clear(cell);
        }
        self.fill_pockets(middle);
        let room = self.room(&start);
        let order: &[usize] = match (self.turns, sides) {
            (2, _) => &[0, 1],
            (_, 3) => &[0, 1, 3],
            _ => &[0, 2, 1, 3],
        };
        let to_cell = |(x, y): (i16, i16)| Cell::new(x, y);
        let of_side = |n: &usize| {
            let cells = room.iter().map(|&cell| to_cell(self.like(cell)[*n]));
            cells.collect()
        };
        let edge = start.iter().map(|cell| cell.0).min().unwrap_or(0);
        let exits = |n: &usize| {
            let cells = start.iter().filter(|cell| cell.0 == edge);
            let cells = cells.map(|&cell| to_cell(self.like(cell)[*n]));
            cells.collect()
        };
        let north = (middle.0, (self.height - 1) / 2);
        let mut middle = [self.like(middle), self.like(north)].concat();
        middle.sort_by_key(|&(x, y)| (y, x));
        middle.dedup();
        middle.retain(|&cell| OPEN.contains(&self.at(cell)));
        let rows = self.cells.chunks(self.width as usize);
        GeneratedMap {
            rows: rows.map(String::from_iter).collect(),
            starts: order.iter().map(of_side).collect(),
            core: start.len(),
            exits: order.iter().map(exits).collect(),
            middle: middle.into_iter().map(to_cell).collect(),
        }
    }

    /// The starting cells and the floor around them, nearest first, as far as no two
    /// sides claim the same cell.
    fn room(&self, start: &[(i16, i16)]) -> Vec<(i16, i16)> {
        let height = |cell| match self.at(cell) {
            '.' | ',' => Some(0_u8),
            '1' | '3' => Some(1),
            '2' => Some(2),
            '+' | '/' | '~' => Some(0),
            _ => None,
        };
        let mut room = start.to_vec();
        let mut queue = VecDeque::from(room.clone());
        let mut taken: BTreeSet<(i16, i16)> =
            start.iter().flat_map(|&cell| self.like(cell)).collect();
        while let Some(cell) = queue.pop_front() {
            for next in Self::beside(cell) {
                let like: BTreeSet<_> = self.like(next).into_iter().collect();
                // No side starts beyond a step that has to be climbed.
                let is_near = match (height(cell), height(next)) {
                    (Some(here), Some(there)) => here.abs_diff(there) <= 1,
                    _ => false,
                };
                let is_own = like.len() == self.turns && like.is_disjoint(&taken);
                if room.len() < ROOM && is_near && is_own {
                    taken.extend(like);
                    queue.push_back(next);
                    // Units can pass through, but not start here.
                    if !['+', '/', '~'].contains(&self.at(next)) {
                        room.push(next);
                    }
                }
            }
        }
        room
    }

    /// Replaces something solid by floor.
    fn clear(&mut self, cell: (i16, i16)) {
        if !self.is_in(cell) || OPEN.contains(&self.at(cell)) {
            return;
        }
        let floor = if self.at(cell) == '4' { '2' } else { '.' };
        self.put(cell, floor);
    }

    /// Clears a crooked path through whatever is there.
    fn way(&mut self, from: (i16, i16), to: (i16, i16), chance: &mut Chance) {
        let mut at = from;
        while at != to {
            let (dx, dy) = (to.0 - at.0, to.1 - at.1);
            let far = usize::from(dx.unsigned_abs() + dy.unsigned_abs());
            let step = match chance.below(far.max(1)) < usize::from(dx.unsigned_abs()) {
                true => (dx.signum(), 0),
                false => (0, dy.signum()),
            };
            at = (at.0 + step.0, at.1 + step.1);
            self.clear(at);
        }
    }

    /// Turns everything that cannot be reached into wall.
    fn fill_pockets(&mut self, from: (i16, i16)) {
        let mut met = vec![false; self.cells.len()];
        let mut queue = VecDeque::from([from]);
        met[self.place(from)] = true;
        while let Some(cell) = queue.pop_front() {
            for next in Self::beside(cell) {
                if self.is_in(next) && OPEN.contains(&self.at(next)) && !met[self.place(next)] {
                    let place = self.place(next);
                    met[place] = true;
                    queue.push_back(next);
                }
            }
        }
        for (cell, met) in self.cells.iter_mut().zip(met) {
            if !met && OPEN.contains(cell) {
                *cell = '#';
            }
        }
    }
}
