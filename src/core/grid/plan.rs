//! Exact visibility in plan view: what a cell sees on a map whose cells are either solid or
//! clear, in one pass.
//!
//! Each quadrant is mirrored so that lines run east and south from the cell `(0, 0)`. A *view* is
//! a set of such lines that pass the solid cells met so far on the same sides: north-east of some
//! corner points (`lows`, to the right of the line) and south-west of others (`highs`, to its
//! left). The set is a convex polygon in the plane of lines, and its flattest and steepest line
//! determine which cells of the next row it reaches. This takes only integers and strict
//! comparisons, because solids are closed and a line that touches one is blocked.
//!
//! Rows are processed from near to far. At a solid cell a view splits: one part leaves the row
//! before the cell and is done with this row, the other continues behind the cell.

use super::Cell;

/// The solid cells, one bit each, and a copy with every row mirrored east to west.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SolidPlan {
    width: usize,
    height: usize,
    /// Words per row: one bit for each cell, and one more for the last corner.
    words: usize,
    rows: [Vec<u64>; 2],
}

/// What a cell sees.
#[derive(Debug)]
pub(super) struct Seen {
    words: usize,
    /// Visible clear cells.
    cells: Vec<u64>,
    /// Solid cells that some line reaches without meeting another one first.
    solids: Vec<u64>,
    /// Visible corners of cells, each with the index of the cell to its south-east.
    corners: Vec<u64>,
}

impl SolidPlan {
    pub fn new(width: u16, height: u16, is_solid: impl Fn(Cell) -> bool) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        let words = width / 64 + 1;
        let mut rows = [vec![0; words * height], vec![0; words * height]];
        for y in 0..height {
            for x in 0..width {
                if is_solid(Cell::new(x as i16, y as i16)) {
                    for (row, bit) in rows.iter_mut().zip([x, words * 64 - 1 - x]) {
                        row[y * words + bit / 64] |= 1 << (bit % 64);
                    }
                }
            }
        }
        Self {
            width,
            height,
            words,
            rows,
        }
    }

    /// What a cell on the map sees, up to `radius` columns and rows away.
    pub fn seen_from(&self, from: Cell, radius: usize) -> Seen {
        let size = self.words * (self.height + 1);
        let mut seen = [Sets::new(size), Sets::new(size)];
        for quadrant in 0..4 {
            let (west, north) = (quadrant & 1 == 1, quadrant & 2 == 2);
            Quadrant::new(self, from, west, north, radius).scan(&mut seen[usize::from(west)]);
        }
        let [mut east, west] = seen;
        for (sets, mirrored) in [
            (&mut east.cells, &west.cells),
            (&mut east.solids, &west.solids),
            (&mut east.corners, &west.corners),
        ] {
            for (row, mirrored) in sets.chunks_mut(self.words).zip(mirrored.chunks(self.words)) {
                for (word, mirrored) in row.iter_mut().zip(mirrored.iter().rev()) {
                    *word |= mirrored.reverse_bits();
                }
            }
        }
        Seen {
            words: self.words,
            cells: east.cells,
            solids: east.solids,
            corners: east.corners,
        }
    }
}

impl Seen {
    /// The size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
            + size_of_val(&self.solids[..])
            + size_of_val(&self.corners[..])
    }

    /// Whether a clear cell is visible.
    pub fn cell(&self, cell: Cell) -> bool {
        self.has(&self.cells, cell.x, cell.y)
    }

    /// Whether some line reaches a cell, clear or solid, without meeting a solid first.
    pub fn reaches(&self, cell: Cell) -> bool {
        self.cell(cell) || self.has(&self.solids, cell.x, cell.y)
    }

    /// Whether the north-west corner of a cell is visible.
    pub fn corner(&self, x: i16, y: i16) -> bool {
        self.has(&self.corners, x, y)
    }

    /// The north-west and south-east corner of the area of visible clear cells.
    pub fn bounds(&self) -> Option<(Cell, Cell)> {
        let rows = || {
            self.cells
                .chunks(self.words)
                .enumerate()
                .filter(|(_, row)| row.iter().any(|word| *word != 0))
        };
        let (top, bottom) = (rows().next()?.0, rows().next_back()?.0);
        let column = |word: usize| {
            self.cells[word..]
                .iter()
                .step_by(self.words)
                .fold(0, |all, row| all | row)
        };
        let columns: Vec<u64> = (0..self.words).map(column).collect();
        let left = columns.iter().position(|word| *word != 0)?;
        let right = columns.iter().rposition(|word| *word != 0)?;
        let west = left * 64 + columns[left].trailing_zeros() as usize;
        let east = right * 64 + 63 - columns[right].leading_zeros() as usize;
        Some((
            Cell::new(west as i16, top as i16),
            Cell::new(east as i16, bottom as i16),
        ))
    }

    fn has(&self, set: &[u64], x: i16, y: i16) -> bool {
        set[y as usize * self.words + x as usize / 64] >> (x % 64) & 1 == 1
    }
}

