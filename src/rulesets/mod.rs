//! The combat systems. They share plumbing, not rules: what moves, falls and
//! runs alike is in `common`.

pub mod activity;
pub mod common;
pub mod phased;
pub mod segments;
pub mod skirmish;
pub mod speed;

use crate::battle::Ruleset;

/// Every ruleset, the default first.
pub static ALL: [&Ruleset; 5] = [
    &skirmish::RULESET,
    &segments::RULESET,
    &phased::RULESET,
    &speed::RULESET,
    &activity::RULESET,
];

/// A ruleset by its id, capitals aside.
pub fn find(id: &str) -> Option<&'static Ruleset> {
    ALL.iter().copied().find(|r| r.id.eq_ignore_ascii_case(id))
}
