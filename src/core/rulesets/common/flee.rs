//! Fleeing units. They act without being asked: they head for an exit, through closed doors if
//! necessary, and leave by it. A unit without a way to an exit does not flee (GR-33).

use super::{
    State,
    leave::{LeaveStep, Leaves, leave_field},
    moves::{MoveStep, Mover},
    paths::CustomPaths,
};
use crate::{
    battle::{DiceBox, Escape, EscapeLeg, EventKind, Id, Prefers, Rule, StepOutcome},
    grid::Cell,
    system_step,
};
use bevy_ecs::system::{In, ResMut, StaticSystemParam};
use std::fmt::Debug;

/// What a fleeing unit must do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FleeAction {
    StandUp,
    OpenDoor,
    /// Or wait, if allies are in the way.
    Run,
}

/// How units flee under a combat system: the hooks of [`Flee`].
pub trait Flees: Leaves + CustomPaths {
    const FLEES: Rule = Self::LEFT;
    /// How to choose between ways to several exits.
    const PREFERS: Prefers = Prefers::FewAttacks;
    /// What a fleeing unit has left to spend.
    type FleeBudget: Copy + Debug + Send + Sync + 'static;

    fn is_able_to_flee(state: &State<Self>, who: Id) -> bool {
        Self::is_able(state, who)
    }

    /// What comes first, whatever the unit has left: breaking free of a hold.
    fn gets_loose(_: &State<Self>, _: &Flee<Self>, _: &mut DiceBox) -> Option<StepOutcome> {
        None
    }

    /// Whether the unit leaves the battlefield now.
    fn may_leave(state: &State<Self>, who: Id) -> bool {
        Self::view(state).is_at_exit(who)
    }

    fn leaves_field(state: &State<Self>, who: Id, outcome: &mut StepOutcome) {
        leave_field::<Self>(state, who, outcome);
    }

    /// Pays for the next part of the flight and returns what is left; `Some(None)` if nothing is.
    /// `None` if the unit can't pay.
    fn pays(
        state: &State<Self>,
        flee: &Flee<Self>,
        need: FleeAction,
        outcome: &mut StepOutcome,
    ) -> Option<Option<Self::FleeBudget>>;

    /// The unit stands up; this is already paid for.
    fn rises(_: &State<Self>, who: Id, outcome: &mut StepOutcome) {
        outcome.emit(Self::FLEES, EventKind::Prone { who, prone: false });
    }

    /// Feet that the unit may run. `None` if it can't.
    fn feet(state: &State<Self>, flee: &Flee<Self>) -> Option<u16>;

    /// The mover for a run of at most this many feet.
    fn runner(state: &State<Self>, who: Id, feet: u16, path: Vec<Cell>) -> Mover<Self::MoveMode>;

    /// What happens if there is no way to any exit.
    fn cut_off(_: &State<Self>, who: Id, outcome: &mut StepOutcome) {
        outcome.emit(Self::FLEES, EventKind::FightsOn { who });
    }
}

/// A fleeing unit, and what it has left to spend.
#[derive(Clone, Debug)]
pub struct Flee<R: Flees> {
    pub who: Id,
    pub budget: R::FleeBudget,
}
system_step!(impl[R: Flees] Flee<R>, flee::<R>);

fn flee<R: Flees>(
    In(step): In<Flee<R>>,
    state: StaticSystemParam<R::Param>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let (who, view) = (step.who, R::view(&state));
    let mut outcome = StepOutcome::default();
    if !view.body(who).flees || !R::is_able_to_flee(&state, who) {
        return outcome;
    }
    if let Some(first) = R::gets_loose(&state, &step, &mut dice) {
        return first;
    }
    if R::may_leave(&state, who) {
        R::leaves_field(&state, who, &mut outcome);
        return outcome;
    }
    let again = |budget: Option<R::FleeBudget>, outcome: &mut StepOutcome| {
        if let Some(budget) = budget {
            outcome.push(Flee::<R> { who, budget });
        }
    };
    if view.body(who).prone
        && let Some(left) = R::pays(&state, &step, FleeAction::StandUp, &mut outcome)
    {
        R::rises(&state, who, &mut outcome);
        again(left, &mut outcome);
        return outcome;
    }
    let Some(feet) = R::feet(&state, &step) else {
        return outcome;
    };
    let Some(leg) = way_out::<R>(&state, who, feet) else {
        R::cut_off(&state, who, &mut outcome);
        return outcome;
    };
    let need = match leg {
        EscapeLeg::Open(_) => FleeAction::OpenDoor,
        EscapeLeg::Run(_) | EscapeLeg::Wait => FleeAction::Run,
    };
    let Some(left) = R::pays(&state, &step, need, &mut outcome) else {
        return outcome;
    };
    match leg {
        EscapeLeg::Open(cell) => {
            let (by, open) = (who, true);
            outcome.emit("GR-02", EventKind::DoorMoved { by, cell, open });
        }
        EscapeLeg::Run(path) => {
            let runner = R::runner(&state, who, feet, path);
            outcome.push(MoveStep::<R>::of(runner));
            if left.is_none() {
                outcome.push(LeaveStep::<R>::of(who));
            }
        }
        EscapeLeg::Wait => return outcome,
    }
    again(left, &mut outcome);
    outcome
}

/// The next leg towards an exit, within this many feet. `None` if there is no way to any.
fn way_out<R: Flees>(state: &State<R>, who: Id, feet: u16) -> Option<EscapeLeg> {
    let occupancy = R::occupancy(state, &R::runner(state, who, feet, vec![]));
    R::view(state).way_out(&Escape {
        who,
        occupancy: &occupancy,
        prefers: R::PREFERS,
        feet,
        may_stop: &|walk, cell| R::may_end(state, who, &occupancy, walk, cell),
    })
}

/// Whether a unit has no way to any exit.
pub fn is_cut_off<R: Flees>(state: &State<R>, who: Id) -> bool {
    way_out::<R>(state, who, 0).is_none()
}

/// A unit's morale breaks and it starts to flee. `false` if it has no way to an exit and does not.
pub fn takes_flight<R: Flees>(state: &State<R>, who: Id, outcome: &mut StepOutcome) -> bool {
    if is_cut_off::<R>(state, who) {
        R::cut_off(state, who, outcome);
        return false;
    }
    outcome.emit(R::FLEES, EventKind::Flees { who });
    true
}