/// The sets of [`Seen`] while they are filled, mirrored or not.
struct Sets {
    cells: Vec<u64>,
    solids: Vec<u64>,
    corners: Vec<u64>,
}

impl Sets {
    fn new(size: usize) -> Self {
        Self {
            cells: vec![0; size],
            solids: vec![0; size],
            corners: vec![0; size],
        }
    }
}

/// A corner of cells, in columns and rows from the near corner of the source.
#[derive(Clone, Copy)]
struct Point {
    x: i32,
    y: i32,
}

/// Beyond any cell.
const FAR: i32 = 4096;

/// Positive if `point` lies to the left of the line from `a` to `b`, which is its steep side.
fn turn(a: Point, b: Point, point: Point) -> i32 {
    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
}

/// A set of lines that pass between the same solids.
#[derive(Clone, Copy)]
struct LineSet {
    /// The flattest line: it passes the first point on its left, then the second on its right.
    flat: [Point; 2],
    /// The steepest line: it passes the first point on its right, then the second on its left.
    steep: [Point; 2],
    /// The points to the right and left of all its lines, as heads of linked lists.
    lows: u32,
    highs: u32,
}

impl LineSet {
    /// The column, rounded down, in which the leftmost line reaches the near edge of a row.
    fn first_column(&self, y: i32) -> i32 {
        let [low, high] = self.steep;
        low.x + ((y - low.y) * (high.x - low.x)).div_euclid(high.y - low.y)
    }

    /// The last column that begins before the rightmost line reaches the edge at `y`.
    fn last_column(&self, y: i32) -> i32 {
        let [high, low] = self.flat;
        let rise = low.y - high.y;
        if rise <= 0 {
            return FAR;
        }
        high.x + ((y - high.y) * (low.x - high.x) - 1).div_euclid(rise)
    }
}

/// One quadrant of the map, mirrored to the south-east.
struct Quadrant<'a> {
    plan: &'a SolidPlan,
    rows: &'a [u64],
    /// The source's bit within a row.
    bit: i32,
    /// The source's row.
    row: i32,
    north: bool,
    west: bool,
    /// The number of columns and rows, including the source's own.
    columns: i32,
    height: i32,
    /// The points of all views, each with the index of the next in its list.
    points: Vec<(Point, u32)>,
}

const END: u32 = u32::MAX;

impl<'a> Quadrant<'a> {
    fn new(plan: &'a SolidPlan, from: Cell, west: bool, north: bool, radius: usize) -> Self {
        let (x, y) = (from.x as usize, from.y as usize);
        let reach = radius.saturating_add(1);
        let columns = if west { x + 1 } else { plan.width - x };
        let height = if north { y + 1 } else { plan.height - y };
        Self {
            plan,
            rows: &plan.rows[usize::from(west)],
            bit: if west { plan.words * 64 - 1 - x } else { x } as i32,
            row: y as i32,
            north,
            west,
            columns: columns.min(reach) as i32,
            height: height.min(reach) as i32,
            points: vec![(Point { x: 1, y: 0 }, END), (Point { x: 0, y: 1 }, END)],
        }
    }

    fn scan(mut self, seen: &mut Sets) {
        // Start with all lines through the source. Lines along its own row or column may leave
        // the quadrant slightly.
        let [low, high] = [self.points[0].0, self.points[1].0];
        let mut views = vec![LineSet {
            flat: [high, Point { x: FAR, y: 0 }],
            steep: [low, Point { x: 0, y: FAR }],
            lows: 0,
            highs: 1,
        }];
        let mut next = vec![];
        for y in 0..self.height {
            for view in views.drain(..) {
                self.scan_row(view, y, seen, &mut next);
            }
            if next.is_empty() {
                return;
            }
            std::mem::swap(&mut views, &mut next);
        }
    }

