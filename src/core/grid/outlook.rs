//! What is seen from each place, worked out one source at a time and
//! remembered.
//!
//! Most pairs are settled in plan: a cell that is solid all the way up past
//! both bodies stops every line, and one that holds nothing as high as the
//! lower of them stops none. So one pass over the map with only the former as
//! walls says what can be seen at most, and one with all but the latter what is
//! seen at least. Where the two differ, and only there, the pair is worked out
//! in three dimensions, when somebody asks.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
};

use super::{
    Board, Cell, Sight, Space, cells_apart,
    memo::SIZES,
    plan::{Plan, Seen},
    solid::CELL,
};

/// Bytes of rows to remember, at most.
const LIMIT: usize = 1 << 27;
/// Single pairs to remember, at most, in this many parts: several threads ask.
const PAIRS: usize = 1 << 22;
const SHARDS: usize = 16;

/// All that is known of sight on a board whose doors stay as they are.
#[derive(Debug, Default)]
pub(super) struct Outlook {
    /// By the lower and the upper end of what counts, in units.
    screens: Mutex<HashMap<[i32; 2], Arc<Screens>>>,
    /// By the sizes of source and target, then by the source's cell.
    rows: [[OnceLock<Rows>; SIZES]; SIZES],
    bytes: AtomicUsize,
    /// Where there is no room for another row, single pairs.
    pairs: Pairs<Sight>,
    /// How much of a target cover hides from a source, in percent.
    shares: Pairs<u8>,
    /// The lowest and the highest place to stand, in units.
    heights: OnceLock<[i32; 2]>,
}

/// What is known of single pairs of source and target.
#[derive(Debug)]
struct Pairs<T>([Mutex<HashMap<[Space; 2], T>>; SHARDS]);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<T: Copy> Pairs<T> {
    fn get(&self, a: Space, b: Space, work_out: impl FnOnce() -> T) -> T {
        let shard = (usize::from(a.at.x as u16) + 7 * usize::from(a.at.y as u16)) % SHARDS;
        let known = || self.0[shard].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&[a, b]) {
            return *found;
        }
        let fresh = work_out();
        let mut pairs = known();
        if pairs.len() >= PAIRS / SHARDS {
            pairs.clear();
        }
        pairs.insert([a, b], fresh);
        fresh
    }
}

type Rows = Box<[OnceLock<Option<Box<Row>>>]>;

/// The cells that matter between two heights.
#[derive(Debug)]
struct Screens {
    /// Solid all the way.
    opaque: Plan,
    /// Not clear all the way; left out where that is the same.
    hindering: Option<Plan>,
}

/// What is seen from one source of bodies of one size. Each target is settled
/// when somebody asks for it: on a large map nobody asks for most of them.
#[derive(Debug)]
pub(super) struct Row {
    from: Space,
    /// The source's lower and upper end, in units.
    ends: [i32; 2],
    /// The part of the map of which anything can be seen.
    corner: Cell,
    width: usize,
    radius: usize,
    /// What stops lines between any two bodies of these sizes at all; then, by
    /// the heights that count, what others have asked for.
    widest: Level,
    others: Mutex<Vec<Arc<Level>>>,
    marks: Box<[AtomicU8]>,
}

/// Nobody has asked.
const UNKNOWN: u8 = 0;
const NOT_SEEN: u8 = 1;
/// Line of sight with no corner seen; each corner adds one.
const SEEN: u8 = 2;

fn mark(sight: Sight) -> u8 {
    if sight.los {
        SEEN + sight.corners
    } else {
        NOT_SEEN
    }
}

fn sight(mark: u8) -> Sight {
    match mark {
        NOT_SEEN => Sight::NONE,
        _ => Sight::seen(mark - SEEN),
    }
}

impl Board {
    /// What `a` sees of `b`: line of sight, and the cover of `b` from `a`.
    ///
    /// What is worked out is remembered for this board and all its clones,
    /// until its ground changes; opening and closing doors comes back to what
    /// was known before.
    #[inline]
    pub fn sight(&self, a: Space, b: Space) -> Sight {
        self.gaze(a, b.size).at(b)
    }

    /// The same for those who ask what `a` sees of many bodies of one size.
    #[inline]
    pub fn gaze(&self, a: Space, size: u8) -> Gaze<'_> {
        let row = match self.forgets() {
            true => None,
            false => self.outlook().row(self, a, size),
        };
        Gaze {
            board: self,
            from: a,
            row,
        }
    }

    /// How much of a target is behind cover, in percent: the share of 5 by 5
    /// by 5 points spread evenly over its cube that the centre of the attacker
    /// does not see (PH-27). 100 off the map. Remembered as sight is.
    pub fn unseen_share(&self, a: Space, b: Space) -> u8 {
        let work_out = || self.unseen_share_uncached(a, b);
        match self.forgets() {
            true => work_out(),
            false => self.outlook().shares.get(a, b, work_out),
        }
    }

    /// The cells up to a number of columns and rows away in which `a` sees a
    /// body of ordinary size, row by row. Worked out afresh, in one pass.
    pub fn field_of_view(&self, a: Space, radius: u16) -> Vec<Cell> {
        self.survey(a, radius)
            .into_iter()
            .map(|(cell, _)| cell)
            .collect()
    }

    /// What `a` sees of a body of ordinary size in every cell up to a number
    /// of columns and rows away, row by row; cells that are not seen are left
    /// out. Worked out afresh, in one pass.
    pub fn survey(&self, a: Space, radius: u16) -> Vec<(Cell, Sight)> {
        let Some(row) = Row::new(self, a, 1, radius.into()) else {
            return vec![];
        };
        let seen = (0..row.marks.len()).map(|index| {
            let cell = row.cell(index);
            (cell, row.look(self, cell.into()))
        });
        seen.filter(|(_, sight)| sight.los).collect()
    }
}

