//! What the demonstration keeps of a battle, and the facts that change it.

use crate::battle::{
    Cue, CueKind, Depth, Each, EventKind, Id, Line, Names, Roster, RulesetEvent, View,
    component_mut,
};
use bevy::ecs::{component::Component, system::SystemParam, world::World};
use serde::Serialize;
use std::sync::Arc;

/// What it keeps of a combatant.
#[derive(Component, Clone, Default, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// On guard until the round ends (DE-04).
    pub guards: bool,
    /// Reels for so many rounds, this one included (DE-05).
    pub reels: u8,
}

/// Read access to a battle.
#[derive(SystemParam)]
pub struct De<'w, 's> {
    pub view: View<'w, 's>,
    pub fighters: Each<'w, 's, Fighter>,
}

impl De<'_, '_> {
    /// The round that is fought, from 1.
    pub fn round(&self) -> u16 {
        self.view.progress.rounds as u16 + 1
    }

    /// Those who are up, in id order.
    pub fn everybody(&self) -> impl Iterator<Item = Id> {
        self.view.ids().filter(|&id| self.view.body(id).is_up())
    }
}

/// Rounds that somebody reels: the one in which they are hit, and the next.
const REELING: u8 = 2;

/// Facts of the demonstration alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum DemoEvent {
    /// A round begins.
    Opened,
    Guards {
        who: Id,
    },
    Reels {
        who: Id,
    },
}

impl DemoEvent {
    pub fn event(self) -> EventKind {
        EventKind::Ruleset(Arc::new(self))
    }
}

impl RulesetEvent for DemoEvent {
    fn apply(&self, world: &mut World) {
        match *self {
            Self::Opened => {
                for id in world.resource::<Roster>().ids() {
                    let mut fighter = component_mut::<Fighter>(world, id);
                    fighter.guards = false;
                    fighter.reels = fighter.reels.saturating_sub(1);
                }
            }
            Self::Guards { who } => component_mut::<Fighter>(world, who).guards = true,
            Self::Reels { who } => component_mut::<Fighter>(world, who).reels = REELING,
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        match *self {
            Self::Reels { who } => Line::new(Depth::Fact, names.title(who).to_string() + " reels"),
            _ => None,
        }
    }

    fn data(&self) -> serde_json::Value {
        serde_json::json!(self)
    }

    fn cue(&self) -> Option<Cue> {
        match *self {
            Self::Reels { who } => Cue::of(CueKind::Bad, who, "reels"),
            _ => None,
        }
    }
}
