//! The combat systems. Mechanisms that work the same in several rulesets are in `common`; each
//! ruleset keeps its own rules.
//!
//! Ruleset folders share one layout, as far as each needs the files:
//!
//! - `mod.rs`: the ruleset's table
//! - `state.rs`, `events.rs`: what it stores in a battle, and the events that change it
//! - `numbers.rs`, `content.rs`: its numbers, and its sections for creatures and items
//! - `query.rs`: read access to a battle, the parameter of its systems
//! - `round.rs`, `acts`, `spells`: its rounds, actions and spells
//! - `odds.rs`, `attacks.rs`, `wounds.rs`: attacks before, during and after the roll
//! - `movement.rs`, `rout.rs`, `end_checks.rs`: movement, fleeing, morale and the end of the battle
//! - `forecast`, `planning.rs`, `clock.rs`, `ai`: forecasts, how it plans a round, the round as the
//!   window shows it, the quick AI
//! - `profile.rs`, `probes.rs`: its figures, and the values that scenarios can check
//!
//! A ruleset adds further files as its rules need them.

pub mod activity;
pub mod common;
pub mod demo;
pub mod phased;
mod profiles;
pub mod segments;
pub mod skirmish;
pub mod speed;

pub use profiles::profiles;

use crate::{
    battle::Ruleset,
    content::{
        CREATURE_FILES, Content, ITEM_FILES, Registered, Registry,
        codex::{Codex, GRID, OPPONENTS, RuleBook},
    },
};
use std::sync::{Arc, LazyLock};

/// Every ruleset that players can choose, the default first.
pub static ALL: [&Ruleset; 5] = [
    &skirmish::RULESET,
    &segments::RULESET,
    &phased::RULESET,
    &speed::RULESET,
    &activity::RULESET,
];

/// [`ALL`] and the demonstration ruleset, which can only be selected by its id.
pub static KNOWN: [&Ruleset; 6] = [
    &skirmish::RULESET,
    &segments::RULESET,
    &phased::RULESET,
    &speed::RULESET,
    &activity::RULESET,
    &demo::RULESET,
];

/// The ruleset with this id, ignoring case.
pub fn find(id: &str) -> Option<&'static Ruleset> {
    KNOWN.into_iter().find(|r| r.id.eq_ignore_ascii_case(id))
}

/// The content sections of all rulesets.
fn registry() -> Registry {
    KNOWN.iter().map(|rules| rules.sections).collect()
}

/// The names of the fields that rulesets add to level files.
pub fn level_fields() -> impl Iterator<Item = &'static str> {
    let level = KNOWN.iter().flat_map(|rules| rules.level);
    level.map(Registered::key)
}

/// The names of the fields that rulesets add to level files and to creature kinds.
pub fn added_fields() -> impl Iterator<Item = &'static str> {
    let kinds = KNOWN.iter().flat_map(|rules| rules.sections.creature);
    level_fields().chain(kinds.map(Registered::key))
}

/// The built-in content files as name and text, in loading order.
pub fn content_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = KNOWN.iter().flat_map(|rules| rules.kinds);
    let shared = ITEM_FILES.into_iter();
    shared.chain(own.copied()).chain(CREATURE_FILES)
}

/// The rule books in codex order: the grid, the rulesets of [`ALL`], opponents, the demonstration
/// ruleset.
pub fn rule_books() -> impl Iterator<Item = RuleBook> {
    let own = |all: &'static [&Ruleset]| all.iter().map(|rules| (rules.rule_prefix, rules.codex));
    let (listed, others) = KNOWN.split_at(ALL.len());
    let listed = std::iter::once(GRID).chain(own(listed));
    listed.chain([OPPONENTS]).chain(own(others))
}

static CONTENT: LazyLock<Arc<Content>> =
    LazyLock::new(|| Arc::new(Content::of_files(registry(), content_files())));

static CODEX: LazyLock<Codex> = LazyLock::new(|| Codex::of_books(rule_books(), 2 + ALL.len()));

// Implemented here because only this module knows all rulesets.
impl Content {
    /// The content that comes with the game, from `assets/content`.
    pub fn built_in() -> &'static Arc<Self> {
        &CONTENT
    }

    /// Content with no entries yet.
    pub fn blank() -> Self {
        Self::empty(registry())
    }
}

impl Codex {
    /// The codex that comes with the game, from `assets/codex`.
    pub fn built_in() -> &'static Self {
        &CODEX
    }
}
