//! What Segments stores for each unit and for the battle.

use crate::battle::{Id, Item, Side, SpellId};
use crate::rulesets::{common::castings::Castings, segments::numbers};
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// A unit's state under Segments.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// Segments for which the unit is surprised at the start (SE-13).
    pub surprised: u8,
    /// What the unit declared for this round; `None` until it declares (SE-20).
    pub intent: Option<Intent>,
    /// The segment in which the unit acts next, 1 to 10; 0: not again this round.
    pub due: u8,
    /// Only a further attack routine is due (SE-34).
    pub further: bool,
    /// The segments of this round in which the unit has acted, as a bit set.
    pub acted: u16,
    /// Attack routines left this round.
    pub routines: u8,
    pub casting: Option<Casting>,
    /// What the unit has cast or lost.
    pub castings: Castings,
    /// The round of the unit's last charge; 0 for a surprise segment (SE-51).
    pub charged: Option<u16>,
    /// The unit failed a morale check and withdraws once (SE-55).
    pub falls_back: bool,
    /// The unit has a spear set in this surprise segment (SE-14).
    pub braced: bool,
    /// The unit is down and loses a hit point each round (SE-54).
    pub bleeding: bool,
}

/// What a unit declares before initiative, in general terms (SE-20).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Melee attack or charge.
    Attack,
    /// Shoot or throw.
    Missiles,
    /// Move, or an action that is no attack.
    Move,
    /// Set a spear against a charge (SE-51).
    Set,
    Cast(SpellId),
}

/// A spell in the process of being cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Casting {
    pub spell: SpellId,
    /// When the spell takes effect, as [`Clock::now`] counts (SE-40).
    pub ready: i32,
}

/// The battle's round and segment.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    /// 0 while surprise lasts (SE-10).
    pub round: u16,
    /// 1 to 10; 0 before the first segment of a round.
    pub segment: u8,
    /// Number of surprise segments at the start of the battle.
    pub surprise: u8,
    /// The segment in which each side acts (SE-30); 0 if it did not roll.
    pub initiative: Vec<u8>,
}

impl Clock {
    /// Whether units are declaring their round.
    pub fn is_declaring(&self) -> bool {
        self.round > 0 && self.segment == 0
    }

    /// The current moment in segments: the first segment of round 1 is 1, the last surprise segment
    /// 0, the one before it -1.
    pub fn now(&self) -> i32 {
        let segment = i32::from(self.segment);
        match self.round {
            0 => segment - i32::from(self.surprise),
            round => (i32::from(round) - 1) * numbers::ROUND + segment,
        }
    }

    /// The surprise segment at whose end a spell with this `ready` moment is complete (SE-14);
    /// `None` if it is complete in a round.
    pub fn surprise_segment_of(&self, ready: i32) -> Option<u8> {
        let ends = ready - 1 + i32::from(self.surprise);
        let this = self.round == 0 && ready <= 1;
        u8::try_from(ends).ok().filter(|_| this)
    }

    /// A moment as a segment of this round; above 10 it is in a later round.
    pub fn segment_of(&self, moment: i32) -> i32 {
        moment - (i32::from(self.round) - 1) * numbers::ROUND
    }
}

impl Fighter {
    /// The unit has a spear set and has not acted yet (SE-51).
    pub fn is_set(&self) -> bool {
        let declared = self.intent == Some(Intent::Set) && self.due > 0 && !self.further;
        declared || self.braced
    }
}

/// One attack of a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct AttackSpec {
    pub attack: crate::battle::Attack,
    /// Damage multiplier: 2 for a spear set against a charge (SE-51).
    pub times: u8,
}

impl AttackSpec {
    pub fn new(by: Id, at: Id, with: Item, ranged: bool, rule: crate::battle::Rule) -> Self {
        let attack = crate::battle::Attack::new(by, at, with, ranged, rule);
        Self { attack, times: 1 }
    }

    /// The attack of a set spear on a charging enemy: double damage (SE-51).
    pub fn of_set_spear(by: Id, at: Id, spear: Item) -> Self {
        Self {
            times: 2,
            ..Self::new(by, at, spear, false, "SE-51")
        }
    }

    /// Adds a modifier to the attack roll.
    pub fn plus(mut self, value: i16, label: &'static str, rule: crate::battle::Rule) -> Self {
        let extra = crate::battle::Modifier::new(value, label, rule);
        self.attack.extra.push(extra);
        self
    }
}

/// The segment in which a side acts this round; 0 if it has none.
pub fn segment_of(clock: &Clock, side: Side) -> u8 {
    clock.initiative.get(side.index()).copied().unwrap_or(0)
}