/// What one body sees, from [`Board::gaze`].
#[derive(Clone, Copy)]
pub struct Gaze<'a> {
    board: &'a Board,
    from: Space,
    /// Where it is remembered.
    row: Option<&'a Row>,
}

impl Gaze<'_> {
    /// What it sees of a body of the size that was asked for.
    #[inline]
    pub fn at(&self, target: Space) -> Sight {
        let Some(row) = self.row else {
            return self.apart(target);
        };
        let Some(known) = row.mark(target.at) else {
            return Sight::NONE;
        };
        match known.load(Ordering::Relaxed) {
            UNKNOWN => {
                let sight = row.look(self.board, target);
                known.store(mark(sight), Ordering::Relaxed);
                sight
            }
            mark => sight(mark),
        }
    }

    /// Where no row is remembered.
    #[cold]
    fn apart(&self, target: Space) -> Sight {
        let work_out = || self.board.sight_uncached(self.from, target);
        match self.board.forgets() {
            true => work_out(),
            false => (self.board.outlook().pairs).get(self.from, target, work_out),
        }
    }
}

impl Outlook {
    /// The row of a source, if it is to be remembered.
    #[inline]
    fn row(&self, board: &Board, a: Space, size: u8) -> Option<&Row> {
        let source = board.index(a.at)?;
        let sizes = [a.size, size].map(|size| usize::from(size.max(1)) - 1);
        let rows = self.rows.get(sizes[0])?.get(sizes[1])?.get_or_init(|| {
            let cells = usize::from(board.width()) * usize::from(board.height());
            (0..cells).map(|_| OnceLock::new()).collect()
        });
        let row = rows[source].get_or_init(|| {
            if self.bytes.load(Ordering::Relaxed) > LIMIT {
                return None;
            }
            let row = Row::new(board, a, size, usize::from(Board::MAX_SIDE))?;
            self.bytes.fetch_add(row.bytes(), Ordering::Relaxed);
            Some(Box::new(row))
        });
        row.as_deref()
    }

    fn heights(&self, board: &Board) -> [i32; 2] {
        *self.heights.get_or_init(|| {
            let stands = || {
                board
                    .cells()
                    .filter_map(|cell| board.spot(cell))
                    .map(|spot| spot.stand)
            };
            [stands().min().unwrap_or(0), stands().max().unwrap_or(0)]
        })
    }

    fn screens(&self, board: &Board, heights: [i32; 2]) -> Arc<Screens> {
        let mut known = self.screens.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry(heights)
            .or_insert_with(|| Arc::new(Screens::new(board, heights)))
            .clone()
    }
}

impl Screens {
    fn new(board: &Board, [low, high]: [i32; 2]) -> Self {
        let plan =
            |is_solid: &dyn Fn(Cell) -> bool| Plan::new(board.width(), board.height(), is_solid);
        let opaque = plan(&|cell| board.spot(cell).is_some_and(|spot| spot.rise >= high));
        let hindering = plan(&|cell| !board.is_free(cell.into(), low, high));
        Self {
            hindering: (hindering != opaque).then_some(hindering),
            opaque,
        }
    }
}

/// What is seen in plan from all cells of a source, taken together.
#[derive(Debug)]
struct View(Vec<Seen>);

impl View {
    fn new(plan: &Plan, from: Space, radius: usize) -> Self {
        Self(
            from.cells()
                .map(|cell| plan.seen_from(cell, radius))
                .collect(),
        )
    }

    fn any(&self, test: impl Fn(&Seen) -> bool) -> bool {
        self.0.iter().any(test)
    }

    /// The north-west and south-east ends of what is seen, the source included.
    fn bounds(&self, from: Space) -> (Cell, Cell) {
        let last = from.at.offset(from.side() - 1, from.side() - 1);
        let all = self.0.iter().filter_map(Seen::bounds);
        all.fold((from.at, last), |(low, high), (near, far)| {
            (
                Cell::new(low.x.min(near.x), low.y.min(near.y)),
                Cell::new(high.x.max(far.x), high.y.max(far.y)),
            )
        })
    }

    /// How many corners of a target are seen: each from above counts twice.
    fn corners(&self, target: Space) -> u8 {
        let side = target.side();
        let corners = [(0, 0), (side, 0), (0, side), (side, side)];
        let seen = corners
            .into_iter()
            .filter(|(dx, dy)| self.any(|seen| seen.corner(target.at.x + dx, target.at.y + dy)));
        2 * seen.count() as u8
    }
}

