//! Items in hand (SK-21), and the shield next to a weapon that takes both hands.

use super::query::SkirmishQuery;
use crate::{
    battle::{EventKind, Id, Item, ItemPlace, State, StepOutcome},
    rulesets::common::inventory,
    system_step,
};
use bevy_ecs::system::In;

impl SkirmishQuery<'_, '_> {
    /// Whether a unit's shield counts. Next to a two-handed weapon it does not (SK-21).
    pub fn bears_shield(&self, id: Id) -> bool {
        let inventory = self.inventory(id);
        let full = |item| self.weapon(item).hands == 2;
        inventory.shield && !inventory.in_hand().is_some_and(full)
    }
}

pub fn shift(who: Id, item: Item, from: ItemPlace, to: ItemPlace, outcome: &mut StepOutcome) {
    outcome.emit("SK-21", inventory::shifted(who, item, from, to));
}

/// SK-24: picks up everything in the unit's cells: the first item into an empty hand, the others to
/// the belt.
pub fn take_up_all(sk: &SkirmishQuery, who: Id, outcome: &mut StepOutcome) {
    if !sk.view.creature(who).has_hands() {
        return;
    }
    let space = sk.body(who).space();
    let mut free = sk.inventory(who).in_hand().is_none();
    for &(at, item) in sk.view.ground.0.iter().filter(|t| space.contains(t.0)) {
        outcome.emit("SK-24", EventKind::PickedUp { who, item, at });
        if !std::mem::replace(&mut free, false) {
            shift(who, item, ItemPlace::Hand, ItemPlace::Belt, outcome);
        } else if sk.weapon(item).hands == 2
            && let Some(other) = sk.inventory(who).off_hand()
        {
            shift(who, other, ItemPlace::OffHand, ItemPlace::Belt, outcome);
        }
    }
}

system_step! {
    /// A unit that fell drops what it holds (SK-23). A step of its own, because the fall may have
    /// moved the unit.
    pub struct DropHeldItems { pub who: Id } => drop_held_items
}

fn drop_held_items(In(DropHeldItems { who }): In<DropHeldItems>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let body = sk.body(who);
    if !matches!(body.state, State::Down | State::Dead) {
        return outcome;
    }
    for &(item, from) in &sk.inventory(who).items {
        if matches!(from, ItemPlace::Hand | ItemPlace::OffHand) {
            inventory::drop_item(&sk.view, who, item, from, "SK-23", &mut outcome);
        }
    }
    outcome
}
