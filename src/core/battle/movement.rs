//! Movement for all rulesets: which units block a path, and whose reach a step leaves.

use super::{DiceBox, EventKind, Id, Roll, StepOutcome, View};
use crate::grid::{Board, Cell, Occupant, Provokes, Space, StepRules};
use std::{cell::OnceCell, collections::BTreeSet, sync::Arc};

/// The board as one moving unit sees it: which cells are taken, and which are in an enemy's
/// reach. Built once for a search and read at each of its steps.
#[derive(Clone)]
pub struct Occupancy {
    width: u16,
    occupants: Vec<Occupant>,
    /// For each enemy that attacks units leaving its reach, its bit and the cells of its reach.
    reaches: Vec<(u64, Arc<[Cell]>)>,
    /// For each cell, the enemies that reach it, as a bit set. Filled in when many cells are
    /// needed.
    threats: OnceCell<Vec<u64>>,
    /// The north-west and south-east corner of the area with all cells in a reach.
    threatened: Option<[Cell; 2]>,
    size: u8,
    /// Feet of the unit's whole move. No step costs more (GR-32).
    whole_move: u16,
    /// The factor on the cost of each step.
    slow: u8,
    /// Whether enemies attack units that enter their reach, not units that leave it.
    on_entry: bool,
    /// For each cell, whether it stays blocked whatever stands there. Empty if none does.
    barred: Vec<bool>,
}

impl PartialEq for Occupancy {
    fn eq(&self, other: &Self) -> bool {
        // The other fields follow from these or change no search.
        self.size == other.size
            && self.whole_move == other.whole_move
            && self.slow == other.slow
            && self.on_entry == other.on_entry
            && self.width == other.width
            && self.reaches == other.reaches
            && self.occupants == other.occupants
    }
}

impl Occupancy {
    /// Fills in which enemies reach each cell, for a search.
    pub(super) fn threats_by_cell(&self) -> &[u64] {
        self.threats.get_or_init(|| {
            let mut threats = vec![0; self.occupants.len()];
            for (enemy, cells) in &self.reaches {
                for n in cells.iter().filter_map(|&cell| self.index(cell)) {
                    threats[n] |= enemy;
                }
            }
            threats
        })
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (u16::try_from(cell.x).ok()?, u16::try_from(cell.y).ok()?);
        (x < self.width).then(|| usize::from(y) * usize::from(self.width) + usize::from(x))
    }

    pub fn occupant(&self, cell: Cell) -> Occupant {
        let known = self.index(cell).and_then(|n| self.occupants.get(n));
        known.copied().unwrap_or(Occupant::Nobody)
    }

    /// Places a unit on the map.
    pub fn put(&mut self, space: Space, occupant: Occupant) {
        for cell in space.cells() {
            if let Some(n) = self.index(cell)
                && self.barred.get(n) != Some(&true)
            {
                self.occupants[n] = occupant;
            }
        }
    }

    /// Feet of the unit's whole move.
    pub fn whole_move(&self) -> u16 {
        self.whole_move
    }

    /// The same for a unit whose whole move is not its speed.
    pub fn with_whole_move(self, feet: u16) -> Self {
        Self {
            whole_move: feet,
            ..self
        }
    }

    /// The same with this factor on the cost of each step.
    pub fn slowed(self, slow: u8) -> Self {
        Self { slow, ..self }
    }

    /// The same where enemies attack units that enter their reach, not units that leave it.
    pub fn provoking_on_entry(self) -> Self {
        Self {
            on_entry: true,
            ..self
        }
    }

    /// A copy in which enemies can be passed like allies.
    fn with_enemies_passable(&self) -> Self {
        let mut past = self.clone();
        for occupant in &mut past.occupants {
            *occupant = (*occupant).min(Occupant::Ally);
        }
        past
    }

    /// The enemies that reach the moving unit when it stands at `at`, as a bit set.
    pub fn threats(&self, at: Cell) -> u64 {
        if self.reaches.is_empty() {
            return 0;
        }
        let bits = |cell| match self.threats.get() {
            Some(threats) => {
                let known = self.index(cell).and_then(|n| threats.get(n));
                known.copied().unwrap_or(0)
            }
            None => {
                let holds = |reach: &&(u64, Arc<[Cell]>)| reach.1.contains(&cell);
                let all = self.reaches.iter().filter(holds);
                all.fold(0, |set, (enemy, _)| set | enemy)
            }
        };
        if self.size == 1 {
            return bits(at);
        }
        let cells = Space::new(at, self.size).cells();
        cells.map(bits).fold(0, |set, bits| set | bits)
    }

