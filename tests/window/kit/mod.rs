//! Shared helpers of the window tests. Test files use only these, never each other.

pub mod editing;
pub mod game;
pub mod levels;
pub mod live;
pub mod rounds;
pub mod shell;
