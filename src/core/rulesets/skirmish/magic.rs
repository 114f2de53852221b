//! Castings left, the duration of spells, and the events that change them (SK-70).

use super::{Skirmish, query::SkirmishQuery, state::Fighter};
use crate::{
    battle::{ActiveCondition, DiceBox, Id, Rule, SpellId, StepOutcome, events, of_unit_mut},
    rulesets::common::conditions::TimesConditions,
};

impl SkirmishQuery<'_, '_> {
    /// Whether a unit's Total Defense counts: a helpless unit has none (SK-17).
    pub fn defends(&self, id: Id) -> bool {
        self.fighter(id).defending && !self.view.is_held(id)
    }

    /// Whether a unit stands, is not helpless and not unaware (SK-56).
    pub fn can_act(&self, id: Id) -> bool {
        self.is_up(id) && !self.view.is_held(id) && !self.is_unaware(id)
    }
}

events! {
    /// Events about casting.
    pub enum CastingEvent: RulesetEvent |world, names, unknown| {
        /// A casting begins. It counts as used, whatever happens.
        Begun { who: Id, spell: SpellId }
            log(silent) apply { of_unit_mut::<Fighter>(world, *who).castings.add(*spell) };

        Spoiled { who: Id, spell: SpellId }
            log(Fact "{who}'s {spell} is spoiled") cue(Bad, who, "loses the spell");
    }
}

/// Conditions end at the start of a turn of their caster's side (SK-70).
impl TimesConditions for Skirmish {
    const LASTS: Rule = "SK-70";

    /// The round of that side's next turn.
    fn next(sk: &SkirmishQuery, by: Id) -> i32 {
        let this = sk.is_before_turn(sk.body(by).side);
        i32::from(sk.clock.round) + i32::from(!this)
    }

    /// Rolls a Physical save (SK-62).
    fn saves(
        sk: &SkirmishQuery,
        who: Id,
        _: &ActiveCondition,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool {
        let against = sk.save_needs(who, 0);
        sk.save(who, 0).passes("SK-62", against, dice, outcome)
    }
}
