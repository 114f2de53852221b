//! What Speed keeps of each combatant.

use super::{
    declared::{Declared, HOLD},
    numbers::{Condition, Limp},
};
use crate::battle::{Id, SpellId};
use crate::rulesets::speed::content::{Ability, DamageType, SpeedStats};
use bevy_ecs::{component::Component, resource::Resource};
use serde::Serialize;

/// A combatant under Speed. Its Wound Points are the body's hit points.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// Rolled once (SP-02); none before it has come in.
    pub base: Option<i32>,
    pub stress: i32,
    pub max_stress: i32,
    /// Wound Points that a handicap adds, and what it adds to checks of morale (OP-03).
    pub more_wounds: i32,
    pub steady: i32,
    pub mana: i32,
    /// Every wound with its type and points (SP-23).
    pub wounds: Vec<Wound>,
    /// Points of each ability that are lost (SP-27).
    pub lost: [i32; 6],
    pub hurts: Vec<Hurt>,
    pub ailments: Vec<Ailment>,
    /// Bottles that it has left.
    pub draughts: Vec<SpellId>,
    /// Spells that it has cast, one entry a casting.
    pub cast: Vec<SpellId>,

    /// What it has declared for this round (SP-03).
    pub declared: Option<Declared>,
    /// What it makes up for from the round before (SP-06).
    pub late: Option<Declared>,
    /// What it is doing: its count has come.
    pub now: Option<Declared>,
    /// Its declared act of this round is over with.
    pub acted: bool,
    /// Came in when its count had passed (SP-06).
    pub missed: bool,
    /// Spent of the turn that it has.
    pub standard: bool,
    /// Spent this round (SP-07).
    pub free: bool,
    pub reaction: bool,
    /// Acts of this round, for those who pay for them (SP-24, SP-25).
    pub acts: u8,
    /// Feet gone this round (SP-08).
    pub feet: u16,
    /// Full defense, until the round ends (SP-10).
    pub full_defense: bool,
    /// An Intimidate result that it has to stand up to (SP-30).
    pub intimidated: Option<i32>,
    /// Lost more than half its Wound Points to one hit this round (SP-30).
    pub hit_hard: bool,
    /// Has hurt a foe this round (SP-30).
    pub hurt_a_foe: bool,
    pub surrendered: bool,
    /// Lies for no other reason than that it fell (SP-24).
    pub sank: bool,
    /// Rounds without breath (SP-27).
    pub breathless: u8,
    /// Acted in the round before (SP-27: one action in two turns).
    pub acted_before: bool,
    /// Moved in the round before (SP-24: a crawl every second turn).
    pub moved_before: bool,
    /// A second standard action was drawn from its Stress (SP-22).
    pub surged: bool,
}

/// Damage to Wound Points. No type: a fall, blood lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Wound {
    #[serde(rename = "type")]
    pub kind: Option<DamageType>,
    pub points: i32,
}

/// A condition that somebody has, for a number of rounds or till healed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Ailment {
    pub condition: Condition,
    pub rounds: Option<u8>,
    /// Who it comes from: the one feared, the one who holds.
    pub of: Option<Id>,
}

impl Ailment {
    /// It lasts longer than another: no number of rounds is for good.
    fn outlasts(&self, other: &Self) -> bool {
        match (self.rounds, other.rounds) {
            (None, Some(_)) => true,
            (Some(mine), Some(theirs)) => mine > theirs,
            (_, None) => false,
        }
    }
}

/// What a combat injury leaves behind for good (SP-27).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Hurt {
    Balance(i16),
    HalfActions,
    Lamed,
    MainArm(Limp),
    OffArm(Limp),
    Paralysed,
    Mute,
    Suffocating,
    NoSmell,
    HalfBlind,
    HalfDeaf,
    Concussed,
}

