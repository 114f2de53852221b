//! A cache of lines of sight, computed per source cell.
//!
//! Most pairs of bodies can be decided in plan view, from above. A cell that is solid up past
//! both bodies stops every line, and a cell without anything as high as the lower body stops
//! none. One pass over the map with only the former as walls gives the most that can be seen; one
//! with all cells except the latter as walls gives the least. Only where the two differ is the
//! pair computed in three dimensions, when it is needed.

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
    plan::{Seen, SolidPlan},
    range::SearchArea,
    solid::CELL,
};

/// The maximum size of all cached rows, in bytes.
const LIMIT: usize = 1 << 27;
/// The maximum number of cached single pairs. Several threads use the cache, so it is split into
/// this many shards.
const PAIRS: usize = 1 << 22;
const SHARDS: usize = 16;

/// The cached sight on a board, for one state of its doors.
#[derive(Debug, Default)]
pub(super) struct SightCache {
    /// The screens, by the lower and upper limit of the relevant heights, in units.
    screens: Mutex<HashMap<[i32; 2], Arc<Screens>>>,
    /// The cached rows, by the sizes of source and target, then by the source's cell.
    rows: [[OnceLock<Rows>; SIZES]; SIZES],
    bytes: AtomicUsize,
    /// Single pairs, once there is no room for more rows.
    pairs: Pairs<Sight>,
    /// How much of a target cover hides from a source, in percent.
    shares: Pairs<u8>,
    /// The lowest and highest height at which a body can stand, in units.
    heights: OnceLock<[i32; 2]>,
}

/// Cached values for single pairs of source and target.
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

type Rows = Box<[OnceLock<Option<Box<SightRow>>>]>;

/// The cells that block sight between two heights.
#[derive(Debug)]
struct Screens {
    /// Cells that are solid over the whole height.
    opaque: SolidPlan,
    /// Cells that are not entirely clear. `None` if these are the same cells.
    hindering: Option<SolidPlan>,
}

/// What one source sees of bodies of one size. Each target is computed when it is first needed,
/// because most never are on a large map.
#[derive(Debug)]
pub(super) struct SightRow {
    from: Space,
    /// The source's lower and upper end, in units.
    ends: [i32; 2],
    /// The part of the map in which anything can be seen.
    part: SearchArea,
    radius: usize,
    /// The sight between the lowest and highest heights of any two bodies of these sizes.
    /// `others` holds the height ranges that were needed for single targets.
    widest: Level,
    others: Mutex<Vec<Arc<Level>>>,
    marks: Box<[AtomicU8]>,
}

/// Not computed yet.
const UNKNOWN: u8 = 0;
const NOT_SEEN: u8 = 1;
/// Line of sight without visible corners. Each visible corner adds one.
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
    /// The result is cached for this board and all its clones until its ground changes. A door
    /// that returns to an earlier state returns to its cached results.
    #[inline]
    pub fn sight(&self, a: Space, b: Space) -> Sight {
        self.sight_from(a, b.size).at(b)
    }

    /// What `a` sees of bodies of one size, to check many targets.
    #[inline]
    pub fn sight_from(&self, a: Space, size: u8) -> SightFrom<'_> {
        let row = match self.forgets() {
            true => None,
            false => self.sight_cache().row(self, a, size),
        };
        SightFrom {
            board: self,
            from: a,
            row,
        }
    }

    /// How much of a target is behind cover, in percent: the share of 5 by 5 by 5 points spread
    /// evenly over its cube that the attacker's centre does not see (PH-27). 100 off the map.
    /// Cached like [`sight`](Self::sight).
    pub fn unseen_share(&self, a: Space, b: Space) -> u8 {
        let work_out = || self.unseen_share_uncached(a, b);
        match self.forgets() {
            true => work_out(),
            false => self.sight_cache().shares.get(a, b, work_out),
        }
    }

    /// What `a` sees of a body of ordinary size in every cell up to `radius` columns and rows
    /// away, row by row. Leaves out cells without line of sight. Not cached; computed in one
    /// pass.
    pub fn survey(&self, a: Space, radius: u16) -> Vec<(Cell, Sight)> {
        let Some(row) = SightRow::new(self, a, 1, radius.into()) else {
            return vec![];
        };
        let seen = (0..row.marks.len()).map(|index| {
            let cell = row.part.cell(index);
            (cell, row.sight_of(self, cell.into()))
        });
        seen.filter(|(_, sight)| sight.los).collect()
    }
}

/// What one body sees, from [`Board::sight_from`].
#[derive(Clone, Copy)]
pub struct SightFrom<'a> {
    board: &'a Board,
    from: Space,
    /// The cached row, if there is one.
    row: Option<&'a SightRow>,
}

impl SightFrom<'_> {
    /// What the source sees of a target, whose size must be that given to [`Board::sight_from`].
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
                let sight = row.sight_of(self.board, target);
                known.store(mark(sight), Ordering::Relaxed);
                sight
            }
            mark => sight(mark),
        }
    }

    /// The sight of a single pair, for a source without a cached row.
    #[cold]
    fn apart(&self, target: Space) -> Sight {
        let work_out = || self.board.sight_uncached(self.from, target);
        match self.board.forgets() {
            true => work_out(),
            false => (self.board.sight_cache().pairs).get(self.from, target, work_out),
        }
    }
}

