//! Fivefoot.

pub mod content;
pub mod levels;
