//! All that can be reached at once (GR-33).

use super::{Board, Cell, Diagonals, Occupant, Walk, stride::Steps};

/// All that a body can reach, from [`Walk::range`].
#[derive(Clone, Debug)]
pub struct Range {
    from: Cell,
    /// North-west cell of the part of the map that was searched, and its size.
    corner: Cell,
    width: usize,
    height: usize,
    /// Every cell row by row; where diagonals are counted, once more for those
    /// reached after an odd number of them.
    places: Vec<Place>,
    labels: Vec<Label>,
    /// Who stands in each cell, as far as somebody asked.
    occupants: Vec<Option<Occupant>>,
    /// Reached cells, nearest first in feet.
    order: Vec<Cell>,
}

/// A cell and whether the diagonals on the way there are odd.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// What the cheapest way here costs.
    feet: u16,
    /// The cheapest ways here: head of a list of labels.
    head: u32,
}

/// A way to a place that may turn out best: none other to that place provokes
/// only some of the foes that this one does.
#[derive(Clone, Copy, Debug)]
struct Label {
    provoked: u64,
    cell: Cell,
    /// The label it comes from.
    before: u32,
    /// The next label of the same place.
    next: u32,
}

const NONE: u32 = u32::MAX;

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

    /// The cells within range, nearest first in feet, the start among them.
    pub fn cells(&self) -> impl Iterator<Item = Reached> + '_ {
        self.order.iter().filter_map(|cell| self.get(*cell))
    }

    /// What it takes to reach a cell; none beyond range.
    pub fn get(&self, cell: Cell) -> Option<Reached> {
        let (feet, label) = self.best(cell)?;
        let may_stop = self.occupants[self.index(cell)?] == Some(Occupant::Nobody);
        Some(Reached {
            cell,
            feet,
            provoked: label.provoked,
            may_stop,
        })
    }

    /// The way to a cell, from the start to the cell itself; empty beyond
    /// range.
    pub fn path(&self, cell: Cell) -> Vec<Cell> {
        let end = self.best(cell).map(|(_, label)| label);
        let way =
            std::iter::successors(end, |label| self.labels.get(label.before as usize).copied());
        let mut path: Vec<Cell> = way.map(|label| label.cell).collect();
        path.reverse();
        path
    }

    /// The cheapest way to a cell, and of these one that provokes the fewest.
    fn best(&self, cell: Cell) -> Option<(u16, Label)> {
        let places = self
            .places
            .iter()
            .skip(self.index(cell)?)
            .step_by(self.width * self.height);
        let ways = places.flat_map(|place| self.list(place.head).map(move |way| (place.feet, way)));
        ways.min_by_key(|(feet, way)| (*feet, way.provoked.count_ones()))
    }

    fn list(&self, head: u32) -> impl Iterator<Item = Label> + '_ {
        let label = |number: u32| self.labels.get(number as usize).copied();
        std::iter::successors(label(head), move |way| label(way.next))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let x = usize::try_from(i32::from(cell.x) - i32::from(self.corner.x)).ok()?;
        let y = usize::try_from(i32::from(cell.y) - i32::from(self.corner.y)).ok()?;
        (x < self.width && y < self.height).then_some(y * self.width + x)
    }

    pub(super) fn search(walk: &Walk, from: Cell, budget: u16) -> Self {
        let far = (budget / 5).min(Board::MAX_SIDE) as i16;
        // The first and the number of columns or rows that can be reached.
        let span = |at: i16, size: u16| {
            let first = at.saturating_sub(far).max(0);
            let last = at.saturating_add(far).min(size as i16 - 1);
            (
                first,
                (i32::from(last) - i32::from(first) + 1).max(0) as usize,
            )
        };
        let ((x, width), (y, height)) = (
            span(from.x, walk.board.width()),
            span(from.y, walk.board.height()),
        );
        let cells = width * height;
        let places = if walk.diagonals == Diagonals::FiveTen {
            2 * cells
        } else {
            cells
        };
        let unknown = Place {
            feet: u16::MAX,
            head: NONE,
        };
        let mut range = Range {
            from,
            corner: Cell::new(x, y),
            width,
            height,
            places: vec![unknown; places],
            labels: Vec::with_capacity(places),
            occupants: vec![None; cells],
            order: Vec::with_capacity(cells),
        };
        if walk.board.contains(from) {
            match walk.diagonals {
                Diagonals::Five => range.flood::<false>(walk, budget),
                Diagonals::FiveTen => range.flood::<true>(walk, budget),
            }
        }
        range
    }

    /// Dijkstra's search, which settles places in the order of their feet, with
    /// all ways to a place that cost as little as the cheapest and of which
    /// none is certain to provoke fewer foes in the end.
    fn flood<const COUNTED: bool>(&mut self, walk: &Walk, budget: u16) {
        let cells = self.width * self.height;
        let slow = u16::from(walk.slow.max(1));
        let known = walk.board.strides().known(walk.board, walk.size);
        let mut done = [
            Done::new(self.width, self.height),
            Done::new(self.width, self.height),
        ];
        let mut queue = Queue::new(budget, self.places.len());
        let Some(start) = self.index(self.from) else {
            return;
        };
        self.occupants[start] = Some(walk.occupant(self.from));
        self.places[start] = Place { feet: 0, head: 0 };
        self.labels.push(Label {
            provoked: 0,
            cell: self.from,
            before: NONE,
            next: NONE,
        });
        queue.push(0, false, self.from);
        while let Some((spent, odd, cell)) = queue.pop() {
            let (x, y) = (
                (cell.x - self.corner.x) as usize,
                (cell.y - self.corner.y) as usize,
            );
            let Place { feet, head } = self.places[y * self.width + x + cells * usize::from(odd)];
            if feet != spent {
                continue;
            }
            done[usize::from(odd)].set(x, y);
            self.order.push(cell);
            let Steps { open, feet: costs } = known.steps(cell);
            let around = done[usize::from(odd)].around(x, y);
            let around = match COUNTED {
                true => around & SIDES | done[usize::from(!odd)].around(x, y) & !SIDES,
                false => around,
            };
            let mut directions = open & !around;
            while directions != 0 {
                let direction = directions.trailing_zeros() as usize;
                directions &= directions - 1;
                let cost = costs[direction].saturating_mul(slow);
                let (cost, odd) = match COUNTED {
                    true => Diagonals::FiveTen.count(cost, direction >= 4, odd),
                    false => (cost, false),
                };
                let feet = spent.saturating_add(cost);
                if feet > budget {
                    continue;
                }
                let (dx, dy) = Cell::DIRECTIONS[direction];
                let (x, y) = (
                    x.wrapping_add_signed(dx.into()),
                    y.wrapping_add_signed(dy.into()),
                );
                let (index, next) = (y * self.width + x, cell.offset(dx, dy));
                let there = index + cells * usize::from(odd);
                let least = self.places[there].feet;
                if feet > least {
                    continue;
                }
                let occupant = self.occupants[index].get_or_insert_with(|| walk.occupant(next));
                if *occupant == Occupant::Foe {
                    done[usize::from(odd)].set(x, y);
                    continue;
                }
                if feet < least {
                    self.places[there] = Place { feet, head: NONE };
                    queue.push(feet, odd, next);
                }
                let provoked = (walk.provokes)(cell, next);
                let mut way = head;
                while way != NONE {
                    let Label {
                        provoked: before,
                        next: other,
                        ..
                    } = self.labels[way as usize];
                    let label = Label {
                        provoked: before | provoked,
                        cell: next,
                        before: way,
                        next: NONE,
                    };
                    self.add(there, label);
                    // No step is cheaper than 5 ft, and nothing better than to
                    // provoke nobody.
                    if label.provoked == 0 && cost == 5 * slow {
                        done[usize::from(odd)].set(x, y);
                    }
                    way = other;
                }
            }
        }
        if COUNTED {
            // Cells reached both ways are listed twice.
            let mut listed = Done::new(self.width, self.height);
            let corner = self.corner;
            self.order.retain(|cell| {
                listed.set((cell.x - corner.x) as usize, (cell.y - corner.y) as usize)
            });
        }
    }

    /// Adds a way to a place unless a known one provokes no foe but some of
    /// its own; known ones that it beats so are dropped.
    fn add(&mut self, place: usize, label: Label) {
        let head = self.places[place].head;
        let mut kept = NONE;
        if head != NONE {
            if self
                .list(head)
                .any(|known| known.provoked & !label.provoked == 0)
            {
                return;
            }
            let mut known = head;
            while known != NONE {
                let way = &mut self.labels[known as usize];
                let next = way.next;
                if label.provoked & !way.provoked != 0 {
                    way.next = kept;
                    kept = known;
                }
                known = next;
            }
        }
        self.places[place].head = self.labels.len() as u32;
        self.labels.push(Label {
            next: kept,
            ..label
        });
    }
}

