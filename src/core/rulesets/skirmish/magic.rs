//! Castings left, the duration of spells, and the events that change them (SK-70).

use super::{Skirmish, query::SkirmishQuery};
use crate::{
    battle::{ActiveCondition, DiceBox, Id, Rule, SpellId, StepOutcome, events, of_unit_mut},
    rulesets::common::{castings::Castings, conditions::TimesConditions},
};

impl SkirmishQuery<'_, '_> {
    /// Whether a spell keeps a unit from acting, reacting and threatening enemies.
    pub fn is_helpless(&self, id: Id) -> bool {
        self.view.is_held(id)
    }

    /// Whether a unit's Total Defense counts: a helpless unit has none (SK-17).
    pub fn defends(&self, id: Id) -> bool {
        self.fighter(id).defending && !self.is_helpless(id)
    }

    /// Whether a unit stands, is not helpless and not unaware (SK-56).
    pub fn can_act(&self, id: Id) -> bool {
        self.is_up(id) && !self.is_helpless(id) && !self.is_unaware(id)
    }

    /// Castings that a unit has left in this battle. `None` if unlimited.
    pub fn castings_left(&self, id: Id, spell: SpellId) -> Option<i32> {
        self.magic(id).left(spell, self.view.spell(spell))
    }
}

events! {
    /// Events about casting.
    pub enum CastingEvent: RulesetEvent |world, names, unknown| {
        /// A casting begins. It counts as used, whatever happens.
        Begun { who: Id, spell: SpellId }
            log(silent) apply { of_unit_mut::<Castings>(world, *who).add(*spell) };

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
        let (check, against) = (sk.save(who, 0), sk.save_needs(who, 0));
        let roll = check.roll(dice);
        let passed = roll.total() >= against;
        outcome.emit("SK-62", check.event(roll, against, passed));
        passed
    }
}
