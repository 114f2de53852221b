//! What Phased stores for each unit and for the round.

use crate::{
    battle::{Id, Item, Names, Side, SpellId},
    grid::Cell,
    rulesets::common::castings::Castings,
};
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// A unit's state under Phased.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// What the unit declared (PH-07); `None` until it declares.
    pub plan: Option<DeclaredPlan>,
    /// The major action of the round is spent (PH-10).
    pub spent: bool,
    /// Segments of minor activities done before the major action (PH-11).
    pub segments: u8,
    /// Number of simple activities this round (PH-12).
    pub simples: u8,
    pub passed_up: PassedUp,
    /// The weapon drawn this round by a separate action (PH-12).
    pub drawn: Option<Item>,
    /// Attack routines left for the end of the round (PH-01).
    pub routines: u8,
    /// The [`Clock::stamp`] of the part in which the unit last made a free attack (PH-40).
    pub struck_free: u16,
    /// Enemies that have made their free attack on the unit this round, as a bit set.
    pub drew_free: u64,
    /// The spell that the unit is casting (PH-22).
    pub casting: Option<Casting>,
    /// The unit has begun or used its one spell of the round (PH-22).
    pub spelled: bool,
    pub castings: Castings,
    /// The spell that the unit keeps up by concentration (PH-21).
    pub upkeep: Option<Upkeep>,
    /// The complex activity that the unit is doing (PH-14).
    pub work: Option<Work>,
    /// Charged this round (PH-42).
    pub charged: bool,
    /// Listens to a parley and has not been attacked since (PH-04).
    pub listens: bool,
    /// Surprised: takes no part in the first round (PH-06).
    pub surprised: bool,
    /// Not yet seen by the other sides.
    pub hidden: bool,
    /// Unconscious and losing a hit point each round (PH-60).
    pub bleeding: bool,
    /// Missile weapons that must be loaded (PH-15).
    pub unloaded: Vec<Item>,
    /// Sides that have seen that bodies cannot touch the unit (PH-37), as a bit set.
    pub seen_hedged: u8,
    /// Sides that have seen that weapons or effects don't harm the unit, as a bit set.
    pub seen_immune: u8,
    /// Has taken position this round (PH-13).
    pub positioned: bool,
    /// Has done a delaying activity, so its further actions can come in LOW (PH-15).
    pub lags: bool,
}

/// What a unit has passed up this round. It is revealed with the unit when it comes out of hiding,
/// because it decides when the unit acts.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PassedUp {
    /// Declared a delay: the unit acts in LOW without the delayed condition (PH-16).
    pub late: bool,
    /// Has the delayed condition (PH-17).
    pub delayed: bool,
    /// Lost the major action by a delay in LOW, so it was not taken (PH-13).
    pub forgone: bool,
    /// The [`Clock::stamp`] of the part of the round in which the unit passed.
    pub passed: u16,
    /// In this part of the round, the unit has passed on weapons of this speed or faster.
    pub waited: u8,
}

/// What a unit has declared (PH-07).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclaredPlan {
    /// Nothing special: the unit decides on its turn.
    Open,
    Parley,
    Flee,
    Charge {
        at: Id,
        with: Item,
    },
    Cast {
        spell: u8,
    },
    /// A weapon set against a charge (PH-42).
    Set {
        with: Item,
    },
    /// An attack, then a simple activity (PH-11).
    After,
    Work {
        what: Job,
    },
}

impl DeclaredPlan {
    /// The part of the round of a fast action (PH-05); `None` for other plans.
    pub fn fast_part(self) -> Option<PhasePart> {
        match self {
            Self::Parley => Some(PhasePart::Parley),
            Self::Flee => Some(PhasePart::Flee),
            Self::Charge { .. } => Some(PhasePart::Charge),
            _ => None,
        }
    }
}

/// A complex activity (PH-14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    Bind {
        at: Id,
    },
    Load {
        with: Item,
    },
    /// Taking an item from the pack, which is complex for a delayed unit (PH-15).
    Unpack {
        with: Item,
    },
}

