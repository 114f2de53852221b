//! When others may react, and the verbs of what only answers others.

use super::Skirmish;
use crate::rulesets::common::attacks;
use crate::{
    battle::{Action, Choice, Id, Rule, Side},
    rulesets::common::reactions,
};

/// When others may react under Skirmish.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Attacks were rolled and not yet settled (SK-12, SK-17, SK-71).
    Rolled(Vec<u32>),
    /// A check or a save was rolled, and nothing has come of it yet: nobody is
    /// asked by default (SK-04).
    Checked {
        who: Id,
        what: &'static str,
        passed: bool,
    },
    /// `by` does what draws attacks of opportunity from these foes (SK-06).
    Provoked { by: Id, foes: Vec<Id>, rule: Rule },
    /// Somebody is about to do this; it is paid for (SK-26).
    Declared(Choice),
    /// `by`, on its way, has made a step, and come near these foes, or before
    /// their eyes.
    Near { by: Id, foes: Vec<Id> },
    /// `by` casts a spell, which a wound would spoil (SK-70).
    Casting { by: Id },
    /// A side has had its turn: held actions may still come before the next.
    TurnOver(Side),
    /// A side's turn begins: nobody is asked by default.
    TurnBegins(Side),
    /// Somebody has done this: nobody is asked by default.
    After(Choice),
}

/// The window of such a moment.
pub type Reactions = reactions::Reactions<Skirmish>;

pub static OPPORTUNITY: Action = attacks::opportunity("SK-06");

/// To roll again for one's own attack, or for a check against somebody (SK-71).
pub static REROLL: Action = Action::new(
    "roll again",
    "roll again against {at}",
    "rolls again against {at}",
    "SK-71",
);
