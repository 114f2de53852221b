//! Skill checks, opposed checks and saves (SK-62), and their chances.

use super::{odds::Odds, sk::Sk};
use crate::{
    battle::{Change, DiceBox, Flow, Id, Modifier, Roll, Rule},
    content::{Attribute, Skill},
};

/// A skill check before its dice: the better attribute, the better skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub who: Id,
    /// In the game's words: "grapple".
    pub what: &'static str,
    pub modifiers: Vec<Modifier>,
}

impl Check {
    pub fn bonus(&self) -> i32 {
        self.modifiers.iter().map(|m| i32::from(m.value)).sum()
    }

    /// The same with something that this occasion adds.
    pub fn plus(mut self, value: i16, label: &'static str, rule: Rule) -> Self {
        if value != 0 {
            self.modifiers.push(Modifier::new(value, label, rule));
        }
        self
    }

    pub fn roll(&self, dice: &mut DiceBox) -> Roll {
        Roll {
            dice: vec![(6, dice.roll(6)), (6, dice.roll(6))],
            modifiers: self.modifiers.clone(),
        }
    }

    /// The event of this roll against a number, or against what somebody else
    /// rolled.
    pub fn told(&self, roll: Roll, against: i32, passed: bool) -> Change {
        Change::Checked {
            who: Some(self.who),
            side: None,
            what: self.what.into(),
            roll,
            against: Some(against),
            passed: Some(passed),
        }
    }

    /// The chance to reach a number.
    pub fn odds(&self, against: i32) -> Odds {
        Odds {
            favourable: ways_of_2d6(|n| n + self.bonus() >= against),
            of: 36,
        }
    }

    /// The chance to win against another's check: ties are the defender's.
    pub fn odds_against(&self, defender: &Self) -> Odds {
        let lead = self.bonus() - defender.bonus();
        let mut favourable = 0;
        for mine in 2..=12 {
            let lost = ways_of_2d6(|theirs| mine + lead > theirs);
            favourable += ways_of_2d6(|n| n == mine) * lost;
        }
        Odds {
            favourable,
            of: 36 * 36,
        }
    }
}

fn ways_of_2d6(wanted: impl Fn(i32) -> bool) -> u32 {
    let pairs = (1..=6).flat_map(|a| (1..=6).map(move |b| a + b));
    pairs.filter(|&n| wanted(n)).count() as u32
}

/// Rolls both checks and tells them. True: the first wins; ties are the
/// defender's.
pub fn opposed(
    rule: Rule,
    attacker: &Check,
    defender: &Check,
    dice: &mut DiceBox,
    flow: &mut Flow,
) -> bool {
    let (mine, theirs) = (attacker.roll(dice), defender.roll(dice));
    let (a, d) = (mine.total(), theirs.total());
    flow.emit(rule, attacker.told(mine, d, a > d));
    flow.emit(rule, defender.told(theirs, a, d >= a));
    a > d
}

/// One roll of `challenger` against one of each defender, all of them told:
/// those whom it beats. Ties are the defender's.
pub fn opposed_by_all(
    rule: Rule,
    challenger: &Check,
    defenders: &[Check],
    dice: &mut DiceBox,
    flow: &mut Flow,
) -> Vec<Id> {
    let mine = challenger.roll(dice);
    let total = mine.total();
    let theirs: Vec<Roll> = defenders.iter().map(|d| d.roll(dice)).collect();
    let best = theirs.iter().map(Roll::total).max().unwrap_or(0);
    flow.emit(rule, challenger.told(mine, best, total > best));
    let mut beaten = vec![];
    for (defender, roll) in defenders.iter().zip(theirs) {
        let holds = roll.total() >= total;
        flow.emit(rule, defender.told(roll, total, holds));
        if !holds {
            beaten.push(defender.who);
        }
    }
    beaten
}

impl Sk<'_, '_> {
    /// SK-62: attribute and skill, the better of each that fits; untrained −1.
    /// An NPC's one number is all there is.
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
            let trained = skills.iter().filter_map(|&s| Some((creature.skill(s)?, s)));
            let (level, label) = trained
                .rev()
                .max_by_key(|t| t.0)
                .map_or((-1, "untrained"), |(level, skill)| (level, skill.name()));
            vec![
                Modifier::new(value as i16, attribute.name(), "SK-62"),
                Modifier::new(level as i16, label, "SK-62"),
            ]
        } else {
            let n = creature.skill(skills[0]).unwrap_or(0);
            vec![Modifier::new(n as i16, "skill", "SK-62")]
        };
        Check {
            who,
            what,
            modifiers,
        }
    }

    /// What a Physical save must show on d20, a penalty in it. Below 2 every
    /// face saves, above 20 none (SK-62).
    pub fn save_needs(&self, who: Id, penalty: i32) -> i32 {
        self.view.creature(who).skirmish.physical_save + penalty
    }

    /// Rolls a Physical save and tells it. True: it is made.
    pub fn save(&self, who: Id, penalty: i32, dice: &mut DiceBox, flow: &mut Flow) -> bool {
        let mut modifiers = vec![];
        if penalty != 0 {
            modifiers.push(Modifier::new(-penalty as i16, "penalty", "SK-62"));
        }
        let roll = Roll::one(20, dice.roll(20), modifiers);
        let against = self.view.creature(who).skirmish.physical_save;
        let passed = roll.total() >= against;
        flow.emit(
            "SK-62",
            Change::Checked {
                who: Some(who),
                side: None,
                what: "Physical save".into(),
                roll,
                against: Some(against),
                passed: Some(passed),
            },
        );
        passed
    }
}
