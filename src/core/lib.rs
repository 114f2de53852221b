//! Fivefoot without its window and command line. The crate `fivefoot` documents the architecture
//! and re-exports everything that is public here.
//!
//! A battle of the quick AI against the easy AI:
//!
//! ```
//! use fivefoot_core::{
//!     battle::{Battle, DiceBox, level_setup},
//!     control::{Controllers, Player, play},
//!     lab::MAX_ANSWERS,
//!     levels, rulesets,
//! };
//!
//! let level = levels::default_level();
//! let rules = rulesets::find("Skirmish").expect("a ruleset of the game");
//! let setup = level_setup(&level);
//! let mut controllers = Controllers::new(&[Player::Quick, Player::Easy], &setup, rules, 7);
//! let mut battle = Battle::new(setup, rules, DiceBox::seeded(7));
//! play(&mut battle, &mut controllers, MAX_ANSWERS);
//!
//! assert!(battle.asked().is_none());
//! let winner = battle.over().flatten();
//! let winner = winner.map_or("nobody", |side| level.sides[side.index()].id.as_str());
//! println!("{winner} wins after {} answers", battle.answers().len());
//! ```
//!
//! Bots implement [`control::Controller`]; [`control::bot::SideKnowledge`] is what a bot's side knows.
//! `examples/bots/controller.rs` is a complete example. `docs/bots.md` describes bots that are
//! separate programs.

#![forbid(unsafe_code)]

/// A file that is compiled in: its path and its text.
macro_rules! shipped {
    ($($path:literal)+) => {
        (
            concat!($($path),+),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $($path),+)),
        )
    };
}

/// Defines an enum whose variants files name as the code does. `ALL` lists the variants, `WORDS`
/// each with its name, in the same order.
macro_rules! file_words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$note:meta])* $variant:ident,)*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$note])* $variant,)*
        }

        impl $name {
            pub const ALL: [Self; Self::WORDS.len()] = [$(Self::$variant),*];
            /// Each variant with its name in files.
            pub const WORDS: [(&'static str, Self); [$(stringify!($variant)),*].len()] =
                [$((stringify!($variant), Self::$variant)),*];
        }
    };
}

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

/// Used by [`system_step`].
#[doc(hidden)]
pub use bevy_ecs;
