//! All that can be reached at once (GR-33).

use super::{
    Board, Cell, Diagonals, Occupant, StepRules,
    plain::{Plain, TOWARDS},
    stride::Steps,
};

/// All that a body can reach, from [`StepRules::range`].
#[derive(Clone, Debug)]
pub struct Range {
    from: Cell,
    part: Part,
    ways: Ways,
    /// Reached cells, nearest first in feet.
    order: Vec<Cell>,
}

/// The part of the map that is searched.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its north-west cell.
    pub corner: Cell,
    pub width: usize,
    pub height: usize,
}

impl Part {
    /// All of a map that can be reached from a cell in this many steps.
    pub(super) fn around(board: &Board, from: Cell, steps: u16) -> Self {
        let far = steps.min(Board::MAX_SIDE) as i16;
        // The first and the number of columns or rows that can be reached.
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

    fn cell(&self, index: usize) -> Cell {
        self.corner
            .offset((index % self.width) as i16, (index / self.width) as i16)
    }

    /// The number of a cell, row by row.
    fn index(&self, cell: Cell) -> Option<usize> {
        self.place(cell).map(|(x, y)| y * self.width + x)
    }

    /// Column and row of a cell that lies in it.
    #[inline]
    fn column_and_row(&self, cell: Cell) -> (usize, usize) {
        let from = |at: i16, first: i16| usize::from(at.wrapping_sub(first) as u16);
        (from(cell.x, self.corner.x), from(cell.y, self.corner.y))
    }

    /// Column and row of a cell, if it lies in it.
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        // What lies before the corner comes out larger than any map.
        let from = |at: i16, first: i16| (i32::from(at) - i32::from(first)) as u32 as usize;
        let (x, y) = (from(cell.x, self.corner.x), from(cell.y, self.corner.y));
        (x < self.width && y < self.height).then_some((x, y))
    }
}

#[derive(Clone, Debug)]
enum Ways {
    /// Nobody can be provoked, and no diagonal is dearer than another.
    Plain(Plain),
    Hostile(Hostile),
}

/// The cheapest ways to all places, where steps may provoke. A place is a cell,
/// in rows; where diagonals are counted, there are as many places again, for
/// the same cells after an odd number of them.
#[derive(Clone, Debug)]
struct Hostile {
    places: usize,
    /// The first way to a place has the place's number, and links the others,
    /// which come after all places.
    ways: Vec<Way>,
    /// Who stands in each cell, as far as somebody asked.
    occupants: Vec<Option<Occupant>>,
}

/// A way to a place that may turn out best: none other to that place is
/// cheaper, or provokes only some of the foes that this one does.
#[derive(Clone, Copy, Debug)]
struct Way {
    provoked: u64,
    place: u32,
    /// The way that it goes on from.
    before: u32,
    /// Another way to the same place.
    next: u32,
    /// What it costs, in paces of 5 ft.
    paces: u16,
}

const NONE: u32 = u32::MAX;
const UNKNOWN: Way = Way {
    provoked: 0,
    place: NONE,
    before: NONE,
    next: NONE,
    paces: u16::MAX,
};

/// A cell within range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The cell.
    pub cell: Cell,
    /// What the way there costs.
    pub feet: u16,
    /// The foes whose reach it leaves, one bit each.
    pub provoked: u64,
    /// Whether one may end a move there.
    pub may_stop: bool,
}

impl Range {
    /// Where the walk starts.
    pub fn from(&self) -> Cell {
        self.from
    }

    /// How many cells are within range, the start among them.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The cells within range, nearest first in feet, the start among them.
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

    /// What it takes to reach a cell; none beyond range.
    pub fn get(&self, cell: Cell) -> Option<Reached> {
        match &self.ways {
            Ways::Plain(plain) => plain.get(&self.part, cell),
            Ways::Hostile(hostile) => {
                let index = self.part.index(cell)?;
                let is_reached = hostile.best(index, self.part.cells()).paces != UNKNOWN.paces;
                is_reached.then(|| hostile.at(cell, index, self.part.cells()))
            }
        }
    }