/// What is seen in plan between two heights.
#[derive(Debug)]
struct Level {
    heights: [i32; 2],
    most: View,
    /// Left out where it is the same.
    least: Option<View>,
}

impl Level {
    fn new(board: &Board, heights: [i32; 2], a: Space, radius: usize) -> Self {
        let screens = board.outlook().screens(board, heights);
        let least = screens
            .hindering
            .as_ref()
            .map(|plan| View::new(plan, a, radius));
        Self {
            heights,
            most: View::new(&screens.opaque, a, radius),
            least,
        }
    }

    /// At most some of a target is seen.
    fn shows(&self, target: Space) -> bool {
        let shows = |seen: &Seen| target.cells().any(|cell| seen.cell(cell));
        self.most.any(shows)
    }

    /// What is settled in plan of a target that is seen at most; none if that
    /// is not enough.
    ///
    /// Lines that reach the target past nothing that hinders can be led as one
    /// likes up and down over the cells between, so what stands in the cells
    /// of the two themselves, above or below their cubes, does not matter:
    /// unless they touch, for then there may be nothing between.
    fn settles(&self, board: &Board, a: Space, target: Space) -> Option<Sight> {
        let corners = self.most.corners(target);
        let is_settled = self.least.as_ref().is_none_or(|least| {
            let [low, high] = self.heights;
            least.any(|seen| target.cells().any(|cell| seen.reaches(cell)))
                && least.corners(target) == corners
                && (cells_apart(a, target) > 1
                    || [a, target].iter().all(|at| board.is_free(*at, low, high)))
        });
        is_settled.then(|| Sight::seen(corners))
    }
}

impl Row {
    /// What `a` sees of a body of some size in every cell; none where `a`
    /// itself cannot stand.
    fn new(board: &Board, a: Space, size: u8, radius: usize) -> Option<Self> {
        let cube = board.cube(a).filter(|_| board.can_stand(a))?;
        let [lowest, highest] = board.outlook().heights(board);
        let tallest = CELL * i32::from(a.side().max(Space::new(a.at, size).side()));
        let widest = Level::new(board, [lowest, highest + tallest], a, radius);
        let (corner, last) = widest.most.bounds(a);
        // A target may begin outside and yet reach into what is seen.
        let reach = Space::new(corner, size).side() - 1;
        let corner = Cell::new((corner.x - reach).max(0), (corner.y - reach).max(0));
        let (width, height) = (
            (last.x - corner.x + 1) as usize,
            (last.y - corner.y + 1) as usize,
        );
        Some(Self {
            from: a,
            ends: [cube.min[2], cube.max[2]],
            corner,
            width,
            radius,
            widest,
            others: Mutex::default(),
            marks: (0..width * height)
                .map(|_| AtomicU8::new(UNKNOWN))
                .collect(),
        })
    }

    /// What it sees of a target in its part of the map.
    fn look(&self, board: &Board, target: Space) -> Sight {
        let in_plan = self.in_plan(board, target);
        in_plan.unwrap_or_else(|| board.sight_uncached(self.from, target))
    }

    /// As far as plan alone settles it.
    fn in_plan(&self, board: &Board, target: Space) -> Option<Sight> {
        if self.from.overlaps(target) {
            return None;
        }
        let Some(other) = (board.cube(target)).filter(|_| self.widest.shows(target)) else {
            return Some(Sight::NONE);
        };
        let [low, high] = self.ends;
        let heights = [low.min(other.min[2]), high.max(other.max[2])];
        let between;
        let level = if self.widest.heights == heights {
            &self.widest
        } else {
            between = self.between(board, heights);
            &*between
        };
        if !level.shows(target) {
            Some(Sight::NONE)
        } else if board.can_stand(target) {
            level.settles(board, self.from, target)
        } else {
            None
        }
    }

    fn between(&self, board: &Board, heights: [i32; 2]) -> Arc<Level> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.iter().find(|level| level.heights == heights) {
            return known.clone();
        }
        let level = Arc::new(Level::new(board, heights, self.from, self.radius));
        others.push(level.clone());
        level
    }

    /// About what it takes in memory, more heights aside.
    fn bytes(&self) -> usize {
        let views = [Some(&self.widest.most), self.widest.least.as_ref()];
        let seen = views.into_iter().flatten().flat_map(|view| &view.0);
        self.marks.len() + seen.map(Seen::bytes).sum::<usize>()
    }

    #[inline]
    fn mark(&self, cell: Cell) -> Option<&AtomicU8> {
        // What lies before the corner comes out larger than any map.
        let from = |at: i16, first: i16| (i32::from(at) - i32::from(first)) as u32 as usize;
        let (x, y) = (from(cell.x, self.corner.x), from(cell.y, self.corner.y));
        (x < self.width).then(|| self.marks.get(y * self.width + x))?
    }

    fn cell(&self, index: usize) -> Cell {
        self.corner
            .offset((index % self.width) as i16, (index / self.width) as i16)
    }
}
