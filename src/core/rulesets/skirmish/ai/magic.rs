//! What spells are worth (SK-70).

use super::{Evaluation, NEVER};
use crate::{battle::Choice, rulesets::skirmish::acts::cast};

/// A spell that can be cast only so often must do better than a plain blow by
/// this much.
const THRIFT: i32 = 120;

impl Evaluation<'_, '_, '_> {
    /// A casting: what it does to foes less what it does to friends.
    pub(in super::super::super) fn cast(&self, choice: &Choice) -> i32 {
        let (sk, who) = (self.state, self.who);
        let (Some(spell), Ok(caught)) = (choice.spell, cast::aim(sk, choice)) else {
            return NEVER;
        };
        let kind = sk.view.spell(spell);
        let on = |id| self.spell_on(kind, id);
        let mut worth: i32 = caught.into_iter().map(on).sum();
        if kind.uses.is_some() {
            worth -= THRIFT;
        }
        if worth <= 0 {
            return NEVER;
        }
        if !sk.provoked_by(who).is_empty() {
            // A wound would spoil it.
            worth = worth * 6 / 10;
        }
        worth + self.stay() - self.drawn()
    }
}