    /// The way to a cell, from the start to the cell itself; empty beyond
    /// range.
    pub fn path(&self, cell: Cell) -> Vec<Cell> {
        match &self.ways {
            Ways::Plain(plain) => plain.path(&self.part, cell),
            Ways::Hostile(hostile) => hostile.path(&self.part, cell),
        }
    }

    /// All that can be reached for at most `budget` feet; with `to`, no more of
    /// it than it takes to know the way there.
    pub(super) fn search(walk: &StepRules, from: Cell, to: Option<Cell>, budget: u16) -> Self {
        let budget = budget / 5;
        let part = Part::around(walk.board, from, budget);
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
    /// The cheapest way to a cell, and of these one that provokes the fewest.
    /// One of unknown paces, if there is none.
    #[inline]
    fn best(&self, index: usize, cells: usize) -> &Way {
        let way = &self.ways[index];
        match self.places == cells && way.next == NONE {
            true => way,
            false => self.best_of_many(index, cells),
        }
    }

    #[cold]
    fn best_of_many(&self, index: usize, cells: usize) -> &Way {
        let places = (index..self.places).step_by(cells);
        let ways = places.flat_map(|place| self.ways_to(place));
        let best = ways.min_by_key(|way| (way.paces, way.provoked.count_ones()));
        best.expect("a cell has a place")
    }

    /// A cell that is reached.
    #[inline]
    fn at(&self, cell: Cell, index: usize, cells: usize) -> Reached {
        let way = self.best(index, cells);
        Reached {
            cell,
            feet: 5 * way.paces,
            provoked: way.provoked,
            may_stop: self.occupants[index] == Some(Occupant::Nobody),
        }
    }

    fn ways_to(&self, place: usize) -> impl Iterator<Item = &Way> + '_ {
        std::iter::successors(Some(&self.ways[place]), |way| {
            self.ways.get(way.next as usize)
        })
    }

    fn path(&self, part: &Part, to: Cell) -> Vec<Cell> {
        let cells = part.cells();
        let best = part.index(to).map(|index| self.best(index, cells));
        let best = best.filter(|way| way.paces != UNKNOWN.paces);
        let ways = std::iter::successors(best, |way| self.ways.get(way.before as usize));
        let mut path: Vec<Cell> = ways
            .map(|way| part.cell(way.place as usize % cells))
            .collect();
        path.reverse();
        path
    }

