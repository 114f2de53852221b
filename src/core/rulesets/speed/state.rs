//! What Speed stores for each unit.

use super::{
    content::{Ability, DamageType, SpeedStats},
    declared::{Declared, HOLD},
    numbers::{ArmLimit, SpeedCondition},
};
use crate::battle::{Body, Id, SpellId, State};
use crate::rulesets::common::castings::Castings;
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// A unit's state under Speed. Its Wound Points are the body's hit points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// Base initiative, rolled once (SP-02). `None` until the unit has entered.
    pub base: Option<i32>,
    pub stress: i32,
    pub max_stress: i32,
    /// Wound Points from a handicap, and its bonus to morale checks in `steady` (OP-03).
    pub more_wounds: i32,
    pub steady: i32,
    pub mana: i32,
    /// Every wound with its damage type and points (SP-23).
    pub wounds: Vec<Wound>,
    /// Points lost from each ability (SP-27).
    pub lost: [i32; 6],
    pub hurts: Vec<Hurt>,
    pub ailments: Vec<Ailment>,
    /// The remaining potions.
    pub potions: Vec<SpellId>,
    pub castings: Castings,

    /// The declaration for this round (SP-03).
    pub declared: Option<Declared>,
    /// The late action from the previous round that the unit makes up for (SP-06).
    pub late: Option<Declared>,
    /// The declaration that the unit is carrying out: its count has come.
    pub now: Option<Declared>,
    /// Whether the declared action of this round is over.
    pub acted: bool,
    /// Whether the unit entered after its count had passed (SP-06).
    pub missed: bool,
    /// Whether the standard action of the current turn is spent.
    pub standard: bool,
    /// Whether the free action of this round is spent (SP-07).
    pub free: bool,
    pub reaction: bool,
    /// Actions taken this round, which strained units pay for (SP-24, SP-25).
    pub acts: u8,
    /// Feet moved this round (SP-08).
    pub feet: u16,
    /// Whether Full Defense applies, until the end of the round (SP-10).
    pub full_defense: bool,
    /// The Intimidate result that the unit's morale check must match (SP-30).
    pub intimidated: Option<i32>,
    /// Whether one hit this round took more than half of the maximum Wound Points (SP-30).
    pub hit_hard: bool,
    /// Whether the unit has hurt an enemy this round (SP-30).
    pub hurt_a_foe: bool,
    pub surrendered: bool,
    /// Whether the unit is prone only because it became incapacitated (SP-24).
    pub sank: bool,
    /// Rounds without breath (SP-27).
    pub breathless: u8,
    /// Whether the unit acted in the previous round (SP-27: one action in two turns).
    pub acted_before: bool,
    /// Whether the unit moved in the previous round (SP-24: a crawl every second turn).
    pub moved_before: bool,
    /// Whether the unit has paid Stress for a second standard action (SP-22).
    pub surged: bool,
}

/// Damage to Wound Points. A fall or loss of blood has no damage type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Wound {
    #[serde(rename = "type")]
    pub kind: Option<DamageType>,
    pub points: i32,
}

/// A condition of a unit. `rounds` is `None` if it lasts until healed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Ailment {
    pub condition: SpeedCondition,
    pub rounds: Option<u8>,
    /// The source: the enemy that the unit fears, or that grapples it.
    pub of: Option<Id>,
}

impl Ailment {
    /// A condition that lasts for this many rounds, or until it is healed, perhaps because of a unit.
    pub fn new(condition: SpeedCondition, rounds: Option<u8>, of: Option<Id>) -> Self {
        Self {
            condition,
            rounds,
            of,
        }
    }

    /// Whether this condition lasts longer than another; no number of rounds means forever.
    fn outlasts(&self, other: &Self) -> bool {
        match (self.rounds, other.rounds) {
            (None, Some(_)) => true,
            (Some(mine), Some(theirs)) => mine > theirs,
            (_, None) => false,
        }
    }
}

/// A permanent effect of a combat injury (SP-27).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Hurt {
    Balance(i16),
    HalfActions,
    Lamed,
    MainArm(ArmLimit),
    OffArm(ArmLimit),
    Paralysed,
    Mute,
    Suffocating,
    NoSmell,
    HalfBlind,
    HalfDeaf,
    Concussed,
}

impl Hurt {
    /// The log text when the unit suffers this effect.
    pub fn log_text(self) -> &'static str {
        match self {
            Self::Balance(_) => "is off balance",
            Self::HalfActions => "acts only every second round",
            Self::Lamed => "cannot stand until healed",
            Self::MainArm(ArmLimit::NoAttack) => "cannot attack with the main arm",
            Self::MainArm(ArmLimit::NoHold) => "cannot hold anything in the main arm",
            Self::MainArm(ArmLimit::NoUse) => "cannot use the main hand",
            Self::OffArm(ArmLimit::NoAttack) => "cannot attack with the off arm",
            Self::OffArm(ArmLimit::NoHold) => "cannot hold anything in the off arm",
            Self::OffArm(ArmLimit::NoUse) => "cannot use the off hand",
            Self::Paralysed => "is paralysed",
            Self::Mute => "cannot speak",
            Self::Suffocating => "cannot breathe",
            Self::NoSmell => "smells nothing any more",
            Self::HalfBlind => "is blind in one eye",
            Self::HalfDeaf => "is deaf in one ear",
            Self::Concussed => "is concussed",
        }
    }

    /// The log text when the effect is healed.
    pub fn healed_text(self) -> &'static str {
        match self {
            Self::Lamed => "can stand again",
            Self::Suffocating => "breathes again",
            _ => "is healed",
        }
    }
}

