//! What the demonstration needs to know of a creature.

use crate::content::section::{section, whole};
use crate::content::{Attribute, Creature, OwnSections, Registered, Training};

pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<DemoStats>()],
    ..OwnSections::NONE
};

section! {
    /// Numbers of the demonstration.
    pub struct DemoStats from WrittenStats, of Creature, "demo": "a Demo section";
    |own, c|
    /// What it can lose before it falls (DE-06), at least 1.
    vigour: i32, whole(1..=1000) => (6 + 4 * rank(c) + c.modifier(Attribute::Con)).max(1);
}

/// The level of a hero, the hit dice of anybody else.
pub fn rank(c: &Creature) -> i32 {
    match &c.training {
        Training::Hero { level, .. } => *level,
        Training::Npc { hit_dice, .. } => *hit_dice,
    }
}
