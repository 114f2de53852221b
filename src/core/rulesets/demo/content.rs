//! Numbers of a creature that only the demonstration ruleset uses.

use crate::content::section::{section, whole};
use crate::content::{Attribute, Creature, OwnSections, Registered};

pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<DemoStats>()],
    ..OwnSections::NONE
};

section! {
    /// Numbers of the demonstration ruleset.
    pub struct DemoStats from WrittenStats, of Creature, "demo": "a Demo section";
    |own, c|
    /// Hit points (DE-06), at least 1.
    vigour: i32, whole(1..=1000) => (6 + 4 * c.rank() + c.modifier(Attribute::Con)).max(1);
}
