//! The laboratory: statistics from many battles of one level.
//!
//! - `series`: which battles are fought, and fighting them seed by seed
//! - `tally`: counts in whole numbers only, so that tallies of parts can be joined in
//!   any order; `count`: adds a battle to a tally
//! - `seeds`: sets of seeds; `shard`: a part of the seeds for one of several
//!   machines; `heat`: counts by cell of the map
//! - `arena`: results of two AIs against each other
//! - `vary`: a kind with changed numbers
//! - `win_rate`: how often the first side wins
//! - `measured`: how hard the levels of the game are, and how long
//! - `interval`: how sure a share is that was counted
//! - `report`: what a tally says: shares with intervals, means, verdicts
//! - `file`: tallies as lines of JSON; `csv`, `text`, `html`: reports to be read
//!
//! Every report is computed from tallies alone, so it does not matter whether they
//! were just counted or joined from files.

pub mod arena;
mod count;
pub mod csv;
pub mod file;
mod heat;
pub mod html;
pub mod interval;
pub mod measured;
pub mod points;
pub mod report;
mod seeds;
mod series;
mod shard;
mod tally;
pub mod text;
pub mod vary;
pub mod win_rate;

pub use heat::Heat;
pub use seeds::Seeds;
pub use series::{BattleRunner, Experiment, MAX_ANSWERS, Rival, Series};
pub use shard::{Shard, ShardedSeries};
pub use tally::{Beside, Draws, Fought, Histogram, Moments, Other, Tally, UnitTally, Unlike};
