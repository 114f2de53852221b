//! Actions that begin at one moment, one or several: all movers move together, then all attacks
//! resolve on one state. Whatever another unit may have made impossible is checked again before it
//! begins.

use super::{
    State,
    attacks::{AttackBatch, Attacks},
    moves::{MoveStep, Mover, Moves},
};
use crate::{
    battle::{Choice, Id, Offer, Rule, Step, StepOutcome, Why},
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};
use std::fmt::Debug;

/// How a combat system begins chosen actions, one or several at once.
pub trait BeginsActions: Moves + Attacks {
    /// The rule by which an action comes too late.
    const AT_ONCE: Rule;
    /// The part of a turn in which an action was chosen.
    type Part: Copy + Debug + Send + Sync + 'static;
    /// An action at the moment of the attacks that is not an attack.
    type Begun;

    /// Whether a unit can begin anything. A unit that can't drops its action without a log entry.
    fn may_begin(state: &State<Self>, who: Id) -> bool;

    /// What the unit can do now, at least for this kind of action: the list that the choice came
    /// from.
    fn offers(state: &State<Self>, who: Id, choice: &Choice, part: Self::Part) -> Vec<Offer>;

    /// Whether another unit could make the choice impossible. Such an action runs on its own before
    /// the moves and attacks, and is checked again then.
    fn waits(choice: &Choice) -> bool;

    /// Announces an action and pays for it, and returns what follows.
    fn begin(state: &State<Self>, choice: &Choice) -> Begun<Self>;

    fn begun(all: Vec<Self::Begun>) -> Vec<Box<dyn Step>>;
}

/// What actions that began on one state lead to.
pub struct Begun<R: BeginsActions> {
    /// Announcements and costs, and what comes before any movement.
    pub outcome: StepOutcome,
    pub movers: Vec<Mover<R::MoveMode>>,
    pub specs: Vec<R::AttackSpec>,
    pub actions: Vec<R::Begun>,
}

impl<R: BeginsActions> From<StepOutcome> for Begun<R> {
    fn from(outcome: StepOutcome) -> Self {
        Self {
            outcome,
            movers: vec![],
            specs: vec![],
            actions: vec![],
        }
    }
}

impl<R: BeginsActions> Begun<R> {
    /// Begins several actions on one state, in this order.
    pub fn of(state: &State<R>, said: Vec<Choice>, part: R::Part) -> Self {
        let mut all = Self::from(StepOutcome::default());
        let able = |c: &Choice| c.who.is_some_and(|who| R::may_begin(state, who));
        for choice in said.into_iter().filter(able) {
            if R::waits(&choice) {
                all.outcome.push(BeginActions::<R> { choice, part });
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
        self.specs.extend(more.specs);
        self.actions.extend(more.actions);
    }

    /// Queues all movement together, then all attacks and other actions at once.
    pub fn into_outcome(self, state: &State<R>) -> StepOutcome {
        let mut outcome = self.outcome;
        if !self.movers.is_empty() {
            outcome.push(MoveStep::<R>::together(state, self.movers));
        }
        let actions = R::begun(self.actions);
        match self.specs.is_empty() {
            true => outcome.next.extend(actions),
            false => outcome.push(AttackBatch::<R>::of(self.specs).with(actions)),
        }
        outcome
    }
}

/// The units that are still able begin their chosen actions, on one state.
#[derive(Clone, Debug)]
pub struct AtOnce<R: BeginsActions> {
    pub said: Vec<Choice>,
    pub part: R::Part,
}
system_step!(impl[R: BeginsActions] AtOnce<R>, at_once::<R>);

fn at_once<R: BeginsActions>(
    In(AtOnce { said, part }): In<AtOnce<R>>,
    state: StaticSystemParam<R::Param>,
) -> StepOutcome {
    Begun::<R>::of(&state, said, part).into_outcome(&state)
}

/// Begins one unit's action, if it is still possible.
#[derive(Clone, Debug)]
pub struct BeginActions<R: BeginsActions> {
    pub choice: Choice,
    pub part: R::Part,
}
system_step!(impl[R: BeginsActions] BeginActions<R>, begin_actions::<R>);

fn begin_actions<R: BeginsActions>(
    In(BeginActions { choice, part }): In<BeginActions<R>>,
    state: StaticSystemParam<R::Param>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let Some(who) = choice.who.filter(|&who| R::may_begin(&state, who)) else {
        return outcome;
    };
    let offers = R::offers(&state, who, &choice, part);
    if offers.iter().any(|o| o.is_legal() && o.covers(&choice)) {
        return R::begin(&state, &choice).into_outcome(&state);
    }
    outcome.emit_stop(who, Why::new(R::AT_ONCE, "comes too late"));
    outcome
}
