//! What Segments keeps of each combatant, and of the battle.

use crate::battle::{Id, Item, Side, SpellId};
use crate::rulesets::segments::numbers;
use bevy_ecs::{component::Component, resource::Resource};
use serde::Serialize;

/// A combatant's round under Segments.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// Segments for which it is surprised at the start (SE-13).
    pub surprised: u8,
    /// What it has declared for this round; none before it has (SE-20).
    pub intent: Option<Intent>,
    /// The segment in which it acts next, 1 to 10; 0: no more in this round.
    pub due: u8,
    /// What is due is a further attack routine, nothing else (SE-34).
    pub further: bool,
    /// The segments of this round in which it has acted, a bit for each.
    pub acted: u16,
    /// Attack routines left in this round.
    pub routines: u8,
    pub casting: Option<Casting>,
    /// How often each spell has been cast, or lost.
    pub spent: Vec<(SpellId, u8)>,
    /// The round of its last charge, 0 in a surprise segment (SE-51).
    pub charged: Option<u16>,
    /// Courage wavers: they withdraw once (SE-55).
    pub falls_back: bool,
    /// Stands with a spear set in this surprise segment (SE-14).
    pub braced: bool,
    /// Down, and losing a hit point a round (SE-54).
    pub bleeding: bool,
}

/// What one declares before initiative is rolled, in general terms (SE-20).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// To strike, or to charge.
    Attack,
    /// To shoot or throw.
    Missiles,
    /// To go somewhere, or do something else.
    Move,
    /// To stand with a spear set against a charge (SE-51).
    Set,
    Cast(SpellId),
}

/// A spell that is being cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Casting {
    pub spell: SpellId,
    /// The moment of [`Clock::now`] at which it takes effect (SE-40).
    pub ready: i32,
}

/// Where the battle is in its round.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    /// 0 while surprise lasts (SE-10).
    pub round: u16,
    /// 1 to 10; 0 before the first segment of a round.
    pub segment: u8,
    /// Surprise segments at the start of the battle.
    pub surprise: u8,
    /// For each side the segment in which it acts (SE-30); 0 if it rolled
    /// nothing.
    pub initiative: Vec<u8>,
}

impl Clock {
    /// Segments since the battle began, in one count: the first segment of the
    /// first round is 1, the last surprise segment 0, the one before it -1.
    pub fn now(&self) -> i32 {
        let segment = i32::from(self.segment);
        match self.round {
            0 => segment - i32::from(self.surprise),
            round => (i32::from(round) - 1) * numbers::ROUND + segment,
        }
    }

    /// The surprise segment with whose end a spell is complete that is ready at
    /// this moment (SE-14); none if it goes on in the first round.
    pub fn surprise_segment_of(&self, ready: i32) -> Option<u8> {
        let ends = ready - 1 + i32::from(self.surprise);
        let this = self.round == 0 && ready <= 1;
        u8::try_from(ends).ok().filter(|_| this)
    }

    /// The segment of this round that a moment is.
    pub fn segment_of(&self, moment: i32) -> i32 {
        moment - (i32::from(self.round) - 1) * numbers::ROUND
    }
}

impl Fighter {
    /// How often it has cast a spell.
    pub fn uses_of(&self, spell: SpellId) -> u8 {
        let found = self.spent.iter().find(|s| s.0 == spell);
        found.map_or(0, |s| s.1)
    }

    /// Stands with a spear set, and has done nothing else yet (SE-51).
    pub fn is_set(&self) -> bool {
        let declared = self.intent == Some(Intent::Set) && self.due > 0 && !self.further;
        declared || self.braced
    }
}

/// One blow of a volley: an attack, and what is particular about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Blow {
    pub attack: crate::battle::Attack,
    /// Damage is multiplied by this: 2 of a spear set against a charge (SE-51).
    pub times: u8,
}

impl Blow {
    pub fn new(by: Id, at: Id, with: Item, ranged: bool, rule: crate::battle::Rule) -> Self {
        let attack = crate::battle::Attack::new(by, at, with, ranged, rule);
        Self { attack, times: 1 }
    }

    /// The same with something that this occasion adds to the die.
    pub fn plus(mut self, value: i16, label: &'static str, rule: crate::battle::Rule) -> Self {
        let extra = crate::battle::Modifier::new(value, label, rule);
        self.attack.extra.push(extra);
        self
    }
}

/// A side's segment of this round.
pub fn segment_of(clock: &Clock, side: Side) -> u8 {
    clock.initiative.get(side.index()).copied().unwrap_or(0)
}
