//! The Road: a run of eight to ten battles with one squad. At each fork the player
//! chooses one of a few battles; wounds last, and the dead are lost.
//!
//! - `code`: what a run is set up with, as a code to share; difficulty
//! - `squad`: levels, wounds and finds of the squad, as kinds of a level
//! - `way`: the battles of a fork, made for named odds
//! - `run`: the file of a run, and where it stands by what was done
//! - `auto`: an AI that plays a run
//!
//! A run is a function of its code and of what was done: choices, and the recording of
//! each battle.

pub mod auto;
mod code;
mod run;
pub mod squad;
pub mod way;

pub use code::{Difficulty, Settings};
pub use run::{Act, CAMP, End, Fate, Found, News, NewsKind, Outcome, Reward, Run, State};
pub use squad::{Gain, Member, Wound};
pub use way::Way;
