//! Checks: a d20 with a skill and an ability (SP-25, SP-30, SP-32).

pub use crate::rulesets::common::checks::Check;

use super::{
    query::{SpeedQuery, numbers},
    state::Hurt,
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{Id, Modifier, Rule},
    content::Skill,
};

impl Check {
    /// Results of the d20 that reach a target number, out of 20.
    pub fn outcomes(&self, against: i32) -> i32 {
        (21 - against + self.bonus()).clamp(0, 20)
    }
}

impl SpeedQuery<'_, '_> {
    /// The penalty of a concussed unit to all rolls (SP-27).
    pub fn concussed(&self, who: Id) -> Option<Modifier> {
        let dizzy = self.fighter(who).has(Hurt::Concussed);
        dizzy.then(|| Modifier::new(numbers().concussed, "concussed", "SP-27"))
    }

    /// A check with an ability and, if given, a skill; untrained is -1.
    pub fn check(
        &self,
        who: Id,
        what: &'static str,
        skill: Option<Skill>,
        ability: Ability,
        rule: Rule,
    ) -> Check {
        let mut modifiers = vec![];
        let mut add = |value, label, rule| Modifier::push(&mut modifiers, value, label, rule);
        if let Some(skill) = skill {
            match self.view.creature(who).skill(skill) {
                Some(rank) => add(rank, skill.label(), rule),
                None => add(-1, "untrained", rule),
            }
        }
        add(self.modifier(who, ability), ability.name(), rule);
        modifiers.extend(self.concussed(who));
        Check::d20(who, what, modifiers)
    }
}