/// The steps to the four sides, in the order of [`Cell::DIRECTIONS`].
const SIDES: u8 = 0b1111;

/// Cells to which no better way can turn up, one bit each; and all around the
/// part of the map that is searched.
struct Done {
    /// Words a row.
    words: usize,
    bits: Vec<u64>,
}

impl Done {
    fn new(width: usize, height: usize) -> Self {
        // A bit more at either end of a row, and a word to read on into.
        let words = (width + 2).div_ceil(64) + 1;
        let mut row = vec![0; words];
        row[0] = 1;
        row[(width + 1) / 64] |= 1 << ((width + 1) % 64);
        let mut bits = vec![u64::MAX; words];
        for _ in 0..height {
            bits.extend(&row);
        }
        bits.extend(vec![u64::MAX; words]);
        Self { words, bits }
    }

    /// Adds a cell, and says whether it was not there before.
    fn set(&mut self, x: usize, y: usize) -> bool {
        let word = &mut self.bits[(y + 1) * self.words + (x + 1) / 64];
        let bit = 1 << ((x + 1) % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Which of the eight cells around are there, in the order of
    /// [`Cell::DIRECTIONS`].
    #[inline]
    fn around(&self, x: usize, y: usize) -> u8 {
        let (word, shift) = (y * self.words + x / 64, x % 64);
        // West, middle and east of a row.
        let three = |row: usize| {
            let at = word + row * self.words;
            (self.bits[at] >> shift | self.bits[at + 1] << 1 << (63 - shift)) as u8
        };
        let (north, middle, south) = (three(0), three(1), three(2));
        let bit = |row: u8, from: u32, to: u32| (row >> from & 1) << to;
        bit(north, 1, 0)
            | bit(middle, 2, 1)
            | bit(south, 1, 2)
            | bit(middle, 0, 3)
            | bit(north, 2, 4)
            | bit(south, 2, 5)
            | bit(south, 0, 6)
            | bit(north, 0, 7)
    }
}

/// Places by the feet spent to reach them: all costs are multiples of 5 ft.
struct Queue {
    /// The first and the last entry for each cost.
    ends: Vec<[u32; 2]>,
    entries: Vec<Entry>,
    /// The cost that is being worked on.
    now: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    cell: Cell,
    odd: bool,
    /// The next entry of the same cost.
    next: u32,
}

impl Queue {
    fn new(budget: u16, places: usize) -> Self {
        let ends = vec![[NONE; 2]; usize::from(budget / 5) + 1];
        Self {
            ends,
            entries: Vec::with_capacity(places),
            now: 0,
        }
    }

    fn push(&mut self, feet: u16, odd: bool, cell: Cell) {
        let number = self.entries.len() as u32;
        let [first, last] = &mut self.ends[usize::from(feet / 5)];
        match *first {
            NONE => *first = number,
            _ => self.entries[*last as usize].next = number,
        }
        *last = number;
        self.entries.push(Entry {
            cell,
            odd,
            next: NONE,
        });
    }

    /// The next place, cheapest first: its feet, whether it is an odd one, and
    /// its cell.
    fn pop(&mut self) -> Option<(u16, bool, Cell)> {
        while self.ends.get(self.now)?[0] == NONE {
            self.now += 1;
        }
        let first = &mut self.ends[self.now][0];
        let Entry { cell, odd, next } = self.entries[*first as usize];
        *first = next;
        Some((self.now as u16 * 5, odd, cell))
    }
}
