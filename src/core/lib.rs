//! Fivefoot without its window and its command line. The crate `fivefoot` has the map
//! of the house, and hands on all that is public here.

pub mod battle;
pub mod content;
pub mod control;
pub mod files;
pub mod grid;
pub mod home;
pub mod lab;
pub mod levels;
pub mod ron_read;
pub mod rulesets;
pub mod version;
pub mod words;

/// For [`system_step`].
#[doc(hidden)]
pub use bevy_ecs;
