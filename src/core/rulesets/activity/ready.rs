//! Units that wait because no enemy was in reach of their melee: they attack as soon as one is
//! (AC-15, AC-17).

use super::{acts::targets, query::ActivityQuery, turn::Turn};
use crate::{
    battle::{Id, Offer, StepOutcome},
    grid::{Cell, Space},
    system_step,
};
use bevy_ecs::system::In;

/// Whether the unit has a usable melee weapon.
pub fn is_armed(ac: &ActivityQuery, who: Id) -> bool {
    ac.usable_weapons(who, false).next().is_some()
}

/// Waiting units that now have a target, in id order.
pub fn with_target(ac: &ActivityQuery) -> Vec<Id> {
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

/// Whether a waiting enemy may have the mover in reach at `cell`.
pub fn reaches(ac: &ActivityQuery, mover: Id, cell: Cell) -> bool {
    let body = ac.body(mover);
    let there = Space::new(cell, body.size);
    let mut enemies = waiting(ac).filter(|&id| ac.body(id).side != body.side);
    enemies.any(|id| {
        let mut feet = ac.usable_weapons(id, false).filter_map(|n| ac.reach(id, n));
        feet.any(|feet| ac.view.board.in_reach(ac.body(id).space(), there, feet))
    })
}

system_step! {
    /// A unit has moved, perhaps into the reach of waiting enemies.
    pub struct Met => meet
}

fn meet(In(_): In<Met>, ac: ActivityQuery) -> StepOutcome {
    let group = with_target(&ac);
    match group.is_empty() {
        true => StepOutcome::default(),
        false => StepOutcome::default().then(Turn::of(group)),
    }
}
