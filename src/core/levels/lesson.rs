//! The lesson of a level: steps that the coach card explains one after the other.

use super::CombatantIx;
use crate::grid::Cell;

/// A lesson: its steps, and the seed that they are written for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lesson {
    /// The battle's seed, unless the player asks for another.
    pub seed: Option<u64>,
    /// Names of the actions with buttons in the action bar; empty for all. Other actions
    /// stay available by key.
    pub acts: Vec<String>,
    /// Reactions to explain the first time that the player can use them or any unit has
    /// used them: the name of the action, and the text.
    pub reactions: Vec<(String, String)>,
    /// At least one step.
    pub steps: Vec<LessonStep>,
}

impl Lesson {
    /// The explanation of a reaction, by the name of its action.
    pub fn explains(&self, act: &str) -> Option<&str> {
        let known = self.reactions.iter().find(|(name, _)| name == act);
        known.map(|(_, text)| text.as_str())
    }

    /// Whether the action bar shows a button for any of these actions.
    pub fn shows<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> bool {
        self.acts.is_empty() || names.any(|name| self.acts.iter().any(|act| act == name))
    }
}

/// One step of a lesson. It ends when its condition is met or the player presses Next.
/// Orders count from the round in which the step began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LessonStep {
    /// The text for the player.
    pub text: String,
    /// The condition. `None`: the step waits for the player to continue.
    pub until: Option<Until>,
    /// What the step points at.
    pub at: Vec<LessonMark>,
}

/// The condition that ends a step. Steps about fallen units are skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Until {
    /// This unit (`None`: any unit of the player's side) stands in the area, or was ordered
    /// there and arrived.
    Moved {
        who: Option<CombatantIx>,
        area: Vec<Cell>,
    },
    /// This unit (`None`: any unit of the player's side) has used the action of this name.
    Used {
        act: String,
        who: Option<CombatantIx>,
    },
    /// A unit of the player's side was ordered to attack one of these units and did so.
    /// Reactions do not count.
    Attacked(Vec<CombatantIx>),
    /// None of these units is standing on the field.
    Defeated(Vec<CombatantIx>),
    /// The player has pointed at one of these units for a moment.
    Pointed(Vec<CombatantIx>),
    /// The player has selected this unit.
    Chosen(CombatantIx),
    /// The door in this cell is open.
    Opened(Cell),
    /// This round has begun.
    Round(u32),
    /// All sides have declared, and the round runs.
    Declared,
    /// A unit of the player's side can react.
    Asked,
    /// The player has undone something.
    Undone,
}

/// Something that a step points at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LessonMark {
    Cells(Vec<Cell>),
    /// A unit, wherever it stands.
    Unit(CombatantIx),
    /// The button for the action of this name.
    Act(String),
    Panel(Panel),
}

file_words! {
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
}
