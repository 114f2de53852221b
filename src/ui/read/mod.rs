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
//! - [`Reader::acts`]: letter, label and icon of each verb in the act bar, in
//!   order, as a table (`faces!`). A verb that is not listed gets a plain button by itself; the first
//!   of [`Planning::walks`] gets none, a click on a cell means it.
//! - [`Reader::figures`], [`Reader::spell`].
//! - What a player may settle beforehand: [`Reader::settled`],
//!   [`Reader::trifling`].
//! - Where acts take shares of a round: [`Status::round`], [`Reader::foresee`].
//!
//! Chances, paths and whatever else follows from an order come from the ruleset's own
//! table, [`Forecasting`].
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
pub use buttons::{Button, Look, buttons, walks};
pub use conditions::lasting;
pub use seen::*;

use super::art::icons::Icon;
use crate::{
    battle::{Action, Choice, Id, Names, Rule, capitalised},
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
    /// The act bar, in order.
    pub acts: &'static [Face],
    /// What the button that ends a side's turn says: "End turn".
    pub end_words: &'static str,
    /// What the buttons for other acts of the whole side say, where that is not the
    /// order itself.
    pub side_words: &'static [(&'static Action, &'static str)],
    pub status: fn(&mut World, Id) -> Status,
    /// Lines for the card of somebody who is looked at.
    pub figures: fn(&mut World, Id) -> Vec<String>,
    /// The kinds of reactions that a player may settle beforehand. What needs a
    /// plan of its own, such as an action held back or a spell, is always asked.
    pub settled: &'static [&'static Action],
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

impl Reader {
    /// What the button for an act of the whole side says.
    pub fn side_words(&self, choice: &Choice, names: &Names) -> String {
        let own = self.side_words.iter().find(|own| own.0 == choice.verb);
        own.map_or_else(|| capitalised(&choice.deed(names)), |own| own.1.to_owned())
    }
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

/// A button of the act bar. The acts of one button exclude each other, or are
/// told apart by their targets, or in a list.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// Its letter on the keyboard; none of [`TAKEN`](super::input::TAKEN).
    pub key: char,
    pub acts: &'static [ActFace],
    /// A click on a foe, a comrade or a thing means this act, without the bar.
    pub plain: bool,
    /// Several acts under one name: it says too little to be done at once.
    pub group: bool,
}

/// How an act looks.
#[derive(Clone, Copy, Debug)]
pub struct ActFace {
    pub verb: &'static Action,
    /// One or two words: "Strike".
    pub label: &'static str,
    pub icon: Icon,
    /// What it does, in a sentence, for its tip; perhaps nothing.
    pub help: &'static str,
}

/// The letters of the act bar in their order, under whatever ruleset: what is one
/// act to the player has one letter and one place everywhere.
pub const LETTERS: &str = "shtcmgfdbkjxzyaioplL";

/// The act bar as a table: a button for each letter, `plain` if a click means it
/// without the bar, `group` if several acts stand under one name in it; in it each
/// act with its label, its icon and perhaps its help.
macro_rules! faces {
    (@plain) => { false };
    (@plain plain $($more:ident)*) => { true };
    (@plain $other:ident $($more:ident)*) => { faces!(@plain $($more)*) };
    (@group) => { false };
    (@group group $($more:ident)*) => { true };
    (@group $other:ident $($more:ident)*) => { faces!(@group $($more)*) };
    ($($($mark:ident)* $key:literal {
        $($act:path: $label:literal, $icon:ident $(, $help:expr)?;)+
    })+) => {
        &[$($crate::ui::read::Face {
            key: $key,
            plain: faces!(@plain $($mark)*),
            group: faces!(@group $($mark)*),
            acts: &[$($crate::ui::read::ActFace {
                verb: &$act,
                label: $label,
                icon: $crate::ui::art::icons::Icon::$icon,
                help: [$($help,)? ""][0],
            }),+],
        }),+]
    };
}
use faces;

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
