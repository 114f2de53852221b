//! What several tests of the window use. Test files use it, and never each other.

pub mod editing;
pub mod game;
pub mod levels;
pub mod live;
pub mod rounds;
pub mod shell;
