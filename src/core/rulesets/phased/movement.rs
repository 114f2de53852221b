//! Movement: where a unit can get to, and each step of the way.

use super::{Phased, concentration, query::PhasedQuery};
use crate::rulesets::common::{bleed, sorted};
use crate::{
    battle::{Id, MoveEnd, Rule, StepOutcome, Why, movement::Occupancy},
    grid::{Cell, Diagonals, Occupant, Range, Reached, Space},
    rulesets::common::{
        charge_lane::LaneEnd,
        damage::Loss,
        hiding::{known_occupancy, knows_of},
        moves::{self, Moves},
    },
};
use std::sync::Arc;

/// How a unit moves.
#[derive(Clone, Copy, Debug)]
pub struct MoveMode {
    /// Feet of the whole move.
    feet: u16,
    /// Fleeing passes enemies; any other move ends next to one (PH-50).
    flees: bool,
    /// Units in whose cell the mover intends to end (PH-52), as a bit set. It stops short of others
    /// that moved there after the move was chosen, so that two movers don't squeeze by mistake.
    meets: u64,
}

/// Feet within which enemies are in melee with each other (PH-50).
const BESIDE: u16 = 5;

pub type Mover = moves::Mover<MoveMode>;

/// A fleeing unit's move along these cells, at most `feet`.
pub fn flight(who: Id, feet: u16, path: Vec<Cell>) -> Mover {
    let (flees, meets) = (true, u64::MAX);
    let gait = MoveMode { feet, flees, meets };
    Mover::new(who, gait, path)
}

/// A major or positioning move. It stops short if another unit moves to its end.
pub fn walk(ph: &PhasedQuery, who: Id, feet: u16, path: Vec<Cell>) -> Mover {
    let (flees, meets) = (false, path.last().map_or(0, |&end| jostle(ph, who, end)));
    let gait = MoveMode { feet, flees, meets };
    Mover::new(who, gait, path)
}

pub fn charge(ph: &PhasedQuery, who: Id, enemy: Id, path: Vec<Cell>) -> Mover {
    let (feet, flees, meets) = (charge_feet(ph, who), false, u64::MAX);
    let gait = MoveMode { feet, flees, meets };
    Mover::new(who, gait, path).at(enemy, ph.body(enemy).at)
}

/// The path of a charge at an enemy, or why it is not possible. The unit moves at its full rate,
/// because charging ends a spell that it keeps up (PH-21).
pub fn charge_line(ph: &PhasedQuery, who: Id, enemy: Id, budget: u16) -> Result<Vec<Cell>, Why> {
    Why::new("PH-42", "prone").when(ph.body(who).prone)?;
    Why::new("PH-42", "in melee already").when(ph.in_melee(who))?;
    Why::new("PH-42", "the target is down").unless(ph.is_up(enemy))?;
    charge_lane(ph, who, ph.body(enemy).space(), &ph.occupancy(who), budget)
}

/// The straight line to the cell next to a space, or why it is not possible: it must be within
/// `budget` feet, unobstructed, and meet no enemy on the way (PH-50).
pub fn charge_lane(
    ph: &PhasedQuery,
    who: Id,
    there: Space,
    occupancy: &Occupancy,
    budget: u16,
) -> Result<Vec<Cell>, Why> {
    let size = ph.body(who).size;
    let reaches = |at: Cell| ph.view.board.in_reach(Space::new(at, size), there, BESIDE);
    let line = ph.view.charge_lane(who, there, occupancy, budget, reaches);
    match line.end {
        LaneEnd::Arrived if !line.steps.is_empty() => {}
        end => return Err(end.why("PH-42", budget)),
    }
    let path: Vec<Cell> = line.cells().collect();
    let passed = path.iter().rev().skip(1);
    match passed.fold(0, |met, &at| met | occupancy.threats(at)) {
        0 => Ok(path),
        _ => Err(Why::new("PH-50", "another enemy is met first")),
    }
}

pub fn charge_feet(ph: &PhasedQuery, who: Id) -> u16 {
    ph.full_rate(who) * ph.tables().numbers.charge_paces
}

fn beside_an_enemy() -> Why {
    Why::new("PH-50", "an enemy is adjacent")
}

impl Moves for Phased {
    type MoveMode = MoveMode;
    const CONTACT: Rule = "PH-42";

    fn occupancy(ph: &PhasedQuery, mover: &Mover) -> Occupancy {
        ph.occupancy(mover.who)
    }

