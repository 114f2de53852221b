//! Creatures, weapons, armour and spells: what a battle is fought by and
//! with. All of it is data; `docs/content.md` tells how to write it. And the
//! [`codex`], in which players read the rules.

mod activity;
mod armour;
pub mod codex;
mod condition;
mod creature;
mod dice;
mod look;
pub mod phased;
mod read;
mod segments;
mod skirmish;
mod speed;
mod spell;
mod weapon;

pub use activity::{
    ActivityArms, ActivitySpell, ActivityStats, AttackSize, AttackType, Grant, Talent,
};
pub use armour::Armour;
pub use condition::Condition;
pub use creature::{Attribute, Attributes, Bulk, Creature, Skill, Training, Trait};
pub use dice::Dice;
pub use look::{Colour, Icon, Look};
pub(crate) use read::{CreatureEntry, colour, hint_at_unused, kind, layer};
pub use read::{check_file, known_fields};
pub use segments::{SegmentsSpell, SegmentsStats, SegmentsWeapon};
pub use skirmish::SkirmishStats;
pub use speed::{
    Ability, DamageType, SpeedArmour, SpeedSpell, SpeedStats, SpeedWeapon, most_stress,
};
pub use spell::{Area, Effect, Save, Spell};
pub use weapon::{Launch, Make, Melee, Ranged, Shock, Weapon};

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Everything that can be named in a level: the built-in kinds, and over them
/// those that the level brings itself.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub creatures: BTreeMap<String, Arc<Creature>>,
    pub weapons: BTreeMap<String, Arc<Weapon>>,
    /// Shields too.
    pub armours: BTreeMap<String, Arc<Armour>>,
    pub spells: BTreeMap<String, Arc<Spell>>,
    pub conditions: BTreeMap<String, Arc<Condition>>,
    /// What was written of each, for kinds and combatants made like them.
    entries: read::Entries,
}

/// The files that are compiled in, in the order in which they are read.
pub const BUILT_IN: [(&str, &str); 8] = [
    (
        "assets/content/conditions.ron",
        include_str!("../../assets/content/conditions.ron"),
    ),
    (
        "assets/content/weapons.ron",
        include_str!("../../assets/content/weapons.ron"),
    ),
    (
        "assets/content/armour.ron",
        include_str!("../../assets/content/armour.ron"),
    ),
    (
        "assets/content/spells.ron",
        include_str!("../../assets/content/spells.ron"),
    ),
    (
        "assets/content/phased.ron",
        include_str!("../../assets/content/phased.ron"),
    ),
    (
        "assets/content/speed.ron",
        include_str!("../../assets/content/speed.ron"),
    ),
    (
        "assets/content/creatures.ron",
        include_str!("../../assets/content/creatures.ron"),
    ),
    (
        "assets/content/heroes.ron",
        include_str!("../../assets/content/heroes.ron"),
    ),
];

static CONTENT: LazyLock<Arc<Content>> = LazyLock::new(|| {
    let mut content = Content::default();
    for (file, text) in BUILT_IN {
        content = match check_file(file, text, &content) {
            Ok((content, _)) => content,
            // A broken build, which the tests would not let pass.
            Err(problems) => panic!("{}", problems[0]),
        };
    }
    Arc::new(content)
});

impl Content {
    /// What comes with the game, from `assets/content`.
    pub fn built_in() -> &'static Arc<Content> {
        &CONTENT
    }

    /// What everybody has: bare hands.
    pub fn unarmed(&self) -> &Arc<Weapon> {
        &self.weapons["unarmed"]
    }

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

    pub fn condition(&self, id: &str) -> Option<&Arc<Condition>> {
        self.conditions.get(id)
    }
}
