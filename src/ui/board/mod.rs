//! The board: the map, the tokens on it, what is laid over it, the playing of
//! events.
//!
//! The world of the camera is measured in cells: a place some cells east
//! and south of the map's north-west corner is at that x and at minus that y.
//! [`view`] says how it lies in the window, and how many pixels a cell has;
//! every picture is drawn for just that number, and shown pixel by pixel.
//!
//! - [`view`]: where the map is in the window: fit, pan, zoom.
//! - [`hand`]: the pointer on the board.
//! - [`map`]: floors as a tilemap, and the ink above them.
//! - [`light`]: the light of the level.
//! - [`rulers`]: the numbers of columns and rows, and the ways out.
//! - [`ground`]: what lies about.
//! - [`prints`]: small pictures, made once for each size of cell.
//! - [`pieces`]: everybody's token.
//! - [`playback`]: events are played one by one; [`show`]: what each looks like;
//!   [`together`]: which are one moment.
//! - [`troupe`]: what sets things in motion; [`blows`], [`bursts`] of spells,
//!   [`dice`] of attacks; [`initiative`]: its dice; [`shake`]: the board shakes.
//! - [`plans`]: what has been declared, and what it is for.
//! - [`preview`]: reach, paths, rings, foes in reach; [`overlays`]: what
//!   is laid over the board by keys. [`mark_painter`] draws both. [`enemy_reach`]:
//!   where the foes could attack; [`intents`]: what they are likely to do.
//! - [`labels`]: small cards beside these, and where there is room for them; [`pops`]:
//!   words that rise over somebody.

pub mod blows;
mod bursts;
pub mod dice;
pub mod enemy_reach;
mod ground;
pub mod hand;
pub mod initiative;
pub mod intents;
pub mod labels;
pub mod light;
pub mod map;
mod mark_painter;
pub mod overlays;
pub mod pieces;
pub mod plans;
pub mod playback;
pub mod pops;
pub mod preview;
pub mod prints;
pub mod rulers;
pub mod shake;
mod show;
pub mod together;
mod troupe;
pub mod view;

pub use overlays::Overlays;
pub use view::{FRAME, View};

use super::{Phase, Screen};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (
            Stage::Look,
            Stage::Lay,
            Stage::Stand,
            Stage::Mark,
            Stage::Tell,
        )
            .chain()
            .in_set(Phase::Draw)
            .run_if(in_state(Screen::Battle)),
    );
    app.add_plugins((
        view::plugin,
        hand::plugin,
        prints::plugin,
        map::plugin,
        rulers::plugin,
        ground::plugin,
        pieces::plugin,
        (playback::plugin, shake::plugin, initiative::plugin),
        preview::plugin,
        overlays::plugin,
        (enemy_reach::plugin, intents::plugin, light::plugin),
        plans::plugin,
        labels::plugin,
    ));
}

/// The parts of [`Phase::Draw`] on the board, in order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The view moves.
    Look,
    /// The map is laid.
    Lay,
    /// The tokens are put on it.
    Stand,
    /// What is laid over it.
    Mark,
    /// Words are put beside it.
    Tell,
}

/// What lies over what.
pub mod height {
    pub const PAPER: f32 = -10.0;
    pub const FLOOR: f32 = 0.0;
    pub const INK: f32 = 1.0;
    pub const REACH: f32 = 2.0;
    pub const NOTES: f32 = 2.5;
    pub const RINGS: f32 = 3.0;
    pub const GROUND: f32 = 3.5;
    pub const FALLEN: f32 = 4.0;
    pub const GHOST: f32 = 4.9;
    pub const PATH: f32 = 5.0;
    pub const AIM: f32 = 5.5;
    /// From here on, the further south the higher.
    pub const STANDING: f32 = 6.0;
    pub const TARGET: f32 = 20.0;
    pub const DANGER: f32 = 21.0;
    pub const MISSILE: f32 = 22.0;
}
