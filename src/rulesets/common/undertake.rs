//! An act that was chosen before others were done is looked at again before it
//! begins: somebody else may have been first.

use super::{CombatSystem, State};
use crate::{
    battle::{Choice, EventKind, Id, Offer, Rule, StepOutcome},
    system_step,
};
use bevy::ecs::system::{In, StaticSystemParam};
use std::fmt::Debug;

/// How a combat system begins what several chose at one moment.
pub trait Undertakes: CombatSystem {
    /// By which rule somebody comes too late.
    const AT_ONCE: Rule;
    /// The part of a turn in which an act was chosen.
    type Part: Copy + Debug + Send + Sync + 'static;

    /// Whether somebody may begin anything; who may not drops it without a word.
    fn is_able(state: &State<Self>, who: Id) -> bool;

    /// What they may do now, acts like this one at least: the list that it was
    /// chosen from.
    fn offers(state: &State<Self>, who: Id, choice: &Choice, part: Self::Part) -> Vec<Offer>;

    fn begin(state: &State<Self>, choice: &Choice) -> StepOutcome;
}

/// What one of several does, if it may still be done.
#[derive(Clone, Debug)]
pub struct Undertake<R: Undertakes> {
    pub choice: Choice,
    pub part: R::Part,
}
system_step!(impl[R: Undertakes] Undertake<R>, undertake::<R>);

fn undertake<R: Undertakes>(
    In(Undertake { choice, part }): In<Undertake<R>>,
    state: StaticSystemParam<R::Param>,
) -> StepOutcome {
    let outcome = StepOutcome::default();
    let Some(who) = choice.who.filter(|&who| R::is_able(&state, who)) else {
        return outcome;
    };
    let offers = R::offers(&state, who, &choice, part);
    if offers.iter().any(|o| o.is_legal() && o.covers(&choice)) {
        return R::begin(&state, &choice);
    }
    let why = "it comes too late".into();
    outcome.and(R::AT_ONCE, EventKind::Stopped { who, why })
}
