//! What a reader tells the window, as plain values.

use crate::{
    battle::{Reach, Words},
    ui::art::{
        hud::Pip,
        icons::Icon,
        tokens::{Badge, Tone},
    },
};

/// How somebody is doing in this round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// The actions of the round.
    pub pips: Vec<ActionPip>,
    /// How much of the round is left, in percent, where it is counted so.
    pub left: Option<u8>,
    /// What it has declared or does next, as far as the player may know:
    /// "fire bolt at goblin 2, segment 6".
    pub plan: Words,
    /// Has nothing left to do this turn.
    pub done: bool,
    pub conditions: Vec<Condition>,
    /// What keeps it on its feet, the first in the bar under its token. Empty:
    /// the hit points of its body.
    pub bars: Vec<Bar>,
    /// Its round as a bar, where acts take shares of it.
    pub round: Option<RoundPlan>,
}

/// Somebody's round as a bar that is filled with acts from left to right.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundPlan {
    /// Percent of a round that it has: 100, or more for the swift.
    pub whole: i32,
    pub parts: Vec<Portion>,
    /// Percent that nothing is planned for.
    pub left: i32,
    /// That is lost.
    pub is_over: bool,
}

/// An act as a share of somebody's round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Portion {
    pub icon: Icon,
    /// "melee, 80%".
    pub what: Words,
    /// Of a round. What has no room goes on into the next.
    pub percent: i32,
    /// When it comes: "at 19", "4 below the roll", "next round".
    pub comes: Words,
    pub state: PortionState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PortionState {
    Done,
    ToCome,
    /// Not declared yet: the act that the player is choosing.
    Preview,
}

/// What would be if something were declared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclarationPreview {
    pub round: Option<RoundPlan>,
    /// Where it could lead.
    pub reach: Vec<Reach>,
}

/// An action of the round, as a pip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionPip {
    pub pip: Pip,
    pub spent: bool,
    /// "Main", "Reaction".
    pub word: &'static str,
}

impl ActionPip {
    pub fn new(pip: Pip, word: &'static str, spent: bool) -> Self {
        Self { pip, spent, word }
    }
}

/// Hit points, stress, wounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// "HP", "Stress".
    pub word: &'static str,
    pub now: i32,
    pub most: i32,
}

impl Bar {
    pub fn new(word: &'static str, now: i32, most: i32) -> Self {
        Self { word, now, most }
    }
}

/// What is the matter with somebody: a badge and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub badge: Badge,
    /// "Total defense: AC +2, no Shock".
    pub words: Words,
}

impl Condition {
    pub fn bad<W: Into<Words>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Bad, words)
    }

    pub fn good<W: Into<Words>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Good, words)
    }

    /// Neither, or a bit of both.
    pub fn mixed<W: Into<Words>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Mixed, words)
    }

    fn of(icon: Icon, tone: Tone, words: impl Into<Words>) -> Self {
        Self {
            badge: Badge { icon, tone },
            words: words.into(),
        }
    }
}
