//! A check before its dice: who makes it, and the modifiers.

use crate::battle::{CheckRoll, DiceBox, Id, Modifier, Roll, Rule, StepOutcome, sum};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub who: Id,
    /// What the check is for, as the log calls it: "grapple".
    pub what: &'static str,
    pub modifiers: Vec<Modifier>,
    /// The number of dice, and the sides of each.
    pub dice: (u8, u16),
}

impl Check {
    pub fn new(who: Id, what: &'static str, modifiers: Vec<Modifier>, dice: (u8, u16)) -> Self {
        Self {
            who,
            what,
            modifiers,
            dice,
        }
    }

    /// A check with a d20.
    pub fn d20(who: Id, what: &'static str, modifiers: Vec<Modifier>) -> Self {
        Self::new(who, what, modifiers, (1, 20))
    }

    pub fn bonus(&self) -> i32 {
        sum(&self.modifiers)
    }

    pub fn roll(&self, dice: &mut DiceBox) -> Roll {
        let (count, sides) = self.dice;
        dice.roll_for(self.who);
        Roll {
            dice: (0..count).map(|_| (sides, dice.roll(sides))).collect(),
            modifiers: self.modifiers.clone(),
        }
    }

    /// Rolls against a target number, and logs it. True if the check passes.
    pub fn passes(
        &self,
        rule: Rule,
        against: i32,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool {
        let roll = self.roll(dice);
        let passed = roll.total() >= against;
        CheckRoll::by(self.who, self.what, roll).emit(rule, against, passed, outcome)
    }
}
