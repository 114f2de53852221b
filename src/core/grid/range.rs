//! Movement ranges: everything that a body can reach (GR-33).

use super::{
    Board, Cell, Diagonals, Occupant, StepRules,
    plain::{Plain, TOWARDS},
    step_cost::Steps,
};

/// Everything that a body can reach, from [`StepRules::range`].
#[derive(Clone, Debug)]
pub struct Range {
    from: Cell,
    part: SearchArea,
    ways: Ways,
    /// The reached cells, nearest first in feet.
    order: Vec<Cell>,
}

/// The part of the map that is searched.
#[derive(Clone, Debug)]
pub(super) struct SearchArea {
    /// The north-west cell.
    pub corner: Cell,
    pub width: usize,
    pub height: usize,
}

impl SearchArea {
    /// The part of a map within this many steps of a cell.
    pub(super) fn around(board: &Board, from: Cell, steps: u16) -> Self {
        let far = steps.min(Board::MAX_SIDE) as i16;
        // The first column or row within the steps, and their number.
        let span = |at: i16, size: u16| {
            let first = at.saturating_sub(far).max(0);
            let last = at.saturating_add(far).min(size as i16 - 1);
            (
                first,
                (i32::from(last) - i32::from(first) + 1).max(0) as usize,
            )
        };
        let ((x, width), (y, height)) = (span(from.x, board.width()), span(from.y, board.height()));
        Self {
            corner: Cell::new(x, y),
            width,
            height,
        }
    }

    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    pub fn cell(&self, index: usize) -> Cell {
        self.corner
            .offset((index % self.width) as i16, (index / self.width) as i16)
    }

    /// The index of a cell, row by row. `None` if it lies outside the part.
    #[inline]
    pub fn index(&self, cell: Cell) -> Option<usize> {
        self.place(cell).map(|(x, y)| y * self.width + x)
    }

    /// The column and row of a cell that lies in the part.
    #[inline]
    fn column_and_row(&self, cell: Cell) -> (usize, usize) {
        let from = |at: i16, first: i16| usize::from(at.wrapping_sub(first) as u16);
        (from(cell.x, self.corner.x), from(cell.y, self.corner.y))
    }

    /// The column and row of a cell. `None` if it lies outside the part.
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        // Cells before the corner wrap around to more than any map has.
        let from = |at: i16, first: i16| (i32::from(at) - i32::from(first)) as u32 as usize;
        let (x, y) = (from(cell.x, self.corner.x), from(cell.y, self.corner.y));
        (x < self.width && y < self.height).then_some((x, y))
    }
}

#[derive(Clone, Debug)]
enum Ways {
    /// No step can provoke, and all diagonals cost the same.
    Plain(Plain),
    Hostile(Hostile),
}

/// The cheapest paths to all places, where steps can provoke. A place is a cell, row by row.
/// Where every second diagonal costs more, each cell has a second place, for paths with an odd
/// number of diagonals.
#[derive(Clone, Debug)]
struct Hostile {
    places: usize,
    /// The first path to a place has the place's index. It links to further ones, which come
    /// after all places.
    ways: Vec<PathSoFar>,
    /// The unit in each cell; `None` if it was not looked up.
    occupants: Vec<Option<Occupant>>,
}

/// A path to a place that can still be the best: no other path to the place is cheaper or
/// provokes only a subset of its enemies.
#[derive(Clone, Copy, Debug)]
struct PathSoFar {
    provoked: u64,
    place: u32,
    /// The path that this one extends.
    before: u32,
    /// Another path to the same place.
    next: u32,
    /// The cost, in steps of 5 ft.
    cost: u16,
}

const NONE: u32 = u32::MAX;
const UNKNOWN: PathSoFar = PathSoFar {
    provoked: 0,
    place: NONE,
    before: NONE,
    next: NONE,
    cost: u16::MAX,
};

/// A cell within range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The cell.
    pub cell: Cell,
    /// The cost of the path to the cell.
    pub feet: u16,
    /// The enemies whose reach the path leaves, one bit each.
    pub provoked: u64,
    /// Whether a move can end in the cell.
    pub may_stop: bool,
}

impl Range {
    /// The start of the movement.
    pub fn from(&self) -> Cell {
        self.from
    }

