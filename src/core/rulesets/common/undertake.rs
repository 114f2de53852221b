//! Acts that begin at one moment, a single one like several: all who move go on
//! together, then all blows fall on one state. What somebody else may have made
//! impossible is looked at again before it begins.

use super::{
    State,
    attacks::{AttackBatch, Attacks},
    moves::{MoveStep, Mover, Moves},
};
use crate::{
    battle::{Choice, EventKind, Id, Offer, Rule, Step, StepOutcome},
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};
use std::fmt::Debug;

/// How a combat system begins what was chosen, and what several chose at one
/// moment.
pub trait Undertakes: Moves + Attacks {
    /// By which rule somebody comes too late.
    const AT_ONCE: Rule;
    /// The part of a turn in which an act was chosen.
    type Part: Copy + Debug + Send + Sync + 'static;
    /// What is done at the moment of the blows, and is none.
    type Deed;

    /// Whether somebody may begin anything; who may not drops it without a word.
    fn may_begin(state: &State<Self>, who: Id) -> bool;

    /// What they may do now, acts like this one at least: the list that it was
    /// chosen from.
    fn offers(state: &State<Self>, who: Id, choice: &Choice, part: Self::Part) -> Vec<Offer>;

    /// Whether somebody else may be first: it has its turn before the others
    /// move or strike, and is looked at again then.
    fn waits(choice: &Choice) -> bool;

    /// Says so, pays for it, and what it comes to.
    fn begin(state: &State<Self>, choice: &Choice) -> Begun<Self>;

    fn deeds(all: Vec<Self::Deed>) -> Vec<Box<dyn Step>>;
}

/// What acts come to that have begun on one state.
pub struct Begun<R: Undertakes> {
    /// What is said and paid, and what comes before anybody moves.
    pub outcome: StepOutcome,
    pub movers: Vec<Mover<R::Gait>>,
    pub blows: Vec<R::Blow>,
    pub deeds: Vec<R::Deed>,
}

impl<R: Undertakes> From<StepOutcome> for Begun<R> {
    fn from(outcome: StepOutcome) -> Self {
        Self {
            outcome,
            movers: vec![],
            blows: vec![],
            deeds: vec![],
        }
    }
}

impl<R: Undertakes> Begun<R> {
    /// Several acts begin on one state, in this order.
    pub fn of(state: &State<R>, said: Vec<Choice>, part: R::Part) -> Self {
        let mut all = Self::from(StepOutcome::default());
        let able = |c: &Choice| c.who.is_some_and(|who| R::may_begin(state, who));
        for choice in said.into_iter().filter(able) {
            if R::waits(&choice) {
                all.outcome.push(Undertake::<R> { choice, part });
            } else {
                all.add(R::begin(state, &choice));
            }
        }
        all
    }

    pub fn add(&mut self, more: Self) {
        self.outcome.events.extend(more.outcome.events);
        self.outcome.next.extend(more.outcome.next);
        self.movers.extend(more.movers);
        self.blows.extend(more.blows);
        self.deeds.extend(more.deeds);
    }

    /// All who move go on together; then comes all else at once.
    pub fn settle(self, state: &State<R>) -> StepOutcome {
        let mut outcome = self.outcome;
        if !self.movers.is_empty() {
            outcome.push(MoveStep::<R>::together(state, self.movers));
        }
        let deeds = R::deeds(self.deeds);
        match self.blows.is_empty() {
            true => outcome.next.extend(deeds),
            false => outcome.push(AttackBatch::<R>::of(self.blows).with(deeds)),
        }
        outcome
    }
}

/// Those who are still able begin what they have chosen, on one state.
#[derive(Clone, Debug)]
pub struct AtOnce<R: Undertakes> {
    pub said: Vec<Choice>,
    pub part: R::Part,
}
system_step!(impl[R: Undertakes] AtOnce<R>, at_once::<R>);

fn at_once<R: Undertakes>(
    In(AtOnce { said, part }): In<AtOnce<R>>,
    state: StaticSystemParam<R::Param>,
) -> StepOutcome {
    Begun::<R>::of(&state, said, part).settle(&state)
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
    let Some(who) = choice.who.filter(|&who| R::may_begin(&state, who)) else {
        return outcome;
    };
    let offers = R::offers(&state, who, &choice, part);
    if offers.iter().any(|o| o.is_legal() && o.covers(&choice)) {
        return R::begin(&state, &choice).settle(&state);
    }
    let why = "comes too late".into();
    outcome.and(R::AT_ONCE, EventKind::Stopped { who, why })
}
