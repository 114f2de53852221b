//! What the demonstration stores for a battle, and the event that changes it.

use super::Demo;
use crate::{
    battle::{ActiveCondition, DiceBox, Each, Id, Rule, StepOutcome, View, events, of_unit_mut},
    content::Condition,
    rulesets::common::conditions::TimesConditions,
};
use bevy_ecs::system::SystemParam;
use std::sync::{Arc, LazyLock};

/// Whether a unit is on guard, which lasts until the end of the round (DE-04).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Guard(pub bool);

/// Read access to a battle.
#[derive(SystemParam)]
pub struct DemoQuery<'w, 's> {
    pub view: View<'w, 's>,
    pub guards: Each<'w, Guard>,
}

impl DemoQuery<'_, '_> {
    /// The current round, counted from 1.
    pub fn round(&self) -> u16 {
        self.view.progress.rounds as u16 + 1
    }

    /// Units that are up, in id order.
    pub fn all_units(&self) -> impl Iterator<Item = Id> {
        self.view.ids().filter(|&id| self.view.body(id).is_up())
    }
}

/// The condition after a hit (DE-05), for the current round and the next.
pub static REELING: LazyLock<Arc<Condition>> = LazyLock::new(|| {
    Arc::new(Condition {
        id: "reeling".into(),
        name: "reeling".into(),
        to_hit: -4,
        ..Condition::default()
    })
});

impl TimesConditions for Demo {
    const LASTS: Rule = "DE-05";

    /// No save ends the condition.
    fn saves(
        _: &DemoQuery,
        _: Id,
        _: &ActiveCondition,
        _: &mut DiceBox,
        _: &mut StepOutcome,
    ) -> bool {
        false
    }
}

events! {
    /// Events that only the demonstration knows.
    pub enum DemoEvent: RulesetEvent |world, names, unknown| {
        /// A unit starts or stops guarding. The action itself has a log line.
        Guards { who: Id, now: bool }
            log(silent) apply { *of_unit_mut::<Guard>(world, *who) = Guard(*now) };
    }
}
