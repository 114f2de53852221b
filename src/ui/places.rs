//! Marker components for parts of the layout that one module spawns and other modules
//! fill or watch.

use super::widgets::TipsBeside;
use bevy::prelude::*;

/// The camera that draws the HUD; the board may move it.
#[derive(Component)]
pub struct MainCamera;

/// The part of the window for the board. It receives the pointer events.
#[derive(Component)]
pub struct BoardArea;

/// The track that shows the round from left to right.
#[derive(Component)]
pub struct TrackPlace;

/// Where the player chooses a number, over the board.
#[derive(Component)]
pub struct MenuPlace;

/// Where a list of choices appears, beside the board.
#[derive(Component)]
pub struct ListPlace;

/// Where the prompt for a reaction appears, beside the board.
#[derive(Component)]
#[require(TipsBeside)]
pub struct ReactionPlace;

/// Where the card of a lesson is, above the board.
#[derive(Component)]
pub struct LessonPlace;

/// A card that stays over the board: no label is put under it.
#[derive(Component)]
pub struct OverBoard;

/// Where the warning before an order appears.
#[derive(Component)]
pub struct WarnPlace;

/// Where all actions are listed.
#[derive(Component)]
pub struct MorePlace;

/// The side panel: why an AI acted, or suggestions.
#[derive(Component)]
pub struct SidePanelPlace;

/// Where toasts appear.
#[derive(Component)]
pub struct ToastPlace;

/// Where the log is.
#[derive(Component)]
pub struct LogPlace;

impl LogPlace {
    /// The least height, in layout pixels at the standard text size: six lines.
    pub const MIN: f32 = 190.0;
}
