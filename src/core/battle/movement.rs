//! Movement as all rulesets see it: who blocks whom, whose reach is left.

use super::{DiceBox, EventKind, Id, Roll, StepOutcome, View};
use crate::grid::{Board, Cell, Occupant, Provokes, Space, StepRules};
use std::{cell::OnceCell, collections::BTreeSet, sync::Arc};

/// The board as one mover sees it: who stands where, and whose reach covers
/// which cell. Built once for a search, then asked for every step of it.
#[derive(Clone)]
pub struct Occupancy {
    width: u16,
    occupants: Vec<Occupant>,
    /// Each foe whose reach is not left freely, as a bit, and the cells of it.
    reaches: Vec<(u64, Arc<[Cell]>)>,
    /// The foes in whose reach a cell lies, as bit sets: laid out when many cells
    /// are asked about.
    threats: OnceCell<Vec<u64>>,
    /// The north-west and the south-east cell of all that lie in a reach.
    threatened: Option<[Cell; 2]>,
    size: u8,
}

impl PartialEq for Occupancy {
    fn eq(&self, other: &Self) -> bool {
        // The rest follows from these.
        self.size == other.size
            && self.width == other.width
            && self.reaches == other.reaches
            && self.occupants == other.occupants
    }
}

impl Occupancy {
    /// Lays the reaches out on the map, for a search.
    pub(super) fn lay_out(&self) -> &[u64] {
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
        let n = self.index(cell);
        n.and_then(|n| self.occupants.get(n))
            .copied()
            .unwrap_or(Occupant::Nobody)
    }

    /// Puts a unit there.
    pub fn put(&mut self, space: Space, occupant: Occupant) {
        for cell in space.cells() {
            if let Some(n) = self.index(cell) {
                self.occupants[n] = occupant;
            }
        }
    }

    /// The same ways with everybody let through as allies are.
    fn past_everybody(&self) -> Self {
        let mut past = self.clone();
        for occupant in &mut past.occupants {
            *occupant = (*occupant).min(Occupant::Ally);
        }
        past
    }

    /// The foes in whose reach the mover stands when it is at `at`.
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
        Space::new(at, self.size)
            .cells()
            .map(bits)
            .fold(0, |set, b| set | b)
    }

    /// The same ways with every cell shut in which a foe has its reach who does
    /// not have it at `from`: who keeps to them draws no further attack.
    pub fn avoiding_threats(&self, from: Cell) -> Self {
        let here = self.threats(from);
        let mut quiet = self.clone();
        for (n, threats) in self.lay_out().iter().enumerate() {
            if threats & !here != 0 {
                quiet.occupants[n] = Occupant::Foe;
            }
        }
        quiet
    }

    /// The same ways with every cell shut in which a foe has its reach.
    pub fn clear_of_threats(&self) -> Self {
        let mut clear = self.clone();
        for (n, threats) in self.lay_out().iter().enumerate() {
            if *threats != 0 {
                clear.occupants[n] = Occupant::Foe;
            }
        }
        clear
    }

    /// The part of the map in which threatened cells lie that somebody may come
    /// to in so many steps.
    pub(super) fn threatened_near(&self, from: Cell, steps: u16) -> Option<[Cell; 2]> {
        let [low, high] = self.threatened?;
        let (far, side) = (
            steps.min(Board::MAX_SIDE) as i16,
            i16::from(self.size.max(1)),
        );
        let rows = low.y.max(from.y - far)..=high.y.min(from.y + far + side - 1);
        let columns = low.x.max(from.x - far)..=high.x.min(from.x + far + side - 1);
        let is_near = |cell: &&Cell| columns.contains(&cell.x) && rows.contains(&cell.y);
        let cells = self.reaches.iter().flat_map(|(_, cells)| cells.iter());
        let mut within = None;
        cells
            .filter(is_near)
            .for_each(|&cell| widen(&mut within, cell));
        within
    }

    /// The same ways with those cells shut that `is_shut` tells.
    pub fn without(mut self, is_shut: impl Fn(Cell) -> bool) -> Self {
        let width = usize::from(self.width);
        for (n, occupant) in self.occupants.iter_mut().enumerate() {
            if is_shut(Cell::new((n % width) as i16, (n / width) as i16)) {
                *occupant = Occupant::Foe;
            }
        }
        self
    }

    /// The cells in which a foe has its reach.
    pub fn threatened(&self) -> impl Iterator<Item = Cell> {
        let width = usize::from(self.width);
        let in_reach = self.lay_out().iter().enumerate().filter(|t| *t.1 != 0);
        in_reach.map(move |(n, _)| Cell::new((n % width) as i16, (n / width) as i16))
    }

    /// Whom a walk along these ways provokes, `by` telling it of each step.
    pub fn provokes<'a>(&self, by: &'a dyn Fn(Cell, Cell) -> u64) -> Option<Provokes<'a>> {
        self.threatened.map(|within| Provokes { by, within })
    }

    /// The foes whose reach is left by a step.
    pub fn left(&self, from: Cell, to: Cell) -> u64 {
        match self.threats(from) {
            0 => 0,
            here => here & !self.threats(to),
        }
    }
}

