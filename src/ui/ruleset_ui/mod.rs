//! What the UI needs from a ruleset: a table of functions for each. They read the display world,
//! never the battle itself, so the screen knows only what was shown.
//!
//! # The table of another ruleset
//!
//! Every ruleset can be played without a table of its own: actions, targets, numbers and paths
//! come from the battle's offers, and [`BASIC`] answers the rest with what all rulesets share. A
//! table improves on that. It is a folder with a
//! `static UI: RulesetUi = RulesetUi { rules: "Name", .. , ..BASIC }` and a line in
//! [`RULESET_UIS`]. Shared code is in [`words`] (lines of cards and spells) and [`conditions`] (lasting
//! conditions). What to fill in, most useful first:
//!
//! - [`RulesetUi::status`]: icons of the actions left or the percentage of the round left;
//!   declarations; conditions, each with an icon, good or bad, and words; bars where hit points are
//!   not what matters.
//! - [`RulesetUi::figures`], [`RulesetUi::spell`].
//! - What a player may set to automatic: [`RulesetUi::skippable`].
//! - What the board shows longer: [`RulesetUi::naturals_decide`], [`RulesetUi::executions`].
//! - If actions take shares of a round: [`Status::round`], [`RulesetUi::preview_declaration`].
//!
//! Buttons come from the rows of the ruleset's actions; chances, paths and everything else that
//! follows from an order from its own table, [`Forecasting`].
//!
//! Declarations work like any other decision: a [`Decision`] that is no reaction selects its first
//! actor (the player may select another of its actors) and offers its actions in the action bar,
//! the targets on the board, and what is left open (weapon, spell, number) in a small menu. Choices
//! of the whole side, its `common` choices, are buttons in the bar along the top.
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
pub mod words;

pub use basic::BASIC;
pub use buttons::{Button, buttons};
pub use conditions::{bleeding, lasting, rounds_to_live};
pub use seen::*;

use crate::{
    battle::{Action, Choice, Id, Rule, run_system as run},
    content::Spell,
};
use bevy::ecs::world::World;

/// All tables; a ruleset without one uses [`BASIC`].
static RULESET_UIS: [&RulesetUi; 5] = [
    &skirmish::UI,
    &segments::UI,
    &phased::UI,
    &speed::UI,
    &activity::UI,
];

/// The UI of one ruleset.
pub struct RulesetUi {
    pub rules: &'static str,
    /// What the ruleset is like, in a sentence or two, for the player's choice of system.
    pub about: &'static str,
    /// How it plays, in a sentence.
    pub like: &'static str,
    /// Label of the button that ends a side's turn: "End turn".
    pub end_words: &'static str,
    /// When a unit that stands in the area of an objective counts: "the end of the turn".
    pub arrival_counts: &'static str,
    pub status: fn(&mut World, Id) -> Status,
    /// Key figures for the inspect card.
    pub figures: fn(&mut World, Id) -> Vec<String>,
    /// What sets a unit apart, the last line of its figures.
    pub traits: fn(&mut World, Id) -> Vec<TraitWords>,
    /// What the first line of these figures means, as a tooltip. Empty if it explains itself.
    pub figures_tip: &'static str,
    /// An action whose prompts are seldom worth stopping for; they are skipped unless the player's
    /// settings say otherwise.
    pub skippable: Option<&'static Action>,
    /// Whether a reaction takes the action of a unit's next turn in the round.
    pub costs_action: fn(&'static Action) -> bool,
    /// What the player must know about a spell to choose it, in lines.
    pub spell: fn(&Spell) -> Vec<String>,
    /// Rules for damage that comes long after its attack: the log gives it its own entry.
    pub late_harm: &'static [Rule],
    /// Rules for checks that decide whether a screening unit intercepts an attack: the log shows
    /// them among the dice.
    pub screen_checks: &'static [Rule],
    /// Whether an attack always hits with a natural 20 and always misses with a natural 1, so that
    /// the board shows it longer.
    pub naturals_decide: bool,
    /// Executions, with what a banner says after the target's name: if it falls, and if it does not.
    pub executions: &'static [(&'static Action, [&'static str; 2])],
    /// The effects of a declaration.
    pub preview_declaration: fn(&mut World, &Choice) -> DeclarationPreview,
    /// Presets for a whole round, in the order of their keys.
    pub presets: &'static [Preset],
}

/// A trait of a unit in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraitWords {
    /// "minion"; "one reroll per battle (used)".
    pub text: String,
    /// What it does, as a tooltip.
    pub meaning: &'static str,
    pub rule: Rule,
}

/// A way to spend a whole round, declared with one button.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preset {
    /// "All-out".
    pub name: &'static str,
    pub help: &'static str,
    /// The actions it may attack with.
    pub verbs: &'static [&'static Action],
    /// Whether the unit moves to a target that is out of reach.
    pub comes: bool,
    /// Whether the unit waits for enemies if none is in reach.
    pub waits: bool,
    /// Share of its defense that the unit keeps, in percent.
    pub guard: i32,
}

/// The UI table of a ruleset.
pub fn of(rules: &str) -> &'static RulesetUi {
    let found = RULESET_UIS.iter().copied().find(|r| r.rules == rules);
    found.unwrap_or(&BASIC)
}
