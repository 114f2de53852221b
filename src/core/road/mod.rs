//! The Road: a run of eight to ten battles with one squad. At each fork the player
//! chooses one of a few battles; wounds last, and the dead are lost.
//!
//! - `code`: the settings of a run and the code to share them; difficulty
//! - `squad`: the squad's levels, wounds and finds, written as creatures of a level
//! - `way`: the battles offered at a fork, generated for a target chance to win
//! - `run`: the run file, and the state that follows from the player's acts
//! - `auto`: an AI that plays a run
//!
//! A run is a function of its code and of the player's acts: choices, and the recording
//! of each battle.

pub mod auto;
mod code;
mod run;
pub mod squad;
pub mod way;

pub use code::{Difficulty, Settings};
pub use run::{
    BattleOutcome, CAMP, Fate, Found, News, NewsKind, Reward, Run, RunAct, RunEnd, RunState,
};
pub use squad::{Gain, Member, Wound};
pub use way::RoadBattle;
