//! Leaving the field by an exit.

use super::{CombatSystem, State};
use crate::{
    battle::{EventKind, Id, Rule, StepOutcome},
    system_step,
};
use bevy::ecs::system::{In, StaticSystemParam};
use std::marker::PhantomData;

/// How a combat system tells that somebody has left.
pub trait Leaves: CombatSystem {
    const LEFT: Rule;

    /// Whether they have been back once already.
    fn has_returned(state: &State<Self>, who: Id) -> bool;

    fn will_return(who: Id, round: u16) -> EventKind;
}

/// They have left the field; if the level says so they come back so many rounds
/// later, once.
pub fn be_gone<R: Leaves>(state: &State<R>, who: Id, outcome: &mut StepOutcome) {
    let view = R::view(state);
    view.leave(who, R::LEFT, outcome);
    let back = view.back_in(view.body(who).side, R::round(state));
    if let Some(round) = back.filter(|_| !R::has_returned(state, who)) {
        outcome.emit(R::LEFT, R::will_return(who, round));
    }
}

/// Whose way has ended on an exit is gone.
#[derive(Clone, Debug)]
pub struct LeaveStep<R: Leaves> {
    who: Id,
    system: PhantomData<R>,
}
system_step!(impl[R: Leaves] LeaveStep<R>, leave::<R>);

impl<R: Leaves> LeaveStep<R> {
    pub fn of(who: Id) -> Self {
        let system = PhantomData;
        Self { who, system }
    }
}

fn leave<R: Leaves>(In(step): In<LeaveStep<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    let (view, who) = (R::view(&state), step.who);
    let mut outcome = StepOutcome::default();
    if view.body(who).is_up() && view.is_at_exit(who) {
        be_gone::<R>(&state, who, &mut outcome);
    }
    outcome
}
