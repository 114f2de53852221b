//! Loaded and unloaded bows and crossbows (SK-22).

use super::{
    events::SkirmishEvent,
    query::SkirmishQuery,
    state::{ActionCost, Fighter},
};
use crate::{
    battle::{Attack, Handling, Id, Item, StepOutcome, Why, events, of_unit_mut},
    content::{Launch, Skill},
    rulesets::common::inventory::Throws,
};

events! {
    /// A weapon was shot or reloaded.
    pub enum Load: RulesetEvent |world, names, unknown| {
        Shot { who: Id, item: Item }
            log(silent)
            apply {
                let unloaded = &mut of_unit_mut::<Fighter>(world, *who).unloaded;
                if !unloaded.contains(item) {
                    unloaded.push(*item);
                }
            };

        Loaded { who: Id, item: Item }
            log(Trace "{who} reloads {item}")
            apply { of_unit_mut::<Fighter>(world, *who).unloaded.retain(|i| i != item) }
            handles(Handling::Load, who, Some(*item));
    }
}

/// A thrown weapon leaves the hand; a shot leaves the weapon unloaded. On its own turn a trained
/// unit reloads at once, for a Free action (SK-22).
pub fn shot(sk: &SkirmishQuery, attack: &Attack, throws: &mut Throws, outcome: &mut StepOutcome) {
    let (who, item) = (attack.by, attack.with);
    throws.fly(&sk.view, attack, outcome);
    if !sk.wants_loading(item) {
        return;
    }
    outcome.emit("SK-22", Load::Shot { who, item });
    let own_turn = sk.clock.turn == Some(sk.body(who).side);
    if own_turn && sk.is_trained_to_load(who) && sk.needs_free(who).is_ok() {
        let action = ActionCost::Free;
        outcome.emit("SK-22", SkirmishEvent::Spent { who, action });
        outcome.emit("SK-22", Load::Loaded { who, item });
    }
}

impl SkirmishQuery<'_, '_> {
    pub fn is_loaded(&self, who: Id, item: Item) -> bool {
        !self.fighter(who).unloaded.contains(&item)
    }

    /// Whether a weapon must be reloaded after each shot: a bow, a sling, a crossbow.
    pub fn wants_loading(&self, item: Item) -> bool {
        let ranged = &self.weapon(item).ranged;
        ranged.as_ref().is_some_and(|r| r.how != Launch::Thrown)
    }

    /// Whether a unit reloads with only a Free action.
    pub fn is_trained_to_load(&self, who: Id) -> bool {
        let level = self.view.creature(who).skill(Skill::Shoot);
        level.is_some_and(|level| level >= 1)
    }

    /// The cost of reloading: a Free action with Shoot 1 or more, else a Move for a bow and a Main
    /// for a crossbow (SK-22). An error if the unit can't pay.
    pub fn load_price(&self, who: Id, item: Item) -> Result<ActionCost, Why> {
        if self.is_trained_to_load(who) {
            return self.needs_free(who).map(|()| ActionCost::Free);
        }
        let how = self.weapon(item).ranged.as_ref().map(|r| r.how);
        if how == Some(Launch::Crossbow) {
            self.needs_main(who).map(|()| ActionCost::Main)
        } else {
            self.needs_move(who)
                .map(|()| self.fighter(who).move_price())
        }
    }
}
