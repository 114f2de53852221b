//! What the demonstration needs to know of a creature.

use crate::content::section::{section, whole};
use crate::content::{Attribute, Creature, OwnSections, Registered};

pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<DemoStats>()],
    ..OwnSections::NONE
};

section! {
    /// Numbers of the demonstration.
    pub struct DemoStats from WrittenStats, of Creature, "demo": "a Demo section";
    |own, c|
    /// What it can lose before it falls (DE-06), at least 1.
    vigour: i32, whole(1..=1000) => (6 + 4 * c.rank() + c.modifier(Attribute::Con)).max(1);
}