    fn search(
        walk: &StepRules,
        part: &Part,
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

    /// Dijkstra's search, which settles places in the order of their cost, with
    /// all ways to a place that cost as little as the cheapest and of which
    /// none is certain to provoke fewer foes in the end. The budget is in paces.
    fn flood<const COUNTED: bool>(
        &mut self,
        walk: &StepRules,
        part: &Part,
        start: usize,
        to: Option<Cell>,
        mut budget: u16,
    ) -> Vec<Cell> {
        let (width, height, cells) = (part.width, part.height, part.cells());
        let mut order = Vec::with_capacity(cells);
        let slow = u16::from(walk.slow.max(1));
        let known = walk.board.strides().known(walk.board, walk.size);
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
        self.ways[start] = Way {
            place: start as u32,
            paces: 0,
            ..UNKNOWN
        };
        queue.push(0, start, start % width, start / width);
        while let Some((spent, Entry { place, x, y, .. })) = queue.pop() {
            if spent > budget {
                break;
            }
            let (place, x, y) = (place as usize, usize::from(x), usize::from(y));
            let odd = COUNTED && place >= cells;
            let cell = part.corner.offset(x as i16, y as i16);
            let way = self.ways[place];
            if way.paces != spent {
                continue;
            }
            order.push(cell);
            if to == Some(cell) {
                // What costs as much may still turn out better.
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
            let Steps {
                open, paces: costs, ..
            } = known.steps(cell);
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
                let paces = spent.saturating_add(cost);
                if paces > budget {
                    continue;
                }
                let (dx, dy) = Cell::DIRECTIONS[direction];
                let (x, y) = (
                    x.wrapping_add_signed(dx.into()),
                    y.wrapping_add_signed(dy.into()),
                );
                let (index, next) = (y * width + x, cell.offset(dx, dy));
                let there = index + cells * usize::from(odd);
                let least = self.ways[there].paces;
                if paces > least {
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
                let new = Way {
                    provoked: way.provoked | provoked,
                    place: there as u32,
                    before: place as u32,
                    next: NONE,
                    paces,
                };
                if paces < least {
                    self.ways[there] = new;
                    queue.push(paces, there, x, y);
                } else {
                    self.add(new);
                }
                // No step is cheaper than a pace, and nothing better than to
                // provoke nobody.
                if new.provoked == 0 && cost == slow {
                    done[usize::from(odd)].set(x, y);
                }
                let mut other = way.next;
                while other != NONE {
                    let way = self.ways[other as usize];
                    self.add(Way {
                        provoked: way.provoked | provoked,
                        before: other,
                        ..new
                    });
                    other = way.next;
                }
            }
        }
        if COUNTED {
            // Cells reached both ways are listed twice.
            let mut listed = Done::new(width, height);
            let corner = part.corner;
            order.retain(|cell| {
                listed.set((cell.x - corner.x) as usize, (cell.y - corner.y) as usize)
            });
        }
        order
    }

    /// Adds another way to a place unless a known one provokes no foe but some
    /// of its own; known ones that it beats so are dropped. Nothing goes on
    /// from any of them yet.
    #[cold]
    fn add(&mut self, way: Way) {
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
        let way = Way { next: kept, ..way };
        if way.provoked & !first.provoked == 0 {
            self.ways[place] = way;
        } else {
            self.ways[place].next = self.ways.len() as u32;
            self.ways.push(way);
        }
    }
}

/// Cells to which no better way can turn up, one bit each; and all around the
/// part of the map that is searched.
#[derive(Default)]
struct Done {
    /// Words a row.
    words: usize,
    bits: Vec<u64>,
}

impl Done {
    fn new(width: usize, height: usize) -> Self {
        // A bit more at either end of a row; and, where it takes several words,
        // one to read on into.
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

    /// Adds a cell, and says whether it was not there before.
    #[inline]
    fn set(&mut self, x: usize, y: usize) -> bool {
        let word = &mut self.bits[(y + 1) * self.words + (x + 1) / 64];
        let bit = 1 << ((x + 1) % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Which of the cells around one and itself are there: nine bits, row by row.
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

/// Of nine cells the one in the middle.
const MIDDLE: usize = 1 << 4;
/// The directions of those to the four sides; the others lead across corners.
const SIDES: u8 = 0b1111;

/// Places by the paces spent to reach them.
struct Queue {
    /// The first and the last entry for each cost.
    ends: Vec<[u32; 2]>,
    entries: Vec<Entry>,
    /// The cost that is being worked on.
    now: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    place: u32,
    /// Its column and row in the part of the map that is searched.
    x: u16,
    y: u16,
    /// The next entry of the same cost.
    next: u32,
}

impl Queue {
    fn new(budget: u16, places: usize) -> Self {
        // A search of all the map has far more feet than it can spend.
        let ends = vec![[NONE; 2]; usize::from(budget).min(64) + 1];
        Self {
            ends,
            entries: Vec::with_capacity(places),
            now: 0,
        }
    }

    fn push(&mut self, paces: u16, place: usize, x: usize, y: usize) {
        let number = self.entries.len() as u32;
        if self.ends.len() <= usize::from(paces) {
            self.ends.resize(usize::from(paces) + 1, [NONE; 2]);
        }
        let [first, last] = &mut self.ends[usize::from(paces)];
        match *first {
            NONE => *first = number,
            _ => self.entries[*last as usize].next = number,
        }
        *last = number;
        self.entries.push(Entry {
            place: place as u32,
            x: x as u16,
            y: y as u16,
            next: NONE,
        });
    }

    /// The next place, cheapest first, and its cost.
    fn pop(&mut self) -> Option<(u16, Entry)> {
        while self.ends.get(self.now)?[0] == NONE {
            self.now += 1;
        }
        let first = &mut self.ends[self.now][0];
        let entry = self.entries[*first as usize];
        *first = entry.next;
        Some((self.now as u16, entry))
    }
}
