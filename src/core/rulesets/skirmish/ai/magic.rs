//! What spells are worth (SK-70).

use super::{Evaluation, NEVER};
use crate::{
    battle::Choice,
    rulesets::skirmish::{acts::cast, forecast::attacks::casts_unhurt},
};

/// How much better than a plain attack a spell with limited castings must be.
const THRIFT: i32 = 120;

impl Evaluation<'_, '_, '_> {
    /// The score of a casting: its worth on enemies less its harm to allies.
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
        worth = worth * casts_unhurt(sk, who).percent() as i32 / 100;
        if worth <= 0 {
            return NEVER;
        }
        worth + self.stay() - self.drawn()
    }
}
