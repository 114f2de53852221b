//! How often a unit has cast its spells in this battle.

use crate::{
    battle::{Rule, SpellId, Why},
    content::Spell,
};

/// The castings of a unit, one entry each.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Castings(Vec<SpellId>);

impl Castings {
    /// Counts a casting.
    pub fn add(&mut self, spell: SpellId) {
        self.0.push(spell);
    }

    /// Castings left of a spell. `None` if unlimited.
    pub fn left(&self, spell: SpellId, kind: &Spell) -> Option<i32> {
        let cast = self.0.iter().filter(|known| **known == spell).count();
        kind.uses.map(|uses| uses - cast as i32)
    }

    /// Checks that a casting of a spell is left; `rule` limits castings.
    pub fn needs_left(&self, spell: SpellId, kind: &Spell, rule: Rule) -> Result<(), Why> {
        let is_spent = self.left(spell, kind).is_some_and(|left| left <= 0);
        Why::new(rule, "no castings left").when(is_spent)
    }
}
