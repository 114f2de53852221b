//! The turn track of a round.

use super::query::SkirmishQuery;
use crate::battle::{Clock, Id, Side, State};
use bevy_ecs::system::In;

pub fn clock(In(()): In<()>, sk: SkirmishQuery) -> Clock {
    let up = |side: Side| sk.view.standing(side).collect();
    // A side whose units have not entered yet has no turn.
    let has_come = |id: Id| sk.body(id).state != State::Waiting;
    let is_here = |side: &Side| {
        let mut come = sk.view.ids().filter(|&id| has_come(id));
        come.any(|id| sk.body(id).side == *side)
    };
    let order: Vec<Side> = sk.clock.order.iter().copied().filter(is_here).collect();
    Clock {
        round: sk.clock.round,
        turn: sk.clock.turn,
        track: Clock::sides(&order, sk.clock.turn, up),
        ..Clock::default()
    }
}

/// Whether a unit has nothing left to do this turn.
pub fn is_done(sk: &SkirmishQuery, who: Id) -> bool {
    let (body, fighter) = (sk.body(who), sk.fighter(who));
    !body.is_up() || fighter.done || body.flees || !fighter.can_move()
}