/// Widens a part of the map so that a cell lies in it.
fn widen(part: &mut Option<[Cell; 2]>, cell: Cell) {
    let [low, high] = part.get_or_insert([cell; 2]);
    *low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
    *high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
}

impl View<'_, '_> {
    /// The ways of `who`. `reach` says how far each foe threatens, in feet;
    /// none for a foe whose reach may be left freely.
    pub fn ways(&self, who: Id, reach: impl Fn(Id) -> Option<u16>) -> Occupancy {
        let (width, height) = (self.board.width(), self.board.height());
        let cells = usize::from(width) * usize::from(height);
        let mine = self.body(who);
        let mut ways = Occupancy {
            width,
            occupants: vec![Occupant::Nobody; cells],
            reaches: vec![],
            threats: OnceCell::new(),
            threatened: None,
            size: mine.size,
        };
        for id in self.ids().filter(|&id| id != who) {
            let body = self.body(id);
            if !body.is_up() {
                continue;
            }
            let is_enemy = body.side != mine.side;
            for cell in body.space().cells() {
                if let Some(n) = ways.index(cell) {
                    ways.occupants[n] = if is_enemy {
                        Occupant::Foe
                    } else {
                        Occupant::Ally
                    };
                }
            }
            if is_enemy && let Some(feet) = reach(id) {
                let cells = self.board.reach(body.space(), feet);
                let inside = cells.iter();
                inside.for_each(|&cell| widen(&mut ways.threatened, cell));
                ways.reaches.push((id.bit(), cells));
            }
        }
        ways
    }

    /// Runs `use_it` with the walk of `who` along those ways: prone movement
    /// costs double.
    pub fn walk<T>(&self, who: Id, ways: &Occupancy, use_it: impl FnOnce(&StepRules) -> T) -> T {
        self.walk_on(&self.board, who, ways, use_it)
    }

    /// The same on another board than the battle's: with its doors open, say.
    pub fn walk_on<T>(
        &self,
        board: &Board,
        who: Id,
        ways: &Occupancy,
        use_it: impl FnOnce(&StepRules) -> T,
    ) -> T {
        let body = self.body(who);
        let left = |from, to| ways.left(from, to);
        use_it(&StepRules {
            board,
            size: body.size,
            diagonals: self.level().diagonals,
            slow: if body.prone { 2 } else { 1 },
            standing: &|cell| ways.occupant(cell),
            provokes: ways.provokes(&left),
        })
    }

    /// The free cell on which `who` ends that cannot stay at `at`: the last one on its
    /// `trail`, else the nearest by steps along these ways. Only where the ways lead
    /// to none, enemies are passed, and only then walls. Ties go to the first from
    /// the north-west.
    pub fn free_cell(&self, who: Id, at: Cell, trail: &[Cell], ways: &Occupancy) -> Option<Cell> {
        let size = self.body(who).size;
        let is_free = |at: &Cell| {
            let space = Space::new(*at, size);
            let is_nobody = |cell| ways.occupant(cell) == Occupant::Nobody;
            self.board.can_stand(space) && space.cells().all(is_nobody)
        };
        if is_free(&at) {
            return Some(at);
        }
        let back = || self.walk(who, ways, |walk| back_along(trail, at, walk, is_free));
        let walks = |ways: &Occupancy| self.walk(who, ways, |walk| nearest(at, walk, is_free));
        let farthest = self.board.width().max(self.board.height()) as i16;
        let mut rings = (0..farthest).map(|far| ring(at, far).find(is_free));
        back()
            .or_else(|| walks(ways))
            .or_else(|| walks(&ways.past_everybody()))
            .or_else(|| rings.find_map(|found| found))
    }
}

/// Whether a step is one of a walk: no fall, nobody in the way.
fn is_step(walk: &StepRules, from: Cell, to: Cell) -> bool {
    walk.step(from, to).is_ok_and(|step| step.fall == 0)
}

/// The last free cell on a trail, if the way back to it can be walked.
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

/// The cells this many columns or rows away, row by row from the north-west.
fn ring(at: Cell, far: i16) -> impl Iterator<Item = Cell> {
    let rows = (-far..=far).map(move |dy| (dy, if dy.abs() == far { 1 } else { 2 * far }));
    rows.flat_map(move |(dy, apart)| {
        let columns = (-far..=far).step_by(usize::from(apart.max(1) as u16));
        columns.map(move |dx| at.offset(dx, dy))
    })
}

/// GR-32: the harm of a fall of this many feet, 1d6 for every 10.
pub fn fall_roll(feet: u16, dice: &mut DiceBox) -> Roll {
    Roll {
        dice: (0..feet / 10).map(|_| (6, dice.roll(6))).collect(),
        modifiers: vec![],
    }
}

/// GR-32: somebody falls this many feet, is hurt and prone. The points that it
/// took: what comes of them is the ruleset's.
pub fn fall(who: Id, feet: u16, dice: &mut DiceBox, outcome: &mut StepOutcome) -> i32 {
    let roll = fall_roll(feet, dice);
    let points = roll.total();
    let hurt = EventKind::damaged(who, None, points, roll);
    outcome.emit("GR-32", hurt);
    outcome.emit("GR-32", EventKind::Prone { who, prone: true });
    points
}
