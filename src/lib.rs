//! Fivefoot.

pub mod content;
pub mod levels;
pub mod ron_read;
