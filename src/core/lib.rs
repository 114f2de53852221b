//! Fivefoot without its window and its command line. The crate `fivefoot` has the map
//! of the house, and hands on all that is public here.
//!
//! A battle, the quick AI against itself:
//!
//! ```
//! use fivefoot_core::{
//!     battle::{Battle, DiceBox, level_setup},
//!     control::{Player, Table, play},
//!     lab::MOST_ANSWERS,
//!     levels, rulesets,
//! };
//!
//! let level = levels::default_level();
//! let rules = rulesets::find("Skirmish").expect("a ruleset of the game");
//! let setup = level_setup(&level);
//! let mut table = Table::new(&[Player::Quick, Player::Easy], &setup, rules, 7);
//! let mut battle = Battle::new(setup, rules, DiceBox::seeded(7));
//! play(&mut battle, &mut table, MOST_ANSWERS);
//!
//! assert!(battle.asked().is_none());
//! let winner = battle.over().flatten();
//! let winner = winner.map_or("nobody", |side| level.sides[side.index()].id.as_str());
//! println!("{winner} wins after {} answers", battle.answers().len());
//! ```
//!
//! [`control::Controller`] is what a bot implements; [`control::bot::Eyes`] are what its side
//! knows. `examples/bots/controller.rs` is a whole one, `docs/bots.md` describes bots that
//! are programs of their own.

pub mod battle;
pub mod content;
pub mod control;
pub mod files;
pub mod grid;
pub mod home;
pub mod icons;
pub mod lab;
pub mod levels;
pub mod road;
pub mod ron_read;
pub mod rulesets;
pub mod version;
pub mod words;

/// For [`system_step`].
#[doc(hidden)]
pub use bevy_ecs;
