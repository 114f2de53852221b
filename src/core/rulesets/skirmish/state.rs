//! What Skirmish keeps of each combatant and of the round.

use crate::battle::{Id, Item, Side, SpellId};
use bevy_ecs::{component::Component, resource::Resource};
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

/// What a combatant suspects, and whom it stalks.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Watch {
    /// Suspects nothing, and takes no part until alarmed.
    pub unaware: bool,
    pub stalk: Option<Stalk>,
}

/// An execution that is being prepared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Stalk {
    pub at: Id,
    /// Rounds spent near the victim, one after the other.
    pub near: u8,
    /// Rounds spent taking aim, one after the other.
    pub aimed: u8,
    /// A Main went into something else this round.
    pub busy: bool,
}

/// Whom a combatant holds, and who holds it.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Grip {
    /// The one held (SK-51).
    pub holds: Option<Id>,
    /// Those who hold it, as a bit set.
    pub held_by: u64,
    /// Whom the attack of its maneuver has just hit: the check that follows is
    /// against this one, whoever was aimed at.
    pub opening: Option<Id>,
}

/// What somebody has shot and not loaded again, by kind. A battle begins with
/// everything loaded.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Loads {
    pub empty: Vec<Item>,
}

/// What a combatant has cast.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Magic {
    /// Castings so far of each spell that it has cast.
    pub cast: Vec<(SpellId, u8)>,
}

impl Magic {
    pub fn times_cast(&self, spell: SpellId) -> u8 {
        let found = self.cast.iter().find(|c| c.0 == spell);
        found.map_or(0, |c| c.1)
    }
}

/// What a combatant waits for, guards and hides.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Stance {
    /// Keeps the rest of its turn for later in the round (SK-26).
    pub holding: bool,
    /// The swarm that it is one of, until its side's turn ends (SK-13).
    pub swarm: Option<Swarm>,
    /// Those who screen it, as a bit set (SK-15).
    pub screened_by: u64,
    /// The attackers whom it has answered as a screener this round, as a bit set.
    pub answered: u64,
    /// Caught by surprise: it answers nothing in the free round (SK-03).
    pub surprised: bool,
    /// Nobody of another side knows where it is (SK-03).
    pub hidden: bool,
    /// Has rolled a die again: once a battle (SK-71).
    pub rerolled: bool,
    /// Has had its second Main: once a battle (SK-71).
    pub spare_spent: bool,
}

/// Taking part in a swarm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Swarm {
    pub at: Id,
    /// One of it has attacked for all.
    pub struck: bool,
}

impl Stance {
    /// As a battle begins.
    pub fn new(hidden: bool) -> Self {
        Self {
            hidden,
            ..Self::default()
        }
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
