//! What the demonstration keeps of a battle, and the fact that changes it.

use super::Demo;
use crate::{
    battle::{
        DiceBox, Each, Id, Lasting, Line, Names, Rule, RulesetEvent, StepOutcome, View,
        component_mut,
    },
    content::Condition,
    rulesets::common::conditions::Afflicts,
};
use bevy_ecs::{component::Component, system::SystemParam, world::World};
use serde::Serialize;
use std::sync::{Arc, LazyLock};

/// What it keeps of a combatant: on guard until the round ends (DE-04).
#[derive(Component, Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Guard(pub bool);

/// Read access to a battle.
#[derive(SystemParam)]
pub struct DemoQuery<'w, 's> {
    pub view: View<'w, 's>,
    pub guards: Each<'w, 's, Guard>,
}

impl DemoQuery<'_, '_> {
    /// The round that is fought, from 1.
    pub fn round(&self) -> u16 {
        self.view.progress.rounds as u16 + 1
    }

    /// Those who are up, in id order.
    pub fn everybody(&self) -> impl Iterator<Item = Id> {
        self.view.ids().filter(|&id| self.view.body(id).is_up())
    }
}

/// DE-05, for a round and the next.
pub static REELING: LazyLock<Arc<Condition>> = LazyLock::new(|| {
    Arc::new(Condition {
        id: "reeling".into(),
        name: "reeling".into(),
        to_hit: -4,
        ..Condition::default()
    })
});

impl Afflicts for Demo {
    const LASTS: Rule = "DE-05";

    /// No save ends it.
    fn saves(_: &DemoQuery, _: Id, _: &Lasting, _: &mut DiceBox, _: &mut StepOutcome) -> bool {
        false
    }
}

/// Somebody is on guard now, or no longer.
#[derive(Clone, Debug, Serialize)]
pub struct Guards {
    pub who: Id,
    pub now: bool,
}

impl RulesetEvent for Guards {
    fn apply(&self, world: &mut World) {
        *component_mut::<Guard>(world, self.who) = Guard(self.now);
    }

    /// The act itself has been told.
    fn describe(&self, _: &Names) -> Option<Line> {
        None
    }
}