    /// A copy that blocks all cells in the reach of an enemy, except the enemies of a bit set.
    pub fn clear_of_threats(&self, except: u64) -> Self {
        let mut clear = self.clone();
        for (n, threats) in self.threats_by_cell().iter().enumerate() {
            if threats & !except != 0 {
                clear.occupants[n] = Occupant::Foe;
            }
        }
        clear
    }

    /// The corners of the area of threatened cells that the unit can get to in `steps` steps.
    /// `None` if there are none.
    pub(super) fn threatened_near(&self, from: Cell, steps: u16) -> Option<[Cell; 2]> {
        let [low, high] = self.threatened?;
        let far = steps.min(Board::MAX_SIDE) as i16;
        let side = i16::from(self.size.max(1));
        let rows = low.y.max(from.y - far)..=high.y.min(from.y + far + side - 1);
        let columns = low.x.max(from.x - far)..=high.x.min(from.x + far + side - 1);
        let is_near = |cell: &&Cell| columns.contains(&cell.x) && rows.contains(&cell.y);
        let cells = self.reaches.iter().flat_map(|(_, cells)| cells.iter());
        let mut within = None;
        let near = cells.filter(is_near);
        near.for_each(|&cell| widen(&mut within, cell));
        within
    }

    /// Blocks the cells for which `is_blocked` holds, whatever stands there.
    pub fn without(mut self, is_blocked: impl Fn(Cell) -> bool) -> Self {
        let width = usize::from(self.width);
        self.barred = vec![false; self.occupants.len()];
        for (n, occupant) in self.occupants.iter_mut().enumerate() {
            if is_blocked(Cell::new((n % width) as i16, (n / width) as i16)) {
                (*occupant, self.barred[n]) = (Occupant::Foe, true);
            }
        }
        self
    }

    /// The cells in an enemy's reach.
    pub fn threatened(&self) -> impl Iterator<Item = Cell> {
        let width = usize::from(self.width);
        let threats = self.threats_by_cell().iter().enumerate();
        let in_reach = threats.filter(|t| *t.1 != 0);
        in_reach.map(move |(n, _)| Cell::new((n % width) as i16, (n / width) as i16))
    }

    /// The units that a move provokes, where `by` gives those of each step. `None` if no cell is
    /// in a reach.
    pub fn provokes<'a>(&self, by: &'a dyn Fn(Cell, Cell) -> u64) -> Option<Provokes<'a>> {
        self.threatened.map(|within| Provokes { by, within })
    }

    /// The enemies whose reach a step leaves, as a bit set.
    pub fn left(&self, from: Cell, to: Cell) -> u64 {
        match self.threats(from) {
            0 => 0,
            here => here & !self.threats(to),
        }
    }
}

/// Extends an area, given by its corners, to include a cell.
fn widen(part: &mut Option<[Cell; 2]>, cell: Cell) {
    let [low, high] = part.get_or_insert([cell; 2]);
    *low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
    *high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
}

impl View<'_, '_> {
    /// The occupancy for moves of `who`, whose speed counts as its whole move. Movement while prone
    /// costs double. `reach` gives each enemy's reach in feet, or `None` if units can leave it
    /// freely.
    pub fn occupancy(&self, who: Id, reach: impl Fn(Id) -> Option<u16>) -> Occupancy {
        let (width, height) = (self.board.width(), self.board.height());
        let cells = usize::from(width) * usize::from(height);
        let mine = self.body(who);
        let mut occupancy = Occupancy {
            width,
            occupants: vec![Occupant::Nobody; cells],
            reaches: vec![],
            threats: OnceCell::new(),
            threatened: None,
            size: mine.size,
            whole_move: self.speed(who),
            slow: if mine.prone { 2 } else { 1 },
            on_entry: false,
            barred: vec![],
        };
        for id in self.ids().filter(|&id| id != who) {
            let body = self.body(id);
            if !body.is_up() {
                continue;
            }
            let is_enemy = body.side != mine.side;
            let occupant = match is_enemy {
                true => Occupant::Foe,
                false => Occupant::Ally,
            };
            occupancy.put(body.space(), occupant);
            if is_enemy && let Some(feet) = reach(id) {
                let cells = self.board.reach(body.space(), feet);
                let inside = cells.iter();
                inside.for_each(|&cell| widen(&mut occupancy.threatened, cell));
                occupancy.reaches.push((id.bit(), cells));
            }
        }
        occupancy
    }

    /// Runs `run` with the step rules of `who`.
    pub fn walk<T>(&self, who: Id, occupancy: &Occupancy, run: impl FnOnce(&StepRules) -> T) -> T {
        self.walk_on(&self.board, who, occupancy, run)
    }

