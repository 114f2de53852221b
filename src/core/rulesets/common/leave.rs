//! Leaving the battlefield by an exit, and entering it.

use super::{
    State,
    hiding::{Hides, emit_unless_hidden},
    room::room,
};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, Rule, StepOutcome, View, Why},
    grid::Cell,
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};

/// How a combat system logs units that leave or enter.
pub trait Leaves: Hides {
    const LEFT: Rule;

    /// Whether a unit that is due this round enters later in the round.
    fn comes_later(_: &State<Self>, _who: Id) -> bool {
        false
    }

    /// The unit enters at a cell; while it is hidden, other sides are not told.
    fn enters(state: &State<Self>, who: Id, at: Cell, outcome: &mut StepOutcome) {
        emit_unless_hidden::<Self>(state, who, "GR-00", EventKind::Entered { who, at }, outcome);
    }
}

/// The action of leaving the battle by an exit.
pub const fn act(rule: Rule) -> Action {
    Action::new("leave", "leave the battle", "makes off", rule).leaving_battle()
}

/// The offer to leave, if the unit's side has exits; blocked if `may` says so.
pub fn offers(
    view: &View,
    leave: &'static Action,
    who: Id,
    may: Result<(), Why>,
    out: &mut Vec<Offer>,
) {
    if view.exits(who).next().is_some() {
        let why = Why::new(leave.rule, "not at an exit");
        let legal = may.and_then(|()| why.unless(view.is_at_exit(who)));
        out.push(Offer::from(Choice::new(leave, who), legal));
    }
}

/// The unit leaves the battlefield. If the level says so, it returns some rounds later, once.
pub fn leave_field<R: Leaves>(state: &State<R>, who: Id, outcome: &mut StepOutcome) {
    let view = R::view(state);
    view.leave(who, R::LEFT, outcome);
    let body = view.body(who);
    let back = view.back_in(body.side, R::round(state));
    if let Some(round) = back.filter(|_| body.returns.is_none()) {
        outcome.emit(R::LEFT, EventKind::WillReturn { who, round });
    }
}

system_step! {
    /// The unit leaves if its move ended on an exit.
    pub struct LeaveStep[R: Leaves] { who: Id } => leave::<R>
}

fn leave<R: Leaves>(In(step): In<LeaveStep<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    let (view, who) = (R::view(&state), step.who);
    let mut outcome = StepOutcome::default();
    if view.body(who).is_up() && view.is_at_exit(who) {
        leave_field::<R>(&state, who, &mut outcome);
    }
    outcome
}

system_step! {
    /// Units that are due enter, each on the nearest free cell; returning units enter where they
    /// left. A unit without a free cell waits for the next round.
    pub struct Arrivals[R: Leaves] {} => arrive::<R>
}

fn arrive<R: Leaves>(In(step): In<Arrivals<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    let (view, mut outcome) = (R::view(&state), StepOutcome::default());
    let now = |who| !R::comes_later(&state, who);
    let due = next_arrival::<R>(&state, R::round(&state), now, &mut outcome);
    let Some((who, at)) = due else { return outcome };
    if view.body(who).flees {
        outcome.emit(R::LEFT, EventKind::Rallied { who });
    }
    R::enters(&state, who, at, &mut outcome);
    outcome.then(step)
}

/// The next unit to enter in a round, among those for which `may` is true, and the free cell
/// nearest to its entrance (GR-03). Units enter one at a time, so that each finds the others' cells
/// taken.
pub fn next_arrival<R: Hides>(
    state: &State<R>,
    round: u16,
    may: impl Fn(Id) -> bool,
    outcome: &mut StepOutcome,
) -> Option<(Id, Cell)> {
    let mut due = R::view(state).arrivals_due(round).filter(|due| may(due.0));
    due.find_map(|(who, wanted)| Some((who, room::<R>(state, who, wanted, &[], outcome)?)))
}