    /// Marks what a view sees in a row, and adds the parts that continue beyond it to `next`.
    fn scan_row(&mut self, mut view: LineSet, y: i32, seen: &mut Sets, next: &mut Vec<LineSet>) {
        let row = if self.north {
            self.row - y
        } else {
            self.row + y
        } as usize
            * self.plan.words;
        let corner_row = if self.north {
            self.row - y
        } else {
            self.row + y + 1
        } as usize
            * self.plan.words;
        // A corner has the bit of the cell to its east.
        let corner_bit = self.bit - i32::from(self.west);
        let last = view.last_column(y + 1);
        let mut first = view.first_column(y);
        loop {
            if first > self.columns {
                return;
            }
            let end = last.min(self.columns - 1);
            let wall = self.next_solid(row, first, end);
            mark(
                &mut seen.cells,
                row,
                self.bit + first,
                self.bit + wall.unwrap_or(end + 1) - 1,
            );
            let exit = view.first_column(y + 1);
            let last_corner = last.min(wall.unwrap_or(self.columns));
            mark(
                &mut seen.corners,
                corner_row,
                corner_bit + exit + 1,
                corner_bit + last_corner,
            );
            let Some(wall) = wall else {
                next.push(view);
                return;
            };
            mark(&mut seen.solids, row, self.bit + wall, self.bit + wall);
            // Lines that leave the row before the wall pass its near corner.
            let near = Point { x: wall, y: y + 1 };
            let [low, high] = view.steep;
            if turn(low, high, near) < 0 {
                next.push(self.left_of(view, near));
            }
            // Lines that enter the row behind the wall pass its far corner. A line along the
            // row's edge can touch the wall first and the point to its right later: then lines
            // next to it pass between the two.
            let far = Point { x: wall + 1, y };
            let [high, low] = view.flat;
            let above = turn(high, low, far);
            if above < 0 || above == 0 && far.x >= low.x {
                return;
            }
            view = self.right_of(view, far);
            first = wall + 1;
        }
    }

    /// The lines of a view that have a point to their right.
    fn left_of(&mut self, view: LineSet, point: Point) -> LineSet {
        let mut high = view.flat[0];
        for other in self.list(view.highs) {
            if turn(high, point, other) < 0 {
                high = other;
            }
        }
        self.points.push((point, view.lows));
        LineSet {
            flat: [high, point],
            lows: self.points.len() as u32 - 1,
            ..view
        }
    }

    /// The lines of a view that have a point to their left.
    fn right_of(&mut self, view: LineSet, point: Point) -> LineSet {
        let mut low = view.steep[0];
        for other in self.list(view.lows) {
            if turn(low, point, other) > 0 {
                low = other;
            }
        }
        self.points.push((point, view.highs));
        LineSet {
            steep: [low, point],
            highs: self.points.len() as u32 - 1,
            ..view
        }
    }

    fn list(&self, head: u32) -> impl Iterator<Item = Point> + '_ {
        let node = |at: u32| self.points.get(at as usize);
        std::iter::successors(node(head), move |(_, next)| node(*next)).map(|(point, _)| *point)
    }

    /// The first solid column of a row between two columns, both included.
    fn next_solid(&self, row: usize, first: i32, last: i32) -> Option<i32> {
        if first > last {
            return None;
        }
        let (from, to) = ((self.bit + first) as usize, (self.bit + last) as usize);
        let mut word = self.rows[row + from / 64] & u64::MAX << (from % 64);
        let mut index = from / 64;
        while word == 0 {
            index += 1;
            if index > to / 64 {
                return None;
            }
            word = self.rows[row + index];
        }
        let bit = (index * 64) as i32 + word.trailing_zeros() as i32;
        (bit <= to as i32).then_some(bit - self.bit)
    }
}

/// Sets a range of bits of a row, both ends included.
fn mark(set: &mut [u64], row: usize, from: i32, to: i32) {
    if from > to {
        return;
    }
    let (from, to) = (from as usize, to as usize);
    let (first, last) = (from / 64, to / 64);
    let low = u64::MAX << (from % 64);
    let high = u64::MAX >> (63 - to % 64);
    if first == last {
        set[row + first] |= low & high;
        return;
    }
    set[row + first] |= low;
    set[row + first + 1..row + last].fill(u64::MAX);
    set[row + last] |= high;
}
