//! The board: the map, its tokens, the marks over it, and the playback of events.
//!
//! World coordinates are cells: x counts cells east and -y counts cells south of the map's
//! north-west corner. [`view`] maps them to the window and sets the pixels of a cell; every picture
//! is drawn at exactly that size and shown pixel by pixel.
//!
//! - [`view`]: where the map is in the window: fit, pan, zoom.
//! - [`hand`]: the mouse pointer on the board.
//! - [`map`]: floors as a tilemap, and the ink above them.
//! - [`light`]: the light of the level.
//! - [`rulers`]: the numbers of columns and rows, and the exits.
//! - [`ground`]: items on the ground; [`arrivals`]: where reinforcements enter.
//! - [`sprites`]: the sprite cache: small pictures, drawn once for each cell size.
//! - [`pieces`]: the tokens of all units.
//! - [`playback`]: plays events one by one; [`show`]: how each event looks; [`together`]: which
//!   events are shown at the same time.
//! - [`unit_animator`]: the animator; [`attack_effects`]: attacks; [`bursts`]: spells and other actions; [`dice`]: attack
//!   rolls and checks; [`initiative`]: initiative rolls; [`shake`]: shakes the board; [`banner`]:
//!   large words over the board.
//! - [`plans`]: declared plans and their chances; [`aimed`]: spells that have a target and have not
//!   taken effect yet.
//! - [`preview`]: reach, paths, rings, enemies in reach; [`overlays`]: overlays toggled by keys.
//!   [`mark_painter`] draws both. [`enemy_reach`]: where enemies can attack; [`intents`]: what they
//!   are likely to do; [`figures`]: their figures.
//! - [`labels`]: small cards on the board, and where they fit; [`floating_text`]: text over units.

mod aimed;
mod arrivals;
pub mod attack_effects;
pub mod banner;
pub mod bursts;
pub mod dice;
pub mod enemy_reach;
mod figures;
pub mod floating_text;
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
pub mod preview;
pub mod rulers;
pub mod shake;
mod show;
pub mod sprites;
pub mod together;
pub mod unit_animator;
pub mod view;

pub use mark_painter::Layer;
pub use overlays::Overlays;
pub use view::{FRAME, MapView};

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
        sprites::plugin,
        map::plugin,
        rulers::plugin,
        (ground::plugin, arrivals::plugin, banner::plugin),
        pieces::plugin,
        (playback::plugin, shake::plugin, initiative::plugin),
        preview::plugin,
        (overlays::plugin, figures::plugin),
        (enemy_reach::plugin, intents::plugin, light::plugin),
        (plans::plugin, aimed::plugin),
        labels::plugin,
    ));
}

/// The parts of [`Phase::Draw`] on the board, in order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The view moves.
    Look,
    /// The map is drawn.
    Lay,
    /// The tokens are placed.
    Stand,
    /// Marks and overlays are drawn.
    Mark,
    /// Labels and floating text are placed.
    Tell,
}

/// Z coordinates of everything on the board.
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
    /// Standing units start here; the further south, the higher.
    pub const STANDING: f32 = 6.0;
    pub const TARGET: f32 = 20.0;
    /// The numbers of units lie above all rings and arrows, and above the weapons of neighbours.
    pub const NUMBERS: f32 = 20.5;
    pub const DANGER: f32 = 21.0;
    /// Hit points lie above all rings, arrows and marks.
    pub const HEALTH: f32 = 21.5;
    pub const MISSILE: f32 = 22.0;
}
