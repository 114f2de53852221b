//! What a level teaches: a few steps that the coach tells one after the other.

use super::CombatantIx;
use crate::grid::Cell;

/// The steps of a level that teaches, and the dice that they are written for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lesson {
    /// The battle's seed, unless another is asked for.
    pub seed: Option<u64>,
    /// The acts whose buttons the act bar shows, by name; empty shows all. It
    /// bars nothing: the others are a key away.
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
    /// What the player is told.
    pub text: String,
    /// `None`: it waits for the player to go on.
    pub until: Option<Until>,
    /// What it points at.
    pub at: Vec<Mark>,
}

/// What a step waits for. Of somebody who has fallen nothing is awaited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Until {
    /// This one, or any of the player's side, was sent to the area and came there, or
    /// stands there.
    Moved {
        who: Option<CombatantIx>,
        area: Vec<Cell>,
    },
    /// This one, or any of the player's side, has done the act of this name.
    Used {
        act: String,
        who: Option<CombatantIx>,
    },
    /// A unit of the player's side was ordered to attack one of these, and has; a
    /// reaction does not count.
    Attacked(Vec<CombatantIx>),
    /// None of these is left standing on the field.
    Defeated(Vec<CombatantIx>),
    /// The player points at one of these for a moment.
    Pointed(Vec<CombatantIx>),
    /// The player has taken this one in hand.
    Chosen(CombatantIx),
    /// The door in this cell stands open.
    Opened(Cell),
    /// The round has begun.
    Round(u32),
    /// Somebody of the player's side may react.
    Asked,
    /// The player has taken something back.
    Undone,
}

/// What a step points at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    Cells(Vec<Cell>),
    /// Wherever it stands.
    Person(CombatantIx),
    /// The button of the act of this name.
    Act(String),
    Panel(Panel),
}

/// Parts of the window that a step may point at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Panel {
    /// The button that ends the turn.
    EndTurn,
    /// The button that takes back.
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
