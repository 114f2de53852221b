//! Skill checks, opposed checks and saves (SK-62), and their chances.

use super::{odds::Odds, sk::Sk};
use crate::{
    battle::{Change, DiceBox, Id, Modifier, Roll, Rule},
    content::{Attribute, Skill},
};

/// How many dice of how many sides a skill check takes.
const CHECK: (u8, u16) = (2, 6);
/// The same for a save.
const SAVE: (u8, u16) = (1, 20);

/// A skill check before its dice: the better attribute, the better skill. Or a
/// save.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub who: Id,
    /// In the game's words: "grapple".
    pub what: &'static str,
    pub modifiers: Vec<Modifier>,
    /// How many, of how many sides.
    dice: (u8, u16),
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
        let (count, sides) = self.dice;
        Roll {
            dice: (0..count).map(|_| (sides, dice.roll(sides))).collect(),
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
        let sums = self.sums();
        let reach = sums.iter().filter(|&&n| n + self.bonus() >= against);
        Odds {
            favourable: reach.count() as u32,
            of: sums.len() as u32,
        }
    }

    /// The chance to win against another's check: ties are the defender's.
    pub fn odds_against(&self, defender: &Self) -> Odds {
        let lead = self.bonus() - defender.bonus();
        let (mine, theirs) = (self.sums(), defender.sums());
        let lost = |&n: &i32| theirs.iter().filter(|&&t| n + lead > t).count();
        Odds {
            favourable: mine.iter().map(lost).sum::<usize>() as u32,
            of: (mine.len() * theirs.len()) as u32,
        }
    }

    /// What the dice come to, in each of the ways in which they may fall.
    fn sums(&self) -> Vec<i32> {
        let (count, sides) = self.dice;
        let faces = || 1..=i32::from(sides);
        let first = faces().collect();
        (1..count).fold(first, |sums: Vec<i32>, _| {
            let next = sums.iter().flat_map(|sum| faces().map(move |n| sum + n));
            next.collect()
        })
    }
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
            dice: CHECK,
        }
    }

    /// What a Physical save must show on d20, a penalty in it. Below 2 every
    /// face saves, above 20 none (SK-62).
    pub fn save_needs(&self, who: Id, penalty: i32) -> i32 {
        self.view.creature(who).skirmish.physical_save + penalty
    }

    /// A Physical save, to be set against what [`save_needs`](Self::save_needs)
    /// says without a penalty.
    pub fn save(&self, who: Id, penalty: i32) -> Check {
        let save = Check {
            who,
            what: "Physical save",
            modifiers: vec![],
            dice: SAVE,
        };
        save.plus(-penalty as i16, "penalty", "SK-62")
    }
}