    /// Only fleeing continues in melee; an enemy may have moved next to the mover.
    fn budget(ph: &PhasedQuery, mover: &Mover) -> Result<u16, Why> {
        beside_an_enemy().when(!mover.gait.flees && ph.in_melee(mover.who))?;
        Ok(mover.gait.feet)
    }

    fn is_able(ph: &PhasedQuery, who: Id) -> bool {
        ph.is_up(who) && !ph.view.is_held(who)
    }

    fn ends_at(_: &PhasedQuery, mover: &Mover, occupancy: &Occupancy, at: Cell) -> Option<Why> {
        (!mover.gait.flees && occupancy.threats(at) != 0).then(beside_an_enemy)
    }

    fn reaches(ph: &PhasedQuery, mover: &Mover, target: Id) -> bool {
        ph.view.in_reach(mover.who, target, BESIDE)
    }

    fn follows(ph: &PhasedQuery, mover: &Mover, target: Id) -> Option<Vec<Cell>> {
        let left = mover.gait.feet.saturating_sub(mover.feet);
        let there = ph.body(target).space();
        charge_lane(ph, mover.who, there, &ph.occupancy(mover.who), left).ok()
    }

    fn sets_out(ph: &PhasedQuery, mover: &mut Mover, outcome: &mut StepOutcome) {
        ph.reveal(mover.who, outcome);
        if let [end] = *mover.path.make_contiguous()
            && jostle(ph, mover.who, end) & !mover.gait.meets != 0
        {
            mover.path.clear();
        }
    }

    /// PH-25: leaving another unit's cell jostles it, as entering does.
    fn goes(ph: &PhasedQuery, mover: &mut Mover, to: Cell, _: u16, _: &mut StepOutcome) {
        let from = ph.body(mover.who).at;
        mover.met |= jostle(ph, mover.who, from) | jostle(ph, mover.who, to);
    }

    fn lands(ph: &PhasedQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
        concentration::breaks(ph, who, outcome);
        bleed::fall::<Phased>(ph, who, Loss::deadly(points), outcome);
    }

    /// PH-25: a passing unit and the units it passes lose concentration. Two can share a cell
    /// (PH-52).
    fn stops(ph: &PhasedQuery, mover: &Mover, outcome: &mut StepOutcome) {
        jostles(ph, mover.who, mover.met, outcome);
    }
}

/// PH-25: breaks concentration of a unit that was in the cells of others, a bit set, and theirs.
fn jostles(ph: &PhasedQuery, who: Id, others: u64, outcome: &mut StepOutcome) {
    for id in ph.view.of_bits(others).chain((others != 0).then_some(who)) {
        concentration::jostled(ph, id, outcome);
    }
}

/// PH-25: a unit leaves the battle, possibly from a shared cell.
pub fn leaves(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    jostles(ph, who, jostle(ph, who, ph.body(who).at), outcome);
}

/// Known units whose cells the unit would share at `at`, as a bit set.
fn jostle(ph: &PhasedQuery, who: Id, at: Cell) -> u64 {
    let space = Space::new(at, ph.body(who).size);
    let there = |id: &Id| {
        let known = knows_of::<Phased>(ph, who, *id);
        *id != who && known && ph.is_up(*id) && ph.body(*id).space().overlaps(space)
    };
    let units = ph.view.ids().filter(there);
    units.fold(0, |set, id| set | id.bit())
}

impl PhasedQuery<'_, '_> {
    /// The occupancy for a mover; next to an enemy, it is in melee (PH-50).
    pub fn occupancy(&self, who: Id) -> Occupancy {
        let reach = |enemy: Id| (!self.fighter(enemy).hidden).then_some(5);
        known_occupancy::<Phased>(self, who, reach).with_whole_move(self.full_rate(who))
    }

    /// Cells within this many feet, including those beyond enemies.
    pub fn range(&self, who: Id, feet: u16) -> Arc<Range> {
        self.view.range(who, self.occupancy(who), feet)
    }

    /// Whether the unit can reach any other cell within this many feet, ignoring melee.
    pub fn can_step(&self, who: Id, feet: u16) -> bool {
        let occupancy = known_occupancy::<Phased>(self, who, |_| None);
        let occupancy = occupancy.with_whole_move(self.full_rate(who));
        let here = self.body(who).at;
        self.view
            .walk(who, &occupancy, |walk| walk.goes_anywhere(here, feet))
    }

