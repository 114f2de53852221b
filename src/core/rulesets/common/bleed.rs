//! Fallen units that bleed, until they die or are helped.

use super::{State, damage::Loss, hiding::Hides, room::room};
use crate::{
    battle::{self, EventKind, Id, Roll, Rule, StepOutcome},
    content::Trait,
    grid::Cell,
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};

/// How units bleed under a combat system: one hit point per round.
pub trait Bleeds: Hides {
    const BLEEDS: Rule;

    fn is_bleeding(state: &State<Self>, who: Id) -> bool;

    /// A unit with this many hit points or fewer dies.
    fn dead_at(state: &State<Self>) -> i32;

    /// How the log shows the hit point lost.
    fn loss_roll() -> Roll {
        Roll::default()
    }

    fn bleeding_started(who: Id) -> EventKind;

    fn bleeding_stopped(who: Id) -> EventKind;

    /// The unit gets up at a cell with this many hit points.
    fn rises(who: Id, at: Cell, hp: i32) -> EventKind;
}

pub fn lies_bleeding<R: Bleeds>(state: &State<R>, who: Id) -> bool {
    let is_down = R::view(state).body(who).state == battle::State::Down;
    is_down && R::is_bleeding(state, who)
}

/// Rounds, with this one, after which a unit with `hp` hit points that loses `cost` of them a round
/// has `dead_at` or fewer.
pub fn rounds_until(hp: i32, dead_at: i32, cost: i32) -> u16 {
    let left = (hp - dead_at).max(1).unsigned_abs();
    left.div_ceil(cost.max(1).unsigned_abs()) as u16
}

/// Applies a loss to a unit. With no hit points left it falls and bleeds; far below that, it dies.
/// A non-lethal loss does neither. A unit that is already down starts to bleed again, or dies.
pub fn fall<R: Bleeds>(state: &State<R>, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    let body = R::view(state).body(who);
    let left = body.hp - loss.points;
    let down = body.state == battle::State::Down;
    if !(body.is_up() && left <= 0 || down && loss.points > 0) {
        return;
    }
    if !down {
        outcome.emit(R::BLEEDS, EventKind::Fell { who });
    }
    let is_minion = R::view(state).creature(who).has(Trait::Minion);
    let dead = left <= R::dead_at(state) || is_minion;
    if loss.lethal && dead {
        outcome.emit(R::BLEEDS, EventKind::Died { who });
    } else if loss.lethal && !R::is_bleeding(state, who) {
        outcome.emit(R::BLEEDS, R::bleeding_started(who));
    }
}

/// At the end of a round, every bleeding unit loses a hit point; at the limit it dies.
pub fn bleed<R: Bleeds>(state: &State<R>, outcome: &mut StepOutcome) {
    let view = R::view(state);
    for who in view.ids().filter(|&id| lies_bleeding::<R>(state, id)) {
        outcome.emit(R::BLEEDS, EventKind::damaged(who, None, 1, R::loss_roll()));
        if view.body(who).hp - 1 <= R::dead_at(state) {
            outcome.emit(R::BLEEDS, EventKind::Died { who });
        }
    }
}

/// After healing, a fallen unit may come to.
pub fn revive<R: Bleeds>(state: &State<R>, who: Id, outcome: &mut StepOutcome) {
    if R::view(state).body(who).state == battle::State::Down {
        outcome.push(RegainConsciousness::<R>::of(who));
    }
}

system_step! {
    /// Runs after everything that heals the unit at this moment. The unit stops bleeding. With hit
    /// points left it gets up, on a nearby cell if its own is taken. Units come to one at a time, so
    /// that each finds a free cell.
    struct RegainConsciousness[R: Bleeds] { who: Id } => wake::<R>
}

fn wake<R: Bleeds>(
    In(step): In<RegainConsciousness<R>>,
    state: StaticSystemParam<R::Param>,
) -> StepOutcome {
    let (view, who) = (R::view(&state), step.who);
    let mut outcome = StepOutcome::default();
    let body = view.body(who);
    if body.state != battle::State::Down {
        return outcome;
    }
    if R::is_bleeding(&state, who) {
        outcome.emit(R::BLEEDS, R::bleeding_stopped(who));
    }
    if body.hp > 0
        && let Some(at) = room::<R>(&state, who, body.at, &[], &mut outcome)
    {
        outcome.emit(R::BLEEDS, R::rises(who, at, body.hp));
    }
    outcome
}
