//! Creatures, weapons, armour and spells: what a battle is fought by and
//! with. All of it is data; `docs/content.md` tells how to write it.

mod armour;
mod creature;
mod dice;
mod look;
mod skirmish;
mod spell;
mod weapon;

pub use armour::Armour;
pub use creature::{Attribute, Attributes, Bulk, Creature, Skill, Training, Trait};
pub use dice::Dice;
pub use look::{Colour, Icon, Look};
pub use skirmish::SkirmishStats;
pub use spell::{Area, Effect, Save, Spell};
pub use weapon::{Launch, Make, Melee, Ranged, Shock, Weapon};

use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that can be named in a level: the built-in kinds, and over them
/// those that the level brings itself.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub creatures: BTreeMap<String, Arc<Creature>>,
    pub weapons: BTreeMap<String, Arc<Weapon>>,
    /// Shields too.
    pub armours: BTreeMap<String, Arc<Armour>>,
    pub spells: BTreeMap<String, Arc<Spell>>,
}

impl Content {
    pub fn creature(&self, id: &str) -> Option<&Arc<Creature>> {
        self.creatures.get(id)
    }

    pub fn weapon(&self, id: &str) -> Option<&Arc<Weapon>> {
        self.weapons.get(id)
    }

    pub fn armour(&self, id: &str) -> Option<&Arc<Armour>> {
        self.armours.get(id)
    }

    pub fn spell(&self, id: &str) -> Option<&Arc<Spell>> {
        self.spells.get(id)
    }
}