impl SightCache {
    /// The row of a source. `None` if the cache is full or the source is too large or off the
    /// map.
    #[inline]
    fn row(&self, board: &Board, a: Space, size: u8) -> Option<&SightRow> {
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
            let row = SightRow::new(board, a, size, usize::from(Board::MAX_SIDE))?;
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
                    .filter_map(|cell| board.cell_data(cell))
                    .map(|data| data.stand)
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
        let plan = |is_solid: &dyn Fn(Cell) -> bool| {
            SolidPlan::new(board.width(), board.height(), is_solid)
        };
        let opaque = plan(&|cell| board.cell_data(cell).is_some_and(|data| data.rise >= high));
        let hindering = plan(&|cell| !board.is_free(cell.into(), low, high));
        Self {
            hindering: (hindering != opaque).then_some(hindering),
            opaque,
        }
    }
}

/// What all cells of a source see together, in plan view.
#[derive(Debug)]
struct SeenCells(Vec<Seen>);

impl SeenCells {
    fn new(plan: &SolidPlan, from: Space, radius: usize) -> Self {
        Self(
            from.cells()
                .map(|cell| plan.seen_from(cell, radius))
                .collect(),
        )
    }

    fn any(&self, test: impl Fn(&Seen) -> bool) -> bool {
        self.0.iter().any(test)
    }

    /// The north-west and south-east corner of the visible cells and the source.
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

    /// How many corners of a target's cube are visible. Each corner in plan view counts for two.
    fn corners(&self, target: Space) -> u8 {
        let side = target.side();
        let corners = [(0, 0), (side, 0), (0, side), (side, side)];
        let seen = corners
            .into_iter()
            .filter(|(dx, dy)| self.any(|seen| seen.corner(target.at.x + dx, target.at.y + dy)));
        2 * seen.count() as u8
    }
}

/// What is visible in plan view between two heights.
#[derive(Debug)]
struct Level {
    heights: [i32; 2],
    most: SeenCells,
    /// `None` if it equals `most`.
    least: Option<SeenCells>,
}

impl Level {
    fn new(board: &Board, heights: [i32; 2], a: Space, radius: usize) -> Self {
        let screens = board.sight_cache().screens(board, heights);
        let least = screens
            .hindering
            .as_ref()
            .map(|plan| SeenCells::new(plan, a, radius));
        Self {
            heights,
            most: SeenCells::new(&screens.opaque, a, radius),
            least,
        }
    }

    /// Whether the target can be visible at all.
    fn shows(&self, target: Space) -> bool {
        let shows = |seen: &Seen| target.cells().any(|cell| seen.cell(cell));
        self.most.any(shows)
    }

    /// The sight of a target that can be visible, if plan view decides it. `None` if it does not.
    ///
    /// A line that reaches the target past no obstacle can be moved up and down freely over the
    /// cells in between. Solids in the cells of the two bodies themselves, above or below their
    /// cubes, therefore do not matter, unless the bodies touch: then there may be no cell in
    /// between.
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

impl SightRow {
    /// What `a` sees of bodies of one size in every cell. `None` if `a` cannot stand where it is.
    fn new(board: &Board, a: Space, size: u8, radius: usize) -> Option<Self> {
        let cube = board.cube(a).filter(|_| board.can_stand(a))?;
        let [lowest, highest] = board.sight_cache().heights(board);
        let tallest = CELL * i32::from(a.side().max(Space::new(a.at, size).side()));
        let widest = Level::new(board, [lowest, highest + tallest], a, radius);
        let (corner, last) = widest.most.bounds(a);
        // A target can begin outside the visible part and still overlap it.
        let reach = Space::new(corner, size).side() - 1;
        let corner = Cell::new((corner.x - reach).max(0), (corner.y - reach).max(0));
        let part = SearchArea {
            corner,
            width: (last.x - corner.x + 1) as usize,
            height: (last.y - corner.y + 1) as usize,
        };
        Some(Self {
            from: a,
            ends: [cube.min[2], cube.max[2]],
            marks: (0..part.cells()).map(|_| AtomicU8::new(UNKNOWN)).collect(),
            part,
            radius,
            widest,
            others: Mutex::default(),
        })
    }

    /// The sight of a target in the row's part of the map.
    fn sight_of(&self, board: &Board, target: Space) -> Sight {
        let in_plan = self.in_plan(board, target);
        in_plan.unwrap_or_else(|| board.sight_uncached(self.from, target))
    }

    /// The sight of a target, if plan view decides it.
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

    /// The approximate size in memory, without `others`.
    fn bytes(&self) -> usize {
        let views = [Some(&self.widest.most), self.widest.least.as_ref()];
        let seen = views.into_iter().flatten().flat_map(|view| &view.0);
        self.marks.len() + seen.map(Seen::bytes).sum::<usize>()
    }

    #[inline]
    fn mark(&self, cell: Cell) -> Option<&AtomicU8> {
        self.part.index(cell).map(|index| &self.marks[index])
    }
}
