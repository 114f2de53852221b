//! Fivefoot.

pub mod battle;
pub mod cli;
pub mod content;
pub mod control;
pub mod grid;
pub mod levels;
pub mod ron_read;
pub mod rulesets;
#[cfg(feature = "ui")]
pub mod ui;
