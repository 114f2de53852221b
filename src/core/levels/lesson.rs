//! The lesson of a level: steps that the coach explains one after the other.

use super::CombatantIx;
use crate::grid::Cell;

/// The steps of a lesson, and the seed that they are written for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lesson {
    /// The battle's seed, unless the player asks for another.
    pub seed: Option<u64>,
    /// The names of the actions that have buttons in the action bar; empty for all.
    /// Other actions stay available by key.
    pub acts: Vec<String>,
    /// Reactions that are explained the first time that the player may react so, or a unit
    /// has: the name of the act, and the text.
    pub reactions: Vec<(String, String)>,
    /// At least one.
    pub steps: Vec<Step>,
}

impl Lesson {
    /// The text about a reaction with this act.
    pub fn explains(&self, act: &str) -> Option<&str> {
        let known = self.reactions.iter().find(|(name, _)| name == act);
        known.map(|(_, text)| text.as_str())
    }

    /// The bar shows a button that stands for one of these acts.
    pub fn shows<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> bool {
        self.acts.is_empty() || names.any(|name| self.acts.iter().any(|act| act == name))
    }
}

/// One thing to be done. A step is over once what it waits for has come about; orders
/// count from the round in which the step began. Or when the player presses Next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The text for the player.
    pub text: String,
    /// The condition. `None`: the step waits for the player to continue.
    pub until: Option<Until>,
    /// What the step points at.
    pub at: Vec<Mark>,
}

/// The condition of a step. Conditions about fallen units are skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Until {
    /// This one, or any of the player's side, was sent to the area and came there, or
    /// stands there.
    Moved {
        who: Option<CombatantIx>,
        area: Vec<Cell>,
    },
    /// This unit, or any unit of the player's side, has done the action of this name.
    Used {
        act: String,
        who: Option<CombatantIx>,
    },
    /// A unit of the player's side was ordered to attack one of these, and has; a
    /// reaction does not count.
    Attacked(Vec<CombatantIx>),
    /// None of these units is still standing on the field.
    Defeated(Vec<CombatantIx>),
    /// The player points at one of these for a moment.
    Pointed(Vec<CombatantIx>),
    /// The player has selected this unit.
    Chosen(CombatantIx),
    /// The door in this cell is open.
    Opened(Cell),
    /// This round has begun.
    Round(u32),
    /// A unit of the player's side can react.
    Asked,
    /// The player has undone something.
    Undone,
}

/// What a step points at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    Cells(Vec<Cell>),
    /// The unit, wherever it stands.
    Person(CombatantIx),
    /// The button of the action of this name.
    Act(String),
    Panel(Panel),
}

/// Parts of the window that a step can point at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Panel {
    /// The button that ends the turn.
    EndTurn,
    /// The undo button.
    Undo,
    /// The button that opens the codex.
    Codex,
    /// The card at the upper right.
    Card,
    Log,
}

impl Panel {
    pub const ALL: [(&str, Self); 5] = [
        ("EndTurn", Self::EndTurn),
        ("Undo", Self::Undo),
        ("Codex", Self::Codex),
        ("Card", Self::Card),
        ("Log", Self::Log),
    ];
}
