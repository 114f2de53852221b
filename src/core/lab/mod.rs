//! The laboratory: what many battles of one level come to.
//!
//! - `series`: who fights whom on what, and the fighting of one seed after the other
//! - `tally`: what was counted, in whole numbers alone, so that tallies of parts
//!   join to that of the whole, in any order; `count`: a battle into a tally
//! - `seeds`: which seeds were fought; `shard`: a part of them for one of several
//!   machines; `heat`: where on the map
//! - `arena`: what two AIs come to against each other
//! - `vary`: a kind with a little more or less of something
//! - `trial`: how often the first side wins
//! - `measured`: how hard the levels of the game are, and how long
//! - `interval`: how sure a share is that was counted
//! - `report`: what a tally says: shares with intervals, means, verdicts
//! - `file`: tallies as lines of JSON; `csv`, `text`, `html`: reports to be read
//!
//! All that is told is worked out from tallies: it makes no difference whether
//! they were counted here and now or joined from files.

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
pub mod trial;
pub mod vary;

pub use heat::Heat;
pub use seeds::Seeds;
pub use series::{Bench, Experiment, MOST_ANSWERS, Rival, Series};
pub use shard::{Shard, Whole};
pub use tally::{Beside, Draws, Fought, Histogram, Moments, Other, PersonTally, Tally, Unlike};
