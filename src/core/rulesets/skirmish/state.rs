//! What Skirmish stores for each unit and for the round.

use crate::battle::{Id, Item, Side};
use crate::rulesets::common::castings::Castings;
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// A unit's actions and state in the round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// Main actions left this round (SK-04).
    pub mains: u8,
    /// Move actions left this round (SK-04).
    pub moves: u8,
    /// Free actions taken this turn.
    pub frees: u8,
    /// Weapons drawn or swapped this turn (SK-21).
    pub draws: u8,
    /// Total Defense, until the start of the unit's next turn (SK-17).
    pub defending: bool,
    /// The enemies from which it has disengaged this round, as a bit set: its moves and actions do
    /// not provoke them (SK-19).
    pub disengaged: u64,
    /// Charged this round: AC −2 (SK-14).
    pub charged: bool,
    /// Whether the shield has stopped a Shock this round (SK-42).
    pub shield_spent: bool,
    /// Whether the unit has ended its turn.
    pub done: bool,
    /// For a mortally injured unit, the rounds since it fell (SK-61).
    pub dying: Option<u8>,
    /// The last round in which it made an unarmed attack (SK-11).
    pub brawled: Option<u16>,
    /// The weapons that it has shot and not reloaded. All weapons start loaded.
    pub unloaded: Vec<Item>,
    /// The spells that it has cast.
    pub castings: Castings,
}

impl Fighter {
    /// Whether a Move is left, or a Main in its place (SK-04).
    pub fn can_move(&self) -> bool {
        self.moves > 0 || self.mains > 0
    }

    /// What a Move costs: the Move if it is left, else a Main.
    pub fn move_price(&self) -> ActionCost {
        if self.moves > 0 {
            ActionCost::Move
        } else {
            ActionCost::MainAsMove
        }
    }
}

/// A unit's awareness, and its stalk (SK-56).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Alertness {
    /// Whether the unit is unaware: it takes no part until alarmed.
    pub unaware: bool,
    pub stalk: Option<Stalk>,
}

/// The preparation of an execution (SK-56).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Stalk {
    pub at: Id,
    /// Consecutive rounds within 30 ft of the victim.
    pub near: u8,
    /// Consecutive rounds of taking aim.
    pub aimed: u8,
    /// Whether a Main went into something else this round.
    pub busy: bool,
}

/// Which unit this unit holds, and which units hold it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GrappleState {
    /// The unit that it holds (SK-51).
    pub holds: Option<Id>,
    /// The units that hold it, as a bit set.
    pub held_by: u64,
    /// The unit that its maneuver's attack has just hit, which may be a screener. The opposed check
    /// is against this unit.
    pub opening: Option<Id>,
}

/// A unit's holding, swarm, screens and hiding.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stance {
    /// Whether it holds the rest of its turn for later in the round (SK-26).
    pub holding: bool,
    /// The swarm that it belongs to, until its side's turn ends (SK-13).
    pub swarm: Option<Swarm>,
    /// The units that screen it, as a bit set (SK-15).
    pub screened_by: u64,
    /// The attackers that it has answered as a screener this round, as a bit set.
    pub answered: u64,
    /// Whether it is surprised: it can't react in the free round (SK-03).
    pub surprised: bool,
    /// Whether other sides do not know where it is (SK-03).
    pub hidden: bool,
    /// Whether it has used its reroll, once per battle (SK-71).
    pub rerolled: bool,
    /// Whether it has used its spare Main, once per battle (SK-71).
    pub spare_spent: bool,
}

/// A unit's membership in a swarm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Swarm {
    pub at: Id,
    /// Whether the swarm has made its attack.
    pub struck: bool,
}

/// Round and turn of the battle.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// Sides in order of initiative, for the whole battle (SK-01).
    pub order: Vec<Side>,
    pub turn: Option<Side>,
    /// Sides that have heard their one call to parley (SK-20).
    pub parleyed: Vec<Side>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ActionCost {
    Main,
    Move,
    /// A Main in place of a Move (SK-04).
    MainAsMove,
    Free,
    /// Drawing or swapping a weapon (SK-21).
    Draw,
}