    /// The number of cells within range, the start included.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The cells within range, nearest first in feet, the start included.
    pub fn cells(&self) -> impl Iterator<Item = Reached> + '_ {
        self.order.iter().map(|cell| {
            let (x, y) = self.part.column_and_row(*cell);
            match &self.ways {
                Ways::Plain(plain) => plain.at(x, y).reached(*cell, plain.slow),
                Ways::Hostile(hostile) => {
                    let index = y * self.part.width + x;
                    hostile.at(*cell, index, self.part.cells())
                }
            }
        })
    }

    /// The cost to reach a cell. `None` beyond range.
    pub fn get(&self, cell: Cell) -> Option<Reached> {
        match &self.ways {
            Ways::Plain(plain) => plain.get(&self.part, cell),
            Ways::Hostile(hostile) => {
                let index = self.part.index(cell)?;
                let is_reached = hostile.best(index, self.part.cells()).cost != UNKNOWN.cost;
                is_reached.then(|| hostile.at(cell, index, self.part.cells()))
            }
        }
    }

    /// The path to a cell, start and end included. Empty beyond range.
    pub fn path(&self, cell: Cell) -> Vec<Cell> {
        match &self.ways {
            Ways::Plain(plain) => plain.path(&self.part, cell),
            Ways::Hostile(hostile) => hostile.path(&self.part, cell),
        }
    }

    /// Everything within `budget` feet. With `to`, the search stops once the path there is known.
    pub(super) fn search(walk: &StepRules, from: Cell, to: Option<Cell>, budget: u16) -> Self {
        let budget = budget / 5;
        let part = SearchArea::around(walk.board, from, budget);
        let (ways, order) = if Plain::may_search(walk, &part) {
            let (plain, order) = Plain::search(walk, &part, from, to, budget);
            (Ways::Plain(plain), order)
        } else {
            let (hostile, order) = Hostile::search(walk, &part, from, to, budget);
            (Ways::Hostile(hostile), order)
        };
        Range {
            from,
            part,
            ways,
            order,
        }
    }
}

impl Hostile {
    /// The cheapest path to a cell; among equals, one that provokes the fewest enemies. Its cost
    /// is `u16::MAX` if there is none.
    #[inline]
    fn best(&self, index: usize, cells: usize) -> &PathSoFar {
        let way = &self.ways[index];
        match self.places == cells && way.next == NONE {
            true => way,
            false => self.best_of_many(index, cells),
        }
    }

    #[cold]
    fn best_of_many(&self, index: usize, cells: usize) -> &PathSoFar {
        let places = (index..self.places).step_by(cells);
        let ways = places.flat_map(|place| self.ways_to(place));
        let best = ways.min_by_key(|way| (way.cost, way.provoked.count_ones()));
        best.expect("a cell has a place")
    }

    /// A cell as reached by its best path.
    #[inline]
    fn at(&self, cell: Cell, index: usize, cells: usize) -> Reached {
        let way = self.best(index, cells);
        Reached {
            cell,
            feet: 5 * way.cost,
            provoked: way.provoked,
            may_stop: self.occupants[index] == Some(Occupant::Nobody),
        }
    }

