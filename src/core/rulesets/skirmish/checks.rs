//! Skill checks, opposed checks and saves (SK-62), and their chances.

pub use crate::rulesets::common::checks::Check;

use super::{numbers, query::SkirmishQuery};
use crate::{
    battle::{Id, Modifier, Rule},
    content::{Attribute, Skill},
    rulesets::common::damage::Odds,
};

impl Check {
    /// Adds a modifier to the check, unless it is 0.
    pub fn plus(mut self, value: i16, label: &'static str, rule: Rule) -> Self {
        if value != 0 {
            self.modifiers.push(Modifier::new(value, label, rule));
        }
        self
    }

    /// The chance to reach a number.
    pub fn odds(&self, against: i32) -> Odds {
        Odds::of(self.combinations(|n| n >= against), self.of())
    }

    /// The chance to win an opposed check; the defender wins ties.
    pub fn odds_against(&self, defender: &Self) -> Odds {
        self.odds_above(&[defender])
    }

    /// The chance that one roll beats the rolls of all defenders. Only the ten with the highest
    /// bonus count, so that the numbers stay in range.
    pub fn odds_against_all(&self, defenders: &[Self]) -> Odds {
        let mut best: Vec<&Self> = defenders.iter().collect();
        best.sort_by_key(|d| std::cmp::Reverse(d.bonus()));
        best.truncate(10);
        self.odds_above(&best)
    }

    fn odds_above(&self, defenders: &[&Self]) -> Odds {
        let totals = self.sums().map(|(sum, ways)| (sum + self.bonus(), ways));
        let favourable = totals.map(|(total, ways)| {
            let below = defenders.iter().map(|d| d.combinations(|n| n < total));
            ways * below.product::<u64>()
        });
        let of = defenders.iter().map(|d| d.of()).product::<u64>();
        Odds::of(favourable.sum(), self.of() * of)
    }

    /// The number of combinations of the dice whose total is wanted.
    fn combinations(&self, wanted: impl Fn(i32) -> bool) -> u64 {
        let bonus = self.bonus();
        let sums = self.sums().filter(|&(sum, _)| wanted(sum + bonus));
        sums.map(|(_, ways)| ways).sum()
    }

    /// The number of combinations of the dice.
    fn of(&self) -> u64 {
        u64::from(self.dice.1).pow(u32::from(self.dice.0))
    }

    /// Each sum of the one or two dice, with the number of combinations that give it.
    fn sums(&self) -> impl Iterator<Item = (i32, u64)> {
        let (count, sides) = (i32::from(self.dice.0), i32::from(self.dice.1));
        (count..=count * sides).map(move |sum| match count {
            1 => (sum, 1),
            _ => (sum, (sum - 1).min(2 * sides + 1 - sum) as u64),
        })
    }
}

impl SkirmishQuery<'_, '_> {
    /// SK-62: a check with the best fitting attribute and the best fitting skill; −1 if untrained.
    /// Units other than heroes have one number for all checks.
    pub fn check(
        &self,
        who: Id,
        what: &'static str,
        attributes: &[Attribute],
        skills: &[Skill],
    ) -> Check {
        let creature = self.view.creature(who);
        let modifiers = if creature.is_hero() {
            let (attribute, value) = creature.best_modifier(attributes);
            let trained = |s: &Skill| Some((creature.skill(*s)?, s.label()));
            let best = skills.iter().filter_map(trained).rev().max_by_key(|t| t.0);
            let (level, label) = best.unwrap_or((-1, "untrained"));
            vec![
                Modifier::new(value as i16, attribute.name(), "SK-62"),
                Modifier::new(level as i16, label, "SK-62"),
            ]
        } else {
            let n = creature.skill(skills[0]).unwrap_or(0);
            vec![Modifier::new(n as i16, "skill", "SK-62")]
        };
        Check::new(who, what, modifiers, numbers::CHECK_DICE)
    }

    /// The d20 result that a Physical save needs, with a penalty added. If it is below 2 every
    /// result saves, above 20 none (SK-62).
    pub fn save_needs(&self, who: Id, penalty: i32) -> i32 {
        self.stats(who).physical_save + penalty
    }

    /// A Physical save with a penalty on the roll. Compare it with [`save_needs`](Self::save_needs)
    /// for no penalty.
    pub fn save(&self, who: Id, penalty: i32) -> Check {
        Check::d20(who, "Physical save", vec![]).plus(-penalty as i16, "penalty", "SK-62")
    }
}
