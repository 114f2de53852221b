//! What Skirmish keeps of each combatant and of the round.

use crate::battle::Side;
use bevy::ecs::{component::Component, resource::Resource};
use serde::Serialize;

/// A combatant's round under Skirmish.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Fighter {
    /// Main actions left this round (SK-04).
    pub mains: u8,
    /// Move actions left this round (SK-04).
    pub moves: u8,
    /// Free actions taken this turn.
    pub frees: u8,
    /// Weapons drawn or swapped this turn (SK-21).
    pub draws: u8,
    /// Total defense, until the start of its next turn (SK-17).
    pub defending: bool,
    /// Whose attacks its movement does not draw this round, as a bit set (SK-19).
    pub disengaged: u64,
    /// Charged this round: AC −2 (SK-14).
    pub charged: bool,
    /// The shield has ignored a Shock this round (SK-42).
    pub shield_spent: bool,
    /// Has passed for the rest of the turn.
    pub done: bool,
    /// Mortally injured: rounds since the fall (SK-61).
    pub dying: Option<u8>,
    /// The last round in which it attacked with bare hands (SK-11).
    pub brawled: Option<u16>,
}

impl Fighter {
    /// As a battle begins.
    pub fn new() -> Self {
        Self {
            mains: 1,
            moves: 1,
            frees: 0,
            draws: 0,
            defending: false,
            disengaged: 0,
            charged: false,
            shield_spent: false,
            done: false,
            dying: None,
            brawled: None,
        }
    }

    /// A Move is left, or a Main that can be spent as one (SK-04).
    pub fn can_move(&self) -> bool {
        self.moves > 0 || self.mains > 0
    }

    /// What a Move would be paid with: Main actions are kept while they can be.
    pub fn move_price(&self) -> ActionCost {
        if self.moves > 0 {
            ActionCost::Move
        } else {
            ActionCost::MainAsMove
        }
    }
}

impl Default for Fighter {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the battle is in its round.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// Sides in the order of initiative, for the whole battle (SK-01).
    pub order: Vec<Side>,
    pub turn: Option<Side>,
    /// Sides that have heard their one call to parley (SK-20).
    pub parleyed: Vec<Side>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ActionCost {
    Main,
    Move,
    /// A Main, spent to get a second Move (SK-04).
    MainAsMove,
    Free,
    /// Drawing or swapping a weapon (SK-21).
    Draw,
}