    /// The cells where a move of this many feet can end, with the distance. Next to an enemy the
    /// unit must stop (PH-50). It can squeeze into an ally's cell (PH-52).
    pub fn ends(&self, who: Id, feet: u16) -> Vec<MoveEnd> {
        let routes = Routes::of(self, who, feet);
        let here = self.body(who).at;
        let free = routes.free.cells().filter(|end| end.cell != here);
        let quiet = |to: Cell, feet: u16| MoveEnd {
            to,
            feet,
            provoked: 0,
        };
        let mut ends: Vec<MoveEnd> = free.map(|end| quiet(end.cell, end.feet)).collect();
        ends.extend(routes.last.iter().map(|last| quiet(last.to, last.feet)));
        ends.retain(|end| self.may_end(who, &routes.occupancy, end.to));
        ends.sort_by_key(|end| (end.feet, end.to.y, end.to.x));
        ends
    }

    /// The path of such a move, without the starting cell.
    pub fn path(&self, who: Id, feet: u16, to: Cell) -> Vec<Cell> {
        let routes = Routes::of(self, who, feet);
        let last = routes.last.iter().find(|last| last.to == to);
        let mut path = routes.free.path(last.map_or(to, |last| last.from));
        path.extend(last.map(|last| last.to));
        path.into_iter().skip(1).collect()
    }

    /// The cells where a fleeing unit can end, with the distance. It can pass anyone, and every end
    /// has the given `provoked` attackers.
    pub fn flight_ends(&self, who: Id, provoked: u64) -> Vec<MoveEnd> {
        let (range, occupancy) = (self.range(who, self.rate(who)), self.occupancy(who));
        let here = self.body(who).at;
        let may_end = |at| at != here && self.may_end(who, &occupancy, at);
        let ends = range.cells().filter(|e| may_end(e.cell));
        let end = |e: Reached| MoveEnd {
            provoked,
            ..e.into()
        };
        ends.map(end).collect()
    }

    /// The path of a fleeing unit, without the starting cell.
    pub fn flight_path(&self, who: Id, to: Cell) -> Vec<Cell> {
        let range = self.range(who, self.rate(who));
        range.path(to).into_iter().skip(1).collect()
    }

    /// GR-03, PH-52: whether the cell is free, or holds an ally that makes room.
    pub fn may_end(&self, who: Id, occupancy: &Occupancy, at: Cell) -> bool {
        let space = Space::new(at, self.body(who).size);
        let taken = space.cells().map(|c| occupancy.occupant(c));
        taken.max().is_none_or(|o| o < Occupant::Foe)
    }
}

/// Where a move can end: cells clear of enemies, and one last step next to an enemy.
struct Routes {
    occupancy: Occupancy,
    free: Arc<Range>,
    last: Vec<LastStep>,
}

/// A last step next to an enemy, and the feet of the whole path.
struct LastStep {
    from: Cell,
    to: Cell,
    feet: u16,
}

impl Routes {
    fn of(ph: &PhasedQuery, who: Id, feet: u16) -> Self {
        let occupancy = ph.occupancy(who);
        let free = ph.view.range(who, occupancy.clear_of_threats(0), feet);
        let here = ph.body(who).at;
        let size = i16::from(ph.body(who).size);
        let last = ph.view.walk(who, &occupancy, |walk| {
            let step = |from: Cell, to: Cell| {
                let way = free.get(from)?;
                let odd = is_odd(ph, &free, from);
                let step = walk.step_in_move(from, to, odd).ok()?;
                let feet = way.feet + step.feet;
                (step.fall == 0).then_some(LastStep { from, to, feet })
            };
            let nearest = |to: Cell| {
                let steps = to.neighbours().filter_map(|from| step(from, to));
                steps.min_by_key(|last| (last.feet, last.from))
            };
            // Positions in which a large body touches a threatened cell.
            let touching = occupancy.threatened().flat_map(|cell| {
                let back = move |(x, y): (i16, i16)| cell.offset(-x, -y);
                (0..size * size).map(move |n| back((n % size, n / size)))
            });
            let beside = sorted(touching.filter(|&at| at != here));
            let ends = beside.into_iter().filter_map(nearest);
            ends.filter(|last| last.feet <= feet).collect()
        });
        Self {
            occupancy,
            free,
            last,
        }
    }
}

/// Whether the path to a cell has an odd number of diagonals, if the level counts them.
fn is_odd(ph: &PhasedQuery, range: &Range, to: Cell) -> bool {
    if ph.view.level().diagonals == Diagonals::Five {
        return false;
    }
    let path = range.path(to);
    let is_diagonal = |pair: &&[Cell]| pair[0].x != pair[1].x && pair[0].y != pair[1].y;
    path.windows(2).filter(is_diagonal).count() % 2 == 1
}
