//! When units may react, and the actions that exist only as reactions.

use super::Skirmish;
use crate::battle::{Action, Choice, Id, Rule, Side};
use crate::rulesets::common::{attacks, reactions, verbs};

/// What units can react to under Skirmish.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Attacks were rolled and not yet resolved (SK-12, SK-17, SK-71).
    Rolled(Vec<u32>),
    /// A check or save was rolled and has not taken effect. No unit is asked by default (SK-04).
    Checked {
        who: Id,
        what: &'static str,
        passed: bool,
    },
    /// `by` provokes attacks of opportunity from these enemies (SK-06).
    Provoked {
        by: Id,
        enemies: Vec<Id>,
        rule: Rule,
    },
    /// A unit is about to take this action; its cost is paid (SK-26).
    Declared(Choice),
    /// `by` has taken a step of its move and come near these units, or has ended its move while
    /// they hold an action.
    Near { by: Id, enemies: Vec<Id> },
    /// `by` casts a spell, which a wound would disrupt (SK-70).
    Casting { by: Id },
    /// A side's turn is over: held actions can be taken before the next turn.
    TurnOver(Side),
    /// A side's turn begins. No unit is asked by default.
    TurnBegins(Side),
    /// A unit has taken this action. No unit is asked by default.
    After(Choice),
}

/// The reaction window of a trigger.
pub type Reactions = reactions::Reactions<Skirmish>;

/// An attack of opportunity (SK-06).
pub static OPPORTUNITY: Action = attacks::opportunity("SK-06");

verbs! {
    /// Rerolls the unit's own attack, or a check against an opponent (SK-71).
    REROLL = "roll again", "roll again against {at}", "rolls again against {at}", "SK-71";
}
