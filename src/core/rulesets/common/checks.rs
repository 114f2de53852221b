//! A check before its dice: who makes it, and the modifiers.

use crate::battle::{CheckRoll, DiceBox, EventKind, Id, Modifier, Roll, sum};

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

    /// The event of this roll, against a number or another unit's total.
    pub fn event(
        &self,
        roll: Roll,
        against: impl Into<Option<i32>>,
        passed: impl Into<Option<bool>>,
    ) -> EventKind {
        CheckRoll::by(self.who, self.what, roll)
            .against(against)
            .passed(passed)
            .into()
    }
}
