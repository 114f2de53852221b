//! Armour and shields.

use super::{Section, Sections};

/// One kind of body armour or shield.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Armour {
    /// The key in files: "mail".
    pub id: String,
    /// For people, in lower case: "coat of mail".
    pub name: String,
    pub shield: bool,
    /// Body armour: the armour class that it gives before DEX, instead of 10.
    /// A shield: what it adds, with `magic` not yet in it.
    pub ac_melee: i32,
    /// The same against missiles.
    pub ac_ranged: i32,
    /// Added to both; 0 for plain gear.
    pub magic: i32,
    /// What only some rulesets know of it.
    pub sections: Sections,
}

impl Armour {
    /// What a ruleset knows of it besides.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }
}
