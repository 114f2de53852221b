//! Movement under Skirmish, and the attacks that it provokes.

use super::{
    Skirmish,
    acts::{self, snap},
    query::SkirmishQuery,
    triggers::{Reactions, Trigger},
    wounds,
};
use crate::{
    battle::{Action, Choice, Id, StepOutcome, Why, movement::Occupancy},
    grid::Cell,
    rulesets::common::{
        moves::{self, MoveStep, Moves, Strides},
        paths::CustomPaths,
    },
};

/// How a unit moves. Enemies whose reach is left are asked before the step, each once per move
/// (SK-06). Units that could make a snap attack on the mover, or that hold an action, are asked
/// once when it comes near (SK-12, SK-26).
#[derive(Clone, Copy, Debug)]
pub struct MoveMode {
    /// Moves that the movement may use.
    moves: u16,
    /// Whether leaving an enemy's reach provokes nothing: charges and screens provoke only at their
    /// start.
    free: bool,
}

pub type Mover = moves::Mover<MoveMode>;

/// One Move along these cells.
pub fn run(who: Id, path: impl IntoIterator<Item = Cell>) -> MoveStep<Skirmish> {
    MoveStep::of(runner(who, path))
}

/// The mover of one Move.
pub fn runner(who: Id, path: impl IntoIterator<Item = Cell>) -> Mover {
    let (moves, free) = (1, false);
    Mover::new(who, MoveMode { moves, free }, path)
}

/// The movement of a charge or a screen (SK-15): `moves` Moves that provoke no attacks on the way.
pub fn freely(who: Id, moves: u16, path: Vec<Cell>) -> MoveStep<Skirmish> {
    MoveStep::of(Mover::new(who, MoveMode { moves, free: true }, path))
}

impl Moves for Skirmish {
    type MoveMode = MoveMode;

    fn occupancy(sk: &SkirmishQuery, mover: &Mover) -> Occupancy {
        sk.occupancy(mover.who)
    }

    fn budget(sk: &SkirmishQuery, mover: &Mover) -> Result<u16, Why> {
        sk.free_to_move(mover.who)?;
        Ok(sk.view.speed(mover.who) * mover.gait.moves)
    }

    fn leaves(sk: &SkirmishQuery, mover: &Mover, occupancy: &Occupancy, to: Cell) -> u64 {
        if mover.gait.free {
            return 0;
        }
        let from = sk.body(mover.who).at;
        occupancy.left(from, to) | sk.left_in_hiding(mover.who, from, to)
    }

    fn left(sk: &SkirmishQuery, left: Vec<(Id, u64)>, outcome: &mut StepOutcome) {
        for (by, enemies) in left {
            let enemies = sk.view.of_bits(enemies).collect();
            let rule = "SK-18";
            outcome.push(Reactions::open(Trigger::Provoked { by, enemies, rule }));
        }
    }

    fn lands(sk: &SkirmishQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
        wounds::fall_by(sk, who, points, true, outcome);
    }

    fn enters(
        sk: &SkirmishQuery,
        mover: &mut Mover,
        occupancy: &Occupancy,
        strides: &Strides,
    ) -> Option<u64> {
        let [from, to] = strides.of(&sk.view, mover.who).map(|space| space.at);
        let entered = occupancy.threats(to) & !occupancy.threats(from) & !mover.met;
        let enemies = watchers(sk, mover, entered);
        mover.met |= enemies;
        // Every step is a chance for units that want to be asked (SK-04).
        (enemies != 0 || !sk.view.prompted.is_empty()).then_some(enemies)
    }

    fn entered(sk: &SkirmishQuery, entered: Vec<(Id, u64)>, outcome: &mut StepOutcome) {
        for (by, enemies) in entered {
            let enemies = sk.view.of_bits(enemies).collect();
            outcome.push(Reactions::open(Trigger::Near { by, enemies }));
        }
    }
}

impl CustomPaths for Skirmish {
    fn is_move(verb: &'static Action) -> bool {
        verb == &acts::RUN
    }

    fn mover(sk: &SkirmishQuery, _: &Choice, who: Id) -> Result<Mover, Why> {
        acts::can_run(sk, who)?;
        Ok(runner(who, []))
    }
}

/// The units that may react because the mover came near: it entered their reach, or its move ends
/// and they hold an action.
fn watchers(sk: &SkirmishQuery, mover: &Mover, entered: u64) -> u64 {
    let at_end = mover.path.is_empty();
    let side = sk.body(mover.who).side;
    let may = |id: &Id| {
        let near = entered & id.bit() != 0;
        let holds = (near || at_end) && mover.met & id.bit() == 0 && sk.waits(*id);
        holds && sk.body(*id).side != side || near && snap::may(sk, *id).is_ok()
    };
    if entered == 0 && !at_end {
        return 0;
    }
    let watchers = sk.view.ids().filter(may);
    watchers.fold(0, |set, id| set | id.bit())
}
