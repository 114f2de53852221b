//! Armour and shields.

use super::{Section, Sections};

/// One kind of body armour or shield.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Armour {
    /// The key in files: "mail".
    pub id: String,
    /// The name in text, in lower case: "coat of mail".
    pub name: String,
    pub shield: bool,
    /// Body armour: the armour class that replaces 10, before DEX. A shield: its bonus, without
    /// `magic`.
    pub ac_melee: i32,
    /// Like `ac_melee`, but against missiles.
    pub ac_ranged: i32,
    /// Added to both armour classes; 0 for ordinary items.
    pub magic: i32,
    /// The sections of rulesets.
    pub sections: Sections,
}

impl Armour {
    /// The section of one ruleset.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }
}