impl Hurt {
    /// As the log tells it.
    pub fn log_text(self) -> &'static str {
        match self {
            Self::Balance(_) => "is off balance",
            Self::HalfActions => "acts only every second round",
            Self::Lamed => "cannot stand until healed",
            Self::MainArm(Limp::NoAttack) => "cannot attack with the main arm",
            Self::MainArm(Limp::NoHold) => "cannot hold anything in the main arm",
            Self::MainArm(Limp::NoUse) => "cannot use the main hand",
            Self::OffArm(Limp::NoAttack) => "cannot attack with the off arm",
            Self::OffArm(Limp::NoHold) => "cannot hold anything in the off arm",
            Self::OffArm(Limp::NoUse) => "cannot use the off hand",
            Self::Paralysed => "is paralysed",
            Self::Mute => "cannot speak",
            Self::Suffocating => "cannot breathe",
            Self::NoSmell => "smells nothing any more",
            Self::HalfBlind => "is blind in one eye",
            Self::HalfDeaf => "is deaf in one ear",
            Self::Concussed => "is concussed",
        }
    }

    /// The same once it is healed.
    pub fn mended(self) -> &'static str {
        match self {
            Self::Lamed => "can stand again",
            Self::Suffocating => "breathes again",
            _ => "is healed",
        }
    }
}

impl Fighter {
    /// As a battle begins, with what it has lost by then.
    pub fn new(stats: &SpeedStats, draughts: Vec<SpellId>) -> Self {
        let ailment = |name: &&'static str| {
            Some(Ailment {
                condition: Condition::of(name)?,
                rounds: None,
                of: None,
            })
        };
        Self {
            stress: stats.stress,
            max_stress: stats.stress,
            mana: stats.mana,
            draughts,
            ailments: stats.suffers.iter().filter_map(ailment).collect(),
            ..Self::default()
        }
    }

    /// SP-32: nobody has a condition twice; the one that lasts longer counts.
    pub fn afflict(&mut self, ailment: Ailment) {
        let same = |a: &&mut Ailment| a.condition == ailment.condition;
        match self.ailments.iter_mut().find(same) {
            Some(known) if known.outlasts(&ailment) => {}
            Some(known) => *known = ailment,
            None => self.ailments.push(ailment),
        }
    }

    pub fn suffers(&self, condition: Condition) -> bool {
        self.ailments.iter().any(|a| a.condition == condition)
    }

    pub fn has(&self, hurt: Hurt) -> bool {
        self.hurts.contains(&hurt)
    }

    /// Eyes, or ears, that are gone; two are all.
    pub fn count(&self, hurt: Hurt) -> usize {
        self.hurts.iter().filter(|h| **h == hurt).count()
    }

    pub fn balance(&self) -> i16 {
        let points = |h: &Hurt| if let Hurt::Balance(n) = h { *n } else { 0 };
        self.hurts.iter().map(points).sum()
    }

    /// The worst that has befallen an arm.
    pub fn arm(&self, main: bool) -> Option<Limp> {
        let limp = |h: &Hurt| match (h, main) {
            (Hurt::MainArm(limp), true) | (Hurt::OffArm(limp), false) => Some(*limp),
            _ => None,
        };
        self.hurts.iter().filter_map(limp).max()
    }

    /// The score of an ability, less what is lost of it; never below 0.
    pub fn score(&self, stats: &SpeedStats, ability: Ability) -> i32 {
        (stats.scores[ability as usize] - self.lost[ability as usize]).max(0)
    }

    /// Wound Points when unhurt (SP-23).
    pub fn most_wounds(&self, stats: &SpeedStats) -> i32 {
        self.wounds_with(self.score(stats, Ability::Strength), stats)
    }

    /// The same with this Strength.
    pub fn wounds_with(&self, strength: i32, stats: &SpeedStats) -> i32 {
        (strength + stats.wounds + self.more_wounds).max(0)
    }

    /// Mends this many points of wounds, the largest first. What is mended to
    /// nothing is no wound any more (SP-25).
    pub fn mend(&mut self, points: i32) {
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

    /// What it has to do next in this round: what it makes up for, or what it
    /// declared for the round, whichever count is lower (SP-06). Who holds does
    /// what is late first.
    pub fn pending(&self) -> Option<&Declared> {
        match self.is_late_first() {
            true => self.late.as_ref(),
            false => self.ordinary(),
        }
    }

    /// The same, which is now being done.
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

/// Where the battle is in its round.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// The count that is being resolved.
    pub count: Option<i32>,
}

/// Wound Points of somebody who has lost nothing of their Strength (SP-23).
pub fn most_wounds_of(stats: &SpeedStats) -> i32 {
    (stats.scores[Ability::Strength as usize] + stats.wounds).max(0)
}