impl Job {
    /// The activity as an order: "bandage mara".
    pub fn describe(&self, names: &Names) -> String {
        match self {
            Self::Bind { at } => format!("bandage {}", names.name(*at)),
            Self::Load { with } => format!("load {}", names.item(*with)),
            Self::Unpack { with } => format!("get {} out of the pack", names.item(*with)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Work {
    pub what: Job,
    /// Ends of round until the work is done.
    pub rounds: u8,
}

/// A spell in the process of being cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Casting {
    pub spell: SpellId,
    /// The target, once it is named (PH-23).
    pub at: Option<Id>,
    pub to: Option<Cell>,
    /// Casting segments left at the start of this round, plus those of minor actions during the
    /// casting (PH-11).
    pub segments: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upkeep {
    pub spell: SpellId,
    /// The units under the spell, as a bit set.
    pub on: u64,
}

impl Fighter {
    /// A delay puts the unit in LOW, whatever its side rolled (PH-16, PH-17).
    pub fn waits_for_low(&self) -> bool {
        self.passed_up.late || self.passed_up.delayed
    }

    /// Whether the unit casts or keeps up a spell, which a break of concentration would end
    /// (PH-20).
    pub fn concentrates(&self) -> bool {
        self.casting.is_some() || self.upkeep.is_some()
    }
}

/// The battle's round and its current part.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    pub part: PhasePart,
    pub group: Group,
    /// Counts the parts of rounds for each group. Actions of one kind in one group's turn share a
    /// segment (PH-40), and so a stamp.
    pub stamp: u16,
    /// Each side's initiative die; empty until it is rolled (PH-02).
    pub initiative: Vec<u16>,
    /// The sides that have had their parley, as a bit set.
    pub parleyed: u8,
}

impl Clock {
    /// A side's group (PH-02); HIGH until initiative is rolled.
    pub fn group_of(&self, side: Side) -> Group {
        let best = self.initiative.iter().max();
        match (self.initiative.get(side.index()), best) {
            (Some(die), Some(best)) if die < best => Group::Low,
            _ => Group::High,
        }
    }
}

/// The steps of a round (PH-01), and the kinds of action within a group's turn (PH-04).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PhasePart {
    #[default]
    Declare,
    Parley,
    Flee,
    Charge,
    /// Units that always act first.
    First,
    /// First routines of units with several.
    Multi,
    Innate,
    Missile,
    Melee,
    Other,
    /// Remaining routines of units with several.
    Rest,
    Spells,
    /// Units that always act last.
    Last,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum Group {
    #[default]
    High,
    Low,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "HIGH",
            Self::Low => "LOW",
        }
    }
}

impl PhasePart {
    /// The parts before both groups, in order (PH-01).
    pub const FAST: [Self; 5] = [
        Self::Parley,
        Self::Flee,
        Self::Charge,
        Self::First,
        Self::Multi,
    ];
    /// The kinds of action in a group's turn, in order (PH-04).
    pub const KINDS: [Self; 4] = [Self::Innate, Self::Missile, Self::Melee, Self::Other];

    pub fn name(self) -> &'static str {
        match self {
            Self::Declare => "declarations",
            Self::Parley => "parleys",
            Self::Flee => "fleeing",
            Self::Charge => "charges",
            Self::First => "who goes first",
            Self::Multi => "first routines",
            Self::Innate => "innate abilities",
            Self::Missile => "missiles",
            Self::Melee => "melee",
            Self::Other => "other acts",
            Self::Rest => "remaining routines",
            Self::Spells => "spells",
            Self::Last => "who goes last",
            Self::End => "end of the round",
        }
    }

    /// Whether both groups have had their turns. An effect that begins then counts the next round
    /// as its first (PH-60).
    pub fn is_late(self) -> bool {
        self >= Self::Spells
    }

    /// In these parts a unit can take every kind of action.
    pub fn is_whole_turn(self) -> bool {
        matches!(self, Self::First | Self::Last)
    }

    pub fn has_other(self) -> bool {
        self == Self::Other || self.is_whole_turn()
    }
}
