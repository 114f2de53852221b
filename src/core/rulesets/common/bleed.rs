//! The fallen who bleed: from the fall to death, or until somebody helps them.

use super::{State, damage::Loss, hiding::Hides, room::room};
use crate::{
    battle::{self, EventKind, Id, Roll, Rule, StepOutcome},
    grid::Cell,
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};
use std::marker::PhantomData;

/// How people bleed under a combat system: a hit point a round.
pub trait Bleeds: Hides {
    const BLEEDS: Rule;

    fn is_bleeding(state: &State<Self>, who: Id) -> bool;

    /// Who has this many hit points or fewer is dead.
    fn dead_at(state: &State<Self>) -> i32;

    /// They die when they fall.
    fn dies_at_zero(state: &State<Self>, who: Id) -> bool;

    /// What is told of the point that they lose.
    fn lost() -> Roll {
        Roll::default()
    }

    fn begins(who: Id) -> EventKind;

    fn ends(who: Id) -> EventKind;

    /// They are on their feet, with this many hit points.
    fn rises(who: Id, at: Cell, hp: i32) -> EventKind;
}

/// Whether somebody is down, and bleeds.
pub fn lies_bleeding<R: Bleeds>(state: &State<R>, who: Id) -> bool {
    let is_down = R::view(state).body(who).state == battle::State::Down;
    is_down && R::is_bleeding(state, who)
}

/// Who has lost this many points, all at once, falls with none left, and bleeds;
/// far below that they are dead. What only knocks out does neither. Who is down
/// already bleeds anew, or dies.
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
    let dead = left <= R::dead_at(state) || R::dies_at_zero(state, who);
    if loss.lethal && dead {
        outcome.emit(R::BLEEDS, EventKind::Died { who });
    } else if loss.lethal && !R::is_bleeding(state, who) {
        outcome.emit(R::BLEEDS, R::begins(who));
    }
}

/// At the end of a round all who bleed lose a hit point, some of them their last.
pub fn bleed<R: Bleeds>(state: &State<R>, outcome: &mut StepOutcome) {
    let view = R::view(state);
    for who in view.ids().filter(|&id| lies_bleeding::<R>(state, id)) {
        outcome.emit(R::BLEEDS, EventKind::damaged(who, None, 1, R::lost()));
        if view.body(who).hp - 1 <= R::dead_at(state) {
            outcome.emit(R::BLEEDS, EventKind::Died { who });
        }
    }
}

/// Somebody has been healed: with a hit point left the fallen come to.
pub fn revive<R: Bleeds>(state: &State<R>, who: Id, outcome: &mut StepOutcome) {
    if R::view(state).body(who).state == battle::State::Down {
        let system = PhantomData;
        outcome.push(Wake::<R> { who, system });
    }
}

/// After all that heals them at this moment. Who was down bleeds no more, and gets
/// up if they have hit points now, beside the place if that is taken. One comes
/// to at a time: the next must find their cell free.
#[derive(Clone, Debug)]
struct Wake<R: Bleeds> {
    who: Id,
    system: PhantomData<R>,
}
system_step!(impl[R: Bleeds] Wake<R>, wake::<R>);

fn wake<R: Bleeds>(In(step): In<Wake<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    let (view, who) = (R::view(&state), step.who);
    let mut outcome = StepOutcome::default();
    let body = view.body(who);
    if body.state != battle::State::Down {
        return outcome;
    }
    if R::is_bleeding(&state, who) {
        outcome.emit(R::BLEEDS, R::ends(who));
    }
    if body.hp > 0
        && let Some(at) = room::<R>(&state, who, body.at, &[], &mut outcome)
    {
        outcome.emit(R::BLEEDS, R::rises(who, at, body.hp));
    }
    outcome
}