    /// Like [`walk`](Self::walk), but on another board, for example with all doors open.
    pub fn walk_on<T>(
        &self,
        board: &Board,
        who: Id,
        occupancy: &Occupancy,
        run: impl FnOnce(&StepRules) -> T,
    ) -> T {
        let body = self.body(who);
        let provoked = |from, to| match occupancy.on_entry {
            true => occupancy.left(to, from),
            false => occupancy.left(from, to),
        };
        run(&StepRules {
            board,
            size: body.size,
            diagonals: self.level().diagonals,
            slow: occupancy.slow,
            most: occupancy.whole_move(),
            standing: &|cell| occupancy.occupant(cell),
            provokes: occupancy.provokes(&provoked),
        })
    }

    /// A free cell for `who`, who cannot stay at `at`: the last one on its `trail`, else the
    /// nearest by steps. Passes enemies only if there is no other way, and walls only as a last
    /// resort. Ties go to the cell furthest north, then west.
    pub fn free_cell(
        &self,
        who: Id,
        at: Cell,
        trail: &[Cell],
        occupancy: &Occupancy,
    ) -> Option<Cell> {
        let size = self.body(who).size;
        let is_free = |at: &Cell| {
            let space = Space::new(*at, size);
            let is_nobody = |cell| occupancy.occupant(cell) == Occupant::Nobody;
            self.board.can_stand(space) && space.cells().all(is_nobody)
        };
        if is_free(&at) {
            return Some(at);
        }
        let back = || self.walk(who, occupancy, |walk| back_along(trail, at, walk, is_free));
        let walks =
            |occupancy: &Occupancy| self.walk(who, occupancy, |walk| nearest(at, walk, is_free));
        let farthest = self.board.width().max(self.board.height()) as i16;
        let mut rings = (0..farthest).map(|far| ring(at, far).find(is_free));
        back()
            .or_else(|| walks(occupancy))
            .or_else(|| walks(&occupancy.with_enemies_passable()))
            .or_else(|| rings.find_map(|found| found))
    }
}

/// Whether a unit can walk this step without falling.
fn is_step(walk: &StepRules, from: Cell, to: Cell) -> bool {
    walk.step(from, to).is_ok_and(|step| step.fall == 0)
}

/// The last free cell of a trail. `None` if the way back to it is blocked.
fn back_along(
    trail: &[Cell],
    from: Cell,
    walk: &StepRules,
    is_free: impl Fn(&Cell) -> bool,
) -> Option<Cell> {
    let mut at = from;
    for &cell in trail.iter().rev() {
        if !is_step(walk, at, cell) {
            return None;
        }
        if is_free(&cell) {
            return Some(cell);
        }
        at = cell;
    }
    None
}

/// The nearest free cell by steps.
fn nearest(from: Cell, walk: &StepRules, is_free: impl Fn(&Cell) -> bool) -> Option<Cell> {
    let (mut seen, mut front) = (BTreeSet::from([from]), vec![from]);
    while !front.is_empty() {
        let mut next = vec![];
        for at in front {
            let ahead = at.neighbours().filter(|&to| is_step(walk, at, to));
            next.extend(ahead.filter(|&to| seen.insert(to)));
        }
        let free = next.iter().copied().filter(&is_free);
        if let Some(found) = free.min_by_key(|cell| (cell.y, cell.x)) {
            return Some(found);
        }
        front = next;
    }
    None
}

/// The cells at a distance of `far` rows or columns, row by row from the north-west.
fn ring(at: Cell, far: i16) -> impl Iterator<Item = Cell> {
    let rows = (-far..=far).map(move |dy| (dy, if dy.abs() == far { 1 } else { 2 * far }));
    rows.flat_map(move |(dy, apart)| {
        let columns = (-far..=far).step_by(usize::from(apart.max(1) as u16));
        columns.map(move |dx| at.offset(dx, dy))
    })
}

/// The six-sided dice of damage of a fall (GR-32): one for every 10 feet.
pub fn fall_dice(feet: u16) -> u16 {
    feet / 10
}

/// The damage roll of a fall (GR-32).
pub fn fall_roll(feet: u16, dice: &mut DiceBox) -> Roll {
    Roll {
        dice: (0..fall_dice(feet)).map(|_| (6, dice.roll(6))).collect(),
        modifiers: vec![],
    }
}

/// A unit falls: it takes damage and is prone (GR-32). The damage counts as dealt by `by`, the unit
/// that pushed it. Returns the damage; further effects are up to the ruleset.
pub fn fall(
    who: Id,
    by: Option<Id>,
    feet: u16,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> i32 {
    let roll = fall_roll(feet, dice);
    let points = roll.total();
    let hurt = EventKind::damaged(who, by, points, roll);
    outcome.emit("GR-32", hurt);
    outcome.emit("GR-32", EventKind::Prone { who, prone: true });
    points
}
