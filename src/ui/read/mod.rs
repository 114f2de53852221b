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
//! and a line in [`READERS`]. What readers do alike is written once: routes in
//! [`walk`], lines of cards and spells in [`words`], what lasts on somebody in
//! [`conditions`], damage in [`spread`]. What to fill in, the most useful first:
//!
//! - [`Reader::status`]: pips of the actions left, or the percentage of the
//!   round left; what has been declared; conditions, each an icon, good or
//!   bad, and words; bars where hit points are not what counts.
//! - [`Reader::acts`]: letter, label and icon of each verb in the act bar, in
//!   order, as a table (`faces!`). A verb that is not listed gets a plain button by itself; the first
//!   of [`Reader::walks`] gets none, a click on a cell means it.
//! - [`Reader::blow`]: an attack with all its modifiers, by the function that
//!   resolves it. Asked for an offer that stands for any number it is asked
//!   with the number that is chosen. [`Reader::spread`] says how its damage
//!   is spread, [`Reader::attacks`] which attacks anybody may make: so that a
//!   foe's chances are told as one's own are.
//! - [`Reader::reach`] and [`Reader::way`]: where one could move, how, and what
//!   it draws. Without them the offers of the walking verbs and
//!   [`Ruleset::range`] serve.
//! - [`Reader::odds`] for checks, saves and spells, [`Reader::area`] for what
//!   covers cells, [`Reader::reaction`] for what a reaction would change,
//!   [`Reader::draws`], [`Reader::threat`], [`Reader::figures`],
//!   [`Reader::spell`].
//! - What a player may settle beforehand: [`Reader::settled`],
//!   [`Reader::trifling`].
//! - Where acts take shares of a round: [`Status::round`],
//!   [`Reader::foresee`], [`Reader::first`].
//!
//! Declarations are played as any other question: a [`Decision`] that is no
//! reaction puts its first actor in hand (the player may take another of its
//! actors) and offers its verbs in the act bar, the targets on the board, and
//! what is left open (weapon, spell, number) in a small menu. Answers of the
//! whole side, its `common` choices, are buttons in the bar along the top.
//!
//! [`Decision`]: crate::battle::Decision
//! [`Ruleset::range`]: crate::battle::Ruleset::range

mod activity;
mod basic;
mod buttons;
mod conditions;
mod exchange;
mod phased;
mod seen;
mod segments;
mod skirmish;
mod speed;
mod spread;
mod walk;
mod words;

pub use basic::BASIC;
pub use buttons::{Button, Look, buttons, walks};
pub use conditions::lasting;
pub use exchange::{Exchange, answers, blows, charge, coming, exchanges, harms};
pub use seen::*;
pub use spread::{Outcome, Spread};

use super::art::icons::Icon;
use crate::{
    battle::{Action, Choice, Id, Names, Planning, Rule, Why, capitalised},
    content::Spell,
    grid::{Board, Cell, Cover, Space},
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
    /// The act bar, in order.
    pub acts: &'static [Face],
    /// What is declared, how it is carried out, moves and attacks.
    pub planning: &'static Planning,
    /// What the button that ends a side's turn says: "End turn".
    pub end_words: &'static str,
    /// What the buttons for other acts of the whole side say, where that is not the
    /// order itself.
    pub side_words: &'static [(&'static Action, &'static str)],
    pub status: fn(&mut World, Id) -> Status,
    /// Lines for the card of somebody who is looked at.
    pub figures: fn(&mut World, Id) -> Vec<String>,
    /// Where one could move to now.
    pub reach: fn(&mut World, Id) -> Vec<Reach>,
    /// How one would move there, by way of some cells in their order (GR-33).
    pub way: fn(&mut World, Id, &[Cell], Cell) -> Option<Way>,
    /// The kinds of reactions that a player may settle beforehand. What needs a
    /// plan of its own, such as an action held back or a spell, is always asked.
    pub settled: &'static [&'static Action],
    /// What an attack would be. `None`: the choice is no attack.
    pub blow: fn(&mut World, &Choice) -> Option<Result<Blow, Why>>,
    /// How the damage of an attack that can be made is spread.
    pub spread: fn(&mut World, &Choice) -> Spread,
    /// How what such an attack does changes with what is put into it.
    pub trades: fn(&mut World, &Choice) -> Vec<Trade>,
    /// The chances of any other act, and of whoever is in its area.
    pub odds: fn(&mut World, &Choice) -> Vec<Odds>,
    /// The cells that an act would cover.
    pub area: fn(&mut World, &Choice) -> Vec<Cell>,
    /// The attacks that an act draws before it is done.
    pub draws: fn(&mut World, &Choice) -> Vec<Drawn>,
    /// What else speaks against an act, a sentence each: what would be lost by
    /// it and could be had.
    pub slips: fn(&mut World, &Choice) -> Vec<String>,
    /// How far one threatens who leaves its reach, in feet. `None`: not at all.
    pub threat: fn(&mut World, Id) -> Option<u16>,
    /// Turns that are seldom worth a stop, as something to settle beforehand:
    /// unless the player wants it otherwise they pass by.
    pub trifling: Option<&'static Action>,
    /// What a reaction would change, a line each.
    pub reaction: fn(&mut World, &Choice) -> Vec<String>,
    /// A reaction would change nothing of what it answers.
    pub futile: fn(&mut World, &Choice) -> bool,
    /// The cover that one in the second space has from the first; none if it is
    /// not seen.
    pub cover: fn(&Board, Space, Space) -> Option<Cover>,
    /// What one has to know of a spell to choose it, a line each.
    pub spell: fn(&Spell) -> Vec<String>,
    /// The rules of harm that comes long after the attack that it comes from: in
    /// the log it stands for itself.
    pub late_harm: &'static [Rule],
    /// The number that a choice of any number begins with. None: an attack's
    /// most, anything else's least.
    pub first: fn(&mut World, &Choice) -> Option<i32>,
    /// What would be if this were declared.
    pub foresee: fn(&mut World, &Choice) -> DeclarationPreview,
    /// Shows the world as it would be when what a plan is for comes, as far as that
    /// follows from the plan itself. It is as before afterwards.
    pub planned: fn(&mut World, &PlannedAttack, &mut dyn FnMut(&mut World)),
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

/// What somebody would declare for an attack.
#[derive(Clone, Copy, Debug)]
pub struct PlannedAttack<'a> {
    pub who: Id,
    /// In their order.
    pub orders: &'a [Choice],
    /// Where the attack is made from.
    pub stand: Cell,
    /// What is gone before it, in feet.
    pub feet: u16,
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