impl Fighter {
    /// The state at the start of a battle, before any damage is subtracted.
    pub fn new(stats: &SpeedStats, potions: Vec<SpellId>) -> Self {
        let ailment = |&condition: &_| Ailment::new(condition, None, None);
        Self {
            stress: stats.stress,
            max_stress: stats.stress,
            mana: stats.mana,
            potions,
            ailments: stats.suffers.iter().map(ailment).collect(),
            ..Self::default()
        }
    }

    /// Adds a condition. A unit has each condition once, for the longer duration (SP-32).
    pub fn afflict(&mut self, ailment: Ailment) {
        let same = |a: &&mut Ailment| a.condition == ailment.condition;
        match self.ailments.iter_mut().find(same) {
            Some(known) if known.outlasts(&ailment) => {}
            Some(known) => *known = ailment,
            None => self.ailments.push(ailment),
        }
    }

    /// All current conditions of a unit with this body (SP-32).
    pub fn conditions(&self, body: &Body) -> Vec<SpeedCondition> {
        let mut out: Vec<SpeedCondition> = self.ailments.iter().map(|a| a.condition).collect();
        if body.prone {
            out.push(SpeedCondition::Prone);
        }
        match body.state {
            State::Down if body.hp < 0 && !self.suffers(SpeedCondition::Stabilised) => {
                out.push(SpeedCondition::Dying);
            }
            State::Down => out.push(SpeedCondition::Incapacitated),
            State::Dead => out.push(SpeedCondition::Dead),
            _ => {}
        }
        out
    }

    pub fn suffers(&self, condition: SpeedCondition) -> bool {
        self.ailments.iter().any(|a| a.condition == condition)
    }

    pub fn has(&self, hurt: Hurt) -> bool {
        self.hurts.contains(&hurt)
    }

    /// How many eyes or ears are lost; two means all of them.
    pub fn count(&self, hurt: Hurt) -> usize {
        self.hurts.iter().filter(|h| **h == hurt).count()
    }

    pub fn balance(&self) -> i16 {
        let points = |h: &Hurt| if let Hurt::Balance(n) = h { *n } else { 0 };
        self.hurts.iter().map(points).sum()
    }

    /// The worst injury of the arm. `None` if it is unhurt.
    pub fn arm(&self, main: bool) -> Option<ArmLimit> {
        let limit = |h: &Hurt| match (h, main) {
            (Hurt::MainArm(limit), true) | (Hurt::OffArm(limit), false) => Some(*limit),
            _ => None,
        };
        self.hurts.iter().filter_map(limit).max()
    }

    /// The score of an ability after losses, at least 0.
    pub fn score(&self, stats: &SpeedStats, ability: Ability) -> i32 {
        (stats.scores[ability as usize] - self.lost[ability as usize]).max(0)
    }

    /// Maximum Wound Points (SP-23).
    pub fn most_wounds(&self, stats: &SpeedStats) -> i32 {
        self.wounds_with(self.score(stats, Ability::Strength), stats)
    }

    /// Maximum Wound Points with this Strength score (SP-23).
    pub fn wounds_with(&self, strength: i32, stats: &SpeedStats) -> i32 {
        (strength + stats.wounds + self.more_wounds).max(0)
    }

    /// Heals this many points of wounds, the largest wound first, and removes wounds that reach
    /// 0 (SP-25).
    pub fn heal(&mut self, points: i32) {
        let mut left = points;
        while left > 0
            && let Some(worst) = self.wounds.iter_mut().rev().max_by_key(|w| w.points)
        {
            let mended = left.min(worst.points);
            worst.points -= mended;
            left -= mended;
            self.wounds.retain(|wound| wound.points > 0);
        }
    }

    /// The next declaration to carry out this round: the late one or the ordinary one,
    /// whichever has the lower count (SP-06). A unit that holds carries out the late one first.
    pub fn pending(&self) -> Option<&Declared> {
        match self.is_late_first() {
            true => self.late.as_ref(),
            false => self.ordinary(),
        }
    }

    /// Takes the pending declaration ([`pending`](Self::pending)), which is now carried out.
    pub fn take_pending(&mut self) -> Option<Declared> {
        if self.is_late_first() {
            return self.late.take();
        }
        self.acted = true;
        self.declared.clone()
    }

    fn is_late_first(&self) -> bool {
        let later = |late: &Declared| {
            let declared = self.ordinary().filter(|d| d.choice.verb != &HOLD);
            declared.is_some_and(|d| d.count < late.count)
        };
        self.late.as_ref().is_some_and(|late| !later(late))
    }

    fn ordinary(&self) -> Option<&Declared> {
        let open = !self.acted && !self.missed;
        self.declared.as_ref().filter(|_| open)
    }
}

/// The position of the battle within its round.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// The count that is being resolved.
    pub count: Option<i32>,
}
