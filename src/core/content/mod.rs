//! Creatures, weapons, armour and spells, all as data; `docs/content.md` describes the format.
//! Also the [`codex`] with the rules for players.
//!
//! What only one ruleset needs is in [`section`]s, which the rulesets register. This module knows
//! none of them.

mod armour;
pub mod codex;
mod condition;
mod creature;
mod dice;
mod look;
mod read;
pub mod schema;
pub mod section;
mod spell;
mod weapon;

pub use armour::Armour;
pub use condition::Condition;
pub use creature::{Attribute, Attributes, Bulk, Creature, Skill, Training, Trait};
pub use dice::Dice;
pub use look::{Colour, Icon, Look};
pub(crate) use read::{CreatureEntry, Layered, colour, hint_at_unused, kind, layer};
pub use read::{check_file, known_fields};
pub use section::{OwnSections, Registered, Registry, Section, Sections};
pub use spell::{Burst, Effect, Save, Spell, SpellArea};
pub use weapon::{Launch, Make, Melee, Ranged, Shock, Weapon};

use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that a level can name: the built-in kinds, and the level's own, which replace those
/// of the same id.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub creatures: BTreeMap<String, Arc<Creature>>,
    pub weapons: BTreeMap<String, Arc<Weapon>>,
    /// Armour and shields.
    pub armours: BTreeMap<String, Arc<Armour>>,
    pub spells: BTreeMap<String, Arc<Spell>>,
    pub conditions: BTreeMap<String, Arc<Condition>>,
    /// The entries as written, for kinds and units that are based on them.
    entries: read::Entries,
    /// The sections that files can have.
    registry: Arc<Registry>,
}

/// The files of items, spells and conditions that all rulesets use. Loaded before those of the
/// rulesets.
pub const ITEM_FILES: [(&str, &str); 4] = [
    shipped!("assets/content/conditions.ron"),
    shipped!("assets/content/weapons.ron"),
    shipped!("assets/content/armour.ron"),
    shipped!("assets/content/spells.ron"),
];

/// The files of creatures. Loaded after those of the rulesets.
pub const CREATURE_FILES: [(&str, &str); 2] = [
    shipped!("assets/content/creatures.ron"),
    shipped!("assets/content/heroes.ron"),
];

impl Content {
    /// Empty content, for files that can have these sections.
    pub fn empty(registry: Registry) -> Self {
        Self {
            registry: Arc::new(registry),
            ..Self::default()
        }
    }

    /// The content of some files. Later ones replace earlier entries of the same id.
    ///
    /// # Panics
    /// If a file has an error: only for files that ship with the game.
    pub fn of_files<'f>(
        registry: Registry,
        files: impl IntoIterator<Item = (&'f str, &'f str)>,
    ) -> Self {
        let mut content = Self::empty(registry);
        for (file, text) in files {
            content = match check_file(file, text, &content) {
                Ok((content, _)) => content,
                Err(problems) => panic!("{}", problems[0]),
            };
        }
        content
    }

    /// Bare hands, which every creature has.
    pub fn unarmed(&self) -> &Arc<Weapon> {
        &self.weapons["unarmed"]
    }

    pub fn creature(&self, id: &str) -> Option<&Arc<Creature>> {
        self.creatures.get(id)
    }
}
