//! The grid: cells, heights, line of sight and cover, movement, distances and areas. All
//! functions are pure functions of a [`Board`] and follow rules GR-01 to GR-41.

mod area;
mod board;
mod cell;
mod distance;
mod field;
mod lines;
mod memo;
mod plain;
mod plan;
mod range;
mod reach;
mod segment;
mod sight;
mod sight_cache;
mod solid;
mod step_cost;
mod step_rules;
mod straight;

pub use area::*;
pub use board::Board;
pub use cell::{Cell, NotACell, Space};
pub use distance::{Apart, Distance, cells_apart};
pub use field::{Field, Fields};
pub use range::{Range, Reached};
pub use sight::{Cover, Proof, Sight};
pub use sight_cache::SightFrom;
pub use solid::{Axis, Block, CellGround, Feature};
pub use step_cost::BoardState;
pub use step_rules::*;
pub use straight::{Stage, straight};
