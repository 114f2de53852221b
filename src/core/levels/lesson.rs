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
    /// At least one step.
    pub steps: Vec<Step>,
}

impl Lesson {
    /// Whether the action bar shows a button that stands for one of these actions.
    pub fn shows<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> bool {
        self.acts.is_empty() || names.any(|name| self.acts.iter().any(|act| act == name))
    }
}

/// One thing to do. A step is complete once its condition was met at any time in this
/// battle, or when the player continues to the next step.
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
    /// This unit, or any unit of the player's side, has stood in the area.
    Moved {
        who: Option<CombatantIx>,
        area: Vec<Cell>,
    },
    /// This unit, or any unit of the player's side, has done the action of this name.
    Used {
        act: String,
        who: Option<CombatantIx>,
    },
    /// A unit of the player's side has attacked one of these units.
    Attacked(Vec<CombatantIx>),
    /// None of these units is still standing on the field.
    Defeated(Vec<CombatantIx>),
    /// The player points at one of these units.
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
