//! What the window asks of a ruleset: a table of functions for each. They
//! read the display world, never the battle itself, so that the screen knows
//! no more than has been shown.
//!
//! # A reader for another ruleset
//!
//! Every ruleset can be played without one: the window takes verbs, targets,
//! numbers and paths from the battle's offers, and [`BASIC`] answers the rest
//! with what all rulesets share. A reader makes it good. It is a folder of its
//! own with a `static READER: Reader = Reader { rules: "Name", .. , ..BASIC }`
//! and a line in [`READERS`]. What readers do alike is written once: lines of
//! cards and spells in [`words`], what lasts on a unit in [`conditions`]. What to fill in, the most useful first:
//!
//! - [`Reader::status`]: pips of the actions left, or the percentage of the
//!   round left; what has been declared; conditions, each an icon, good or
//!   bad, and words; bars where hit points are not what counts.
//! - [`Reader::figures`], [`Reader::spell`].
//! - What a player may settle beforehand: [`Reader::trifling`].
//! - Where acts take shares of a round: [`Status::round`], [`Reader::foresee`].
//!
//! Buttons come from the rows of the ruleset's actions; chances, paths and whatever else
//! follows from an order from its own table, [`Forecasting`].
//!
//! Declarations are played as any other question: a [`Decision`] that is no
//! reaction puts its first actor in hand (the player may take another of its
//! actors) and offers its verbs in the act bar, the targets on the board, and
//! what is left open (weapon, spell, number) in a small menu. Answers of the
//! whole side, its `common` choices, are buttons in the bar along the top.
//!
//! [`Decision`]: crate::battle::Decision
//! [`Forecasting`]: crate::battle::Forecasting
//! [`Planning::walks`]: crate::battle::Planning::walks

mod activity;
mod basic;
mod buttons;
mod conditions;
mod phased;
mod seen;
mod segments;
mod skirmish;
mod speed;
mod words;

pub use basic::BASIC;
pub use buttons::{Button, Look, buttons};
pub use conditions::lasting;
pub use seen::*;

use crate::{
    battle::{Action, Choice, Id, Rule},
    content::Spell,
};
use bevy::ecs::{
    system::{IntoSystem, SystemInput},
    world::World,
};

/// Every reader; a ruleset without one is read by [`BASIC`].
static READERS: [&Reader; 5] = [
    &skirmish::READER,
    &segments::READER,
    &phased::READER,
    &speed::READER,
    &activity::READER,
];

/// What the screen reads of one ruleset.
pub struct Reader {
    pub rules: &'static str,
    /// What it is like, in a sentence or two, for who chooses.
    pub about: &'static str,
    /// What it plays like, in a sentence.
    pub like: &'static str,
    /// What the button that ends a side's turn says: "End turn".
    pub end_words: &'static str,
    pub status: fn(&mut World, Id) -> Status,
    /// Lines for the card of somebody who is looked at.
    pub figures: fn(&mut World, Id) -> Vec<String>,
    /// Turns that are seldom worth a stop, as something to settle beforehand:
    /// unless the player wants it otherwise they pass by.
    pub trifling: Option<&'static Action>,
    /// What one has to know of a spell to choose it, a line each.
    pub spell: fn(&Spell) -> Vec<String>,
    /// The rules of harm that comes long after the attack that it comes from: in
    /// the log it stands for itself.
    pub late_harm: &'static [Rule],
    /// The rule by which a hit is critical, where there is one.
    pub critical: Option<Rule>,
    /// What would be if this were declared.
    pub foresee: fn(&mut World, &Choice) -> DeclarationPreview,
    /// Ways to spend a whole round, in the order of their keys.
    pub presets: &'static [Preset],
}

/// A way to spend a whole round, which one button declares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preset {
    /// "All out".
    pub name: &'static str,
    pub help: &'static str,
    /// It is for an attack by one of these verbs.
    pub verbs: &'static [&'static Action],
    /// It goes to its target where that is out of reach.
    pub comes: bool,
    /// Nobody in reach: it waits for whoever comes.
    pub waits: bool,
    /// How much of what could be kept for defense is kept, in percent.
    pub guard: i32,
}

/// The reader of a ruleset.
pub fn of(rules: &str) -> &'static Reader {
    let found = READERS.iter().copied().find(|r| r.rules == rules);
    found.unwrap_or(&BASIC)
}

/// Runs a read-only system over the display world.
fn run<I, O, M, S>(world: &mut World, system: S, input: I::Inner<'_>) -> O
where
    I: SystemInput + 'static,
    O: 'static,
    S: IntoSystem<I, O, M> + 'static,
{
    crate::battle::run_system(world, system, input)
}
