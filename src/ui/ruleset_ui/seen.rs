//! The plain values that a `RulesetUi` returns to the UI.

use crate::{
    battle::{CowStr, Id, Reach},
    content::Condition,
    grid::Cell,
    ui::art::{
        hud::Pip,
        icons::Icon,
        tokens::{Badge, Tone},
    },
};

/// A unit's state in the current round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// The actions of the round.
    pub pips: Vec<ActionPip>,
    /// Percent of the round left; `None` if the ruleset has no such count.
    pub left: Option<u8>,
    /// What the unit has declared or does next, as far as the player may know: "fire bolt at goblin
    /// 2, segment 6".
    pub plan: CowStr,
    /// When it does that, which the plan says too: "segment 6". Empty if it is not known.
    pub when: CowStr,
    /// Whether the unit has nothing left to do this turn.
    pub done: bool,
    pub conditions: Vec<StatusBadge>,
    /// Rounds, with this one, after which the unit is dead if nobody helps it. `None` for a unit
    /// that is not dying, or if no count of rounds decides it.
    pub dying: Option<u16>,
    /// Resources that keep the unit up, the first shown in the bar under its token. Empty for the
    /// plain hit points of its body.
    pub bars: Vec<Bar>,
    /// The unit's round as a bar, if actions take shares of it.
    pub round: Option<RoundPlan>,
    /// Its spell that has a target and has not taken effect yet, as far as the player may know.
    pub aimed: Option<AimedSpell>,
}

/// A spell between the choice of its target and its effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AimedSpell {
    /// At one unit.
    Unit(Id),
    /// At a place, with the cells that it covers.
    Area(Cell, Vec<Cell>),
}

/// A unit's round as a bar, filled with actions from left to right.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundPlan {
    /// Percent of a round available: 100, or more for fast units.
    pub whole: i32,
    pub parts: Vec<Portion>,
    /// Percent not planned.
    pub left: i32,
    /// Whether that is lost because the round is over.
    pub is_over: bool,
}

/// An action as a share of a unit's round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Portion {
    pub icon: Icon,
    /// "melee, 80%".
    pub what: CowStr,
    /// Percent of a round; what does not fit continues in the next round.
    pub percent: i32,
    /// When it happens: "at 19", "4 below the roll", "next round".
    pub comes: CowStr,
    pub state: PortionState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PortionState {
    Done,
    ToCome,
    /// Not declared yet: the action that the player is choosing.
    Preview,
}

/// The effects of a declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclarationPreview {
    pub round: Option<RoundPlan>,
    /// The cells that it brings into reach.
    pub reach: Vec<Reach>,
}

/// An action of the round, as a small icon.
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

/// A resource bar: hit points, stress or wounds.
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

/// What a badge beside a unit shows, a condition or a stance, and its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatusBadge {
    pub badge: Badge,
    /// "Total defense: AC +2, no Shock".
    pub words: CowStr,
}

impl StatusBadge {
    pub fn bad<W: Into<CowStr>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Bad, words)
    }

    pub fn good<W: Into<CowStr>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Good, words)
    }

    /// Neither good nor bad, or both.
    pub fn mixed<W: Into<CowStr>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Mixed, words)
    }

    pub fn of_condition(condition: &Condition, words: String) -> Self {
        match condition.harms() {
            true => Self::bad(condition.icon(), words),
            false => Self::good(condition.icon(), words),
        }
    }

    fn of(icon: Icon, tone: Tone, words: impl Into<CowStr>) -> Self {
        Self {
            badge: Badge { icon, tone },
            words: words.into(),
        }
    }
}