    fn ways_to(&self, place: usize) -> impl Iterator<Item = &PathSoFar> + '_ {
        std::iter::successors(Some(&self.ways[place]), |way| {
            self.ways.get(way.next as usize)
        })
    }

    fn path(&self, part: &SearchArea, to: Cell) -> Vec<Cell> {
        let cells = part.cells();
        let best = part.index(to).map(|index| self.best(index, cells));
        let best = best.filter(|way| way.cost != UNKNOWN.cost);
        let ways = std::iter::successors(best, |way| self.ways.get(way.before as usize));
        let mut path: Vec<Cell> = ways
            .map(|way| part.cell(way.place as usize % cells))
            .collect();
        path.reverse();
        path
    }

    fn search(
        walk: &StepRules,
        part: &SearchArea,
        from: Cell,
        to: Option<Cell>,
        budget: u16,
    ) -> (Self, Vec<Cell>) {
        let cells = part.cells();
        let places = match walk.diagonals {
            Diagonals::Five => cells,
            Diagonals::FiveTen => 2 * cells,
        };
        let mut hostile = Self {
            places,
            ways: vec![UNKNOWN; places],
            occupants: vec![None; cells],
        };
        let Some(start) = part.index(from) else {
            return (hostile, vec![]);
        };
        let order = match walk.diagonals {
            Diagonals::Five => hostile.flood::<false>(walk, part, start, to, budget),
            Diagonals::FiveTen => hostile.flood::<true>(walk, part, start, to, budget),
        };
        (hostile, order)
    }

    /// Dijkstra's algorithm: it finalizes places in the order of their cost. For each place it
    /// keeps all cheapest paths of which none is certain to provoke fewer enemies in the end. The
    /// budget is in steps of 5 ft.
    fn flood<const COUNTED: bool>(
        &mut self,
        walk: &StepRules,
        part: &SearchArea,
        start: usize,
        to: Option<Cell>,
        mut budget: u16,
    ) -> Vec<Cell> {
        let (width, height, cells) = (part.width, part.height, part.cells());
        let mut order = Vec::with_capacity(cells);
        let slow = u16::from(walk.slow.max(1));
        let known = walk.known();
        let mut done = [
            Done::new(width, height),
            if COUNTED {
                Done::new(width, height)
            } else {
                Done::default()
            },
        ];
        let mut queue = Queue::new(budget, self.places);
        self.occupants[start] = Some(walk.occupant(part.cell(start)));
        self.ways[start] = PathSoFar {
            place: start as u32,
            cost: 0,
            ..UNKNOWN
        };
        queue.push(0, start, start % width, start / width);
        while let Some((spent, QueueEntry { place, x, y, .. })) = queue.pop() {
            if spent > budget {
                break;
            }
            let (place, x, y) = (place as usize, usize::from(x), usize::from(y));
            let odd = COUNTED && place >= cells;
            let cell = part.corner.offset(x as i16, y as i16);
            let way = self.ways[place];
            if way.cost != spent {
                continue;
            }
            order.push(cell);
            if to == Some(cell) {
                // Paths of the same cost can still turn out better.
                budget = spent;
            }
            if budget - spent < slow {
                continue;
            }
            let same = done[usize::from(odd)].around(x, y);
            let other = if COUNTED {
                done[usize::from(!odd)].around(x, y)
            } else {
                same
            };
            if same & MIDDLE == 0 {
                done[usize::from(odd)].set(x, y);
            }
            let Steps { open, costs, .. } = known.steps(cell);
            let mut directions = open & !(TOWARDS[same] & SIDES | TOWARDS[other] & !SIDES);
            let size = walk.size;
            let is_clear = walk.provokes.is_none_or(|it| it.is_clear_of(cell, size));
            while directions != 0 {
                let direction = directions.trailing_zeros() as usize;
                directions &= directions - 1;
                let cost = costs[direction].saturating_mul(slow);
                let (cost, odd) = match COUNTED {
                    true => Diagonals::FiveTen.count(cost, direction >= 4, odd),
                    false => (cost, false),
                };
                let path_cost = spent.saturating_add(cost);
                if path_cost > budget {
                    continue;
                }
                let (dx, dy) = Cell::DIRECTIONS[direction];
                let (x, y) = (
                    x.wrapping_add_signed(dx.into()),
                    y.wrapping_add_signed(dy.into()),
                );
                let (index, next) = (y * width + x, cell.offset(dx, dy));
                let there = index + cells * usize::from(odd);
                let least = self.ways[there].cost;
                if path_cost > least {
                    continue;
                }
                let occupant = self.occupants[index].get_or_insert_with(|| walk.occupant(next));
                if *occupant == Occupant::Foe {
                    done[usize::from(odd)].set(x, y);
                    continue;
                }
                let provoked = match is_clear {
                    true => 0,
                    false => walk.provoked(cell, next),
                };
                let new = PathSoFar {
                    provoked: way.provoked | provoked,
                    place: there as u32,
                    before: place as u32,
                    next: NONE,
                    cost: path_cost,
                };
                if path_cost < least {
                    self.ways[there] = new;
                    queue.push(path_cost, there, x, y);
                } else {
                    self.add(new);
                }
                // No step is cheaper than one step of 5 ft, and no path is better than one that
                // provokes nobody.
                if new.provoked == 0 && cost == slow {
                    done[usize::from(odd)].set(x, y);
                }
                let mut other = way.next;
                while other != NONE {
                    let way = self.ways[other as usize];
                    self.add(PathSoFar {
                        provoked: way.provoked | provoked,
                        before: other,
                        ..new
                    });
                    other = way.next;
                }
            }
        }
        if COUNTED {
            // Cells reached with both even and odd diagonals are listed twice.
            let mut listed = Done::new(width, height);
            let corner = part.corner;
            order.retain(|cell| {
                listed.set((cell.x - corner.x) as usize, (cell.y - corner.y) as usize)
            });
        }
        order
    }

    /// Adds a path to a place, unless a known path provokes only a subset of its enemies. Drops
    /// known paths that provoke a superset of its enemies. No path extends any of them yet.
    #[cold]
    fn add(&mut self, way: PathSoFar) {
        let place = way.place as usize;
        if self
            .ways_to(place)
            .any(|known| known.provoked & !way.provoked == 0)
        {
            return;
        }
        let first = self.ways[place];
        let (mut kept, mut known) = (NONE, first.next);
        while known != NONE {
            let other = &mut self.ways[known as usize];
            let next = other.next;
            if way.provoked & !other.provoked != 0 {
                other.next = kept;
                kept = known;
            }
            known = next;
        }
        let way = PathSoFar { next: kept, ..way };
        if way.provoked & !first.provoked == 0 {
            self.ways[place] = way;
        } else {
            self.ways[place].next = self.ways.len() as u32;
            self.ways.push(way);
        }
    }
}

