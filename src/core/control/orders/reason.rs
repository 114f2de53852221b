//! Why a plan cannot be carried out.

use crate::{
    battle::{Id, Names, Why},
    grid::Cell,
};

/// What keeps a unit from its plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// Its target is down or dead, or has left the battle.
    Gone { target: Id, has_left: bool },
    /// An enemy is adjacent to it.
    Adjacent { enemy: Id, who: Id },
    /// Its target is this many feet away.
    OutOfReach { target: Id, feet: u16 },
    /// Another unit is where it is to go.
    Occupied { by: Id },
    /// No path leads there.
    NoPath { to: Cell },
    /// The only way to move leads away from its target.
    LeadsAway,
    /// Its spell cannot be aimed at its target, or at its cell, now.
    NoAim { at: Option<Id> },
    /// The rules do not allow it.
    Refused { target: Option<Id>, why: Why },
}

impl Reason {
    /// In words: "Goblin 1 is already down".
    pub fn text(&self, names: &Names) -> String {
        let name = |id: Id| names.title(id);
        match self {
            Self::Gone {
                target,
                has_left: true,
            } => format!("{} has left the battle", name(*target)),
            Self::Gone { target, .. } => format!("{} is already down", name(*target)),
            Self::Adjacent { enemy, who } => {
                format!("{} is next to {}", name(*enemy), name(*who))
            }
            Self::OutOfReach { target, feet } => {
                format!("{} is out of reach, {feet} ft away", name(*target))
            }
            Self::Occupied { by } => format!("{} is there", name(*by)),
            Self::NoPath { .. } => String::from("no path there now"),
            Self::LeadsAway => String::from("this path only leads away"),
            Self::NoAim { at: Some(at) } => format!("the spell can't target {} now", name(*at)),
            Self::NoAim { at: None } => String::from("the spell can't be aimed there now"),
            Self::Refused {
                target: Some(at),
                why,
            } => format!("{}: {}", name(*at), why.text),
            Self::Refused { target: None, why } => why.text.to_string(),
        }
    }
}
