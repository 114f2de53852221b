//! The combat systems. They share plumbing, not rules: what moves, falls and
//! runs alike is in `common`.
//!
//! What one has learnt in one folder is found in the next. Each has its table
//! (`mod.rs`), what it keeps (`state.rs`) and what changes that (`events.rs`),
//! its numbers (`numbers.rs`), what it knows of creatures and things
//! (`content.rs`); the parameter that its steps read (`sk.rs`, `se.rs`, `ph.rs`,
//! `sp.rs`, `ac.rs`); its `round.rs`, `acts`, `reactions`, `spells`; how attacks go
//! (`odds.rs` before the die, `attacks.rs` at it, `wounds.rs` after it), moves
//! (`stride.rs`), morale and the end (`rout.rs`, `aftermath.rs`); its `ai`; what
//! scenarios may claim (`probes.rs`). What has a name of its own is the system's own.

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
        Content, PEOPLE, Registered, Registry, THINGS,
        codex::{Codex, GRID, OPPONENTS, RuleBook},
    },
};
use std::sync::{Arc, LazyLock};

/// Every ruleset that players are offered, the default first.
pub static ALL: [&Ruleset; 5] = [
    &skirmish::RULESET,
    &segments::RULESET,
    &phased::RULESET,
    &speed::RULESET,
    &activity::RULESET,
];

/// Those and the demonstration, which is played by its name only.
pub static KNOWN: [&Ruleset; 6] = [
    &skirmish::RULESET,
    &segments::RULESET,
    &phased::RULESET,
    &speed::RULESET,
    &activity::RULESET,
    &demo::RULESET,
];

/// A ruleset by its id, capitals aside.
pub fn find(id: &str) -> Option<&'static Ruleset> {
    KNOWN.into_iter().find(|r| r.id.eq_ignore_ascii_case(id))
}

/// The sections of all rulesets.
fn registry() -> Registry {
    KNOWN.iter().map(|rules| rules.sections).collect()
}

/// The fields that rulesets add to levels.
pub fn level_fields() -> impl Iterator<Item = &'static str> {
    KNOWN
        .iter()
        .flat_map(|rules| rules.level.iter().map(Registered::key))
}

/// The fields that rulesets add to levels and to kinds.
pub fn added_fields() -> impl Iterator<Item = &'static str> {
    let kinds = KNOWN.iter().flat_map(|rules| rules.sections.creature);
    level_fields().chain(kinds.map(Registered::key))
}

/// The content files that are compiled in, in the order in which they are read.
pub fn content_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = KNOWN.iter().flat_map(|rules| rules.kinds);
    THINGS.into_iter().chain(own.copied()).chain(PEOPLE)
}

/// The rule books: that of the grid, those of [`ALL`], what there is to know of
/// opponents, that of the demonstration.
pub fn rule_books() -> impl Iterator<Item = RuleBook> {
    let own = |all: &'static [&Ruleset]| all.iter().map(|rules| (rules.book, rules.codex));
    let (listed, others) = KNOWN.split_at(ALL.len());
    let listed = std::iter::once(GRID).chain(own(listed));
    listed.chain([OPPONENTS]).chain(own(others))
}

static CONTENT: LazyLock<Arc<Content>> =
    LazyLock::new(|| Arc::new(Content::of_files(registry(), content_files())));

static CODEX: LazyLock<Codex> = LazyLock::new(|| Codex::of_books(rule_books(), 2 + ALL.len()));

// Here, for only this room knows all rulesets.
impl Content {
    /// What comes with the game, from `assets/content`.
    pub fn built_in() -> &'static Arc<Self> {
        &CONTENT
    }

    /// With nothing in it yet.
    pub fn blank() -> Self {
        Self::empty(registry())
    }
}

impl Codex {
    /// What comes with the game, from `assets/codex`.
    pub fn built_in() -> &'static Self {
        &CODEX
    }
}