/// The cells whose best path is final, one bit each, and a margin around the searched part of the
/// map.
#[derive(Default)]
struct Done {
    /// Words per row.
    words: usize,
    bits: Vec<u64>,
}

impl Done {
    fn new(width: usize, height: usize) -> Self {
        // One more bit at either end of a row. A row of several words also gets a spare word,
        // because `around` reads the next one.
        let words = match (width + 2).div_ceil(64) {
            1 => 1,
            more => more + 1,
        };
        let mut bits = vec![0; words * (height + 2)];
        for row in bits.chunks_mut(words) {
            row[0] = 1;
            row[(width + 1) / 64] |= 1 << ((width + 1) % 64);
        }
        bits[..words].fill(u64::MAX);
        bits[words * (height + 1)..].fill(u64::MAX);
        Self { words, bits }
    }

    /// Adds a cell. Returns whether it is new.
    #[inline]
    fn set(&mut self, x: usize, y: usize) -> bool {
        let word = &mut self.bits[(y + 1) * self.words + (x + 1) / 64];
        let bit = 1 << ((x + 1) % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Which of a cell and its neighbours are in the set: nine bits, row by row.
    #[inline]
    fn around(&self, x: usize, y: usize) -> usize {
        let (words, first) = (self.words, y * self.words + x / 64);
        let shift = x % 64;
        let row = |at: usize| match words {
            1 => self.bits[at] >> shift & 7,
            _ => (self.bits[at] >> shift | self.bits[at + 1] << 1 << (63 - shift)) & 7,
        };
        let [north, middle, south] = [0, 1, 2].map(|n| row(first + n * words) as usize);
        north | middle << 3 | south << 6
    }
}

/// The middle one of nine cells.
const MIDDLE: usize = 1 << 4;
/// The directions to the four sides; the others are diagonals.
const SIDES: u8 = 0b1111;

/// A queue of places by the cost of reaching them.
struct Queue {
    /// The first and last entry for each cost.
    ends: Vec<[u32; 2]>,
    entries: Vec<QueueEntry>,
    /// The cost that is processed now.
    now: usize,
}

#[derive(Clone, Copy)]
struct QueueEntry {
    place: u32,
    /// Column and row in the searched part of the map.
    x: u16,
    y: u16,
    /// The next entry of the same cost.
    next: u32,
}

impl Queue {
    fn new(budget: u16, places: usize) -> Self {
        // The budget of a search over the whole map is far more than any path costs.
        let ends = vec![[NONE; 2]; usize::from(budget).min(64) + 1];
        Self {
            ends,
            entries: Vec::with_capacity(places),
            now: 0,
        }
    }

    fn push(&mut self, cost: u16, place: usize, x: usize, y: usize) {
        let number = self.entries.len() as u32;
        if self.ends.len() <= usize::from(cost) {
            self.ends.resize(usize::from(cost) + 1, [NONE; 2]);
        }
        let [first, last] = &mut self.ends[usize::from(cost)];
        match *first {
            NONE => *first = number,
            _ => self.entries[*last as usize].next = number,
        }
        *last = number;
        self.entries.push(QueueEntry {
            place: place as u32,
            x: x as u16,
            y: y as u16,
            next: NONE,
        });
    }

    /// The next place, cheapest first, with its cost.
    fn pop(&mut self) -> Option<(u16, QueueEntry)> {
        while self.ends.get(self.now)?[0] == NONE {
            self.now += 1;
        }
        let first = &mut self.ends[self.now][0];
        let entry = self.entries[*first as usize];
        *first = entry.next;
        Some((self.now as u16, entry))
    }
}
