//! Those whose melee has found nobody in reach: they wait, ready, and strike as
//! soon as somebody is (AC-15, AC-17).

use super::{acts::targets, query::ActivityQuery, turn::Turn};
use crate::{
    battle::{Id, Offer, StepOutcome},
    grid::{Cell, Space},
    system_step,
};
use bevy_ecs::system::In;

/// It has something to strike with.
pub fn is_armed(ac: &ActivityQuery, who: Id) -> bool {
    ac.gear(who).ready().any(|n| ac.usable(who, n, false))
}

/// Those who wait and have somebody to strike at now, in id order.
pub fn met(ac: &ActivityQuery) -> Vec<Id> {
    let strikes = |who: &Id| {
        let Some(planned) = ac.actor(*who).coming() else {
            return false;
        };
        let offers = targets(ac, *who, planned);
        offers.iter().flatten().any(Offer::is_legal)
    };
    waiting(ac).filter(strikes).collect()
}

fn waiting(ac: &ActivityQuery) -> impl Iterator<Item = Id> {
    let waits = |id: &Id| {
        let actor = ac.actor(*id);
        actor.waiting && ac.is_up(*id) && !ac.body(*id).flees && !ac.is_helpless(*id)
    };
    ac.view.ids().filter(waits)
}

/// Somebody who waits may have this mover in reach when it is in `cell`.
pub fn reaches(ac: &ActivityQuery, mover: Id, cell: Cell) -> bool {
    let body = ac.body(mover);
    let there = Space::new(cell, body.size);
    let mut foes = waiting(ac).filter(|&id| ac.body(id).side != body.side);
    foes.any(|id| {
        let arms = ac.gear(id).ready().filter(|&n| ac.usable(id, n, false));
        let mut feet = arms.filter_map(|n| ac.reach(id, n));
        feet.any(|feet| ac.view.board.in_reach(ac.body(id).space(), there, feet))
    })
}

system_step! {
    /// Somebody has come, perhaps into the reach of those who wait.
    pub struct Met => meet
}

fn meet(In(_): In<Met>, ac: ActivityQuery) -> StepOutcome {
    let group = met(&ac);
    if group.is_empty() {
        return StepOutcome::default();
    }
    StepOutcome::default().then(Turn::of(group))
}
