//! Where things are: marks of what one room lays out and others fill or watch.

use bevy::prelude::*;

/// The camera that the HUD is drawn by; the board may move it.
#[derive(Component)]
pub struct MainCamera;

/// The part of the window that is the board's. Pointer events arrive here.
#[derive(Component)]
pub struct BoardArea;

/// Where the round is shown from left to right.
#[derive(Component)]
pub struct TrackPlace;

/// Where a list to choose from appears.
#[derive(Component)]
pub struct MenuPlace;

/// Where a question out of turn appears, beside the board.
#[derive(Component)]
pub struct ReactionPlace;

/// Where the card of a lesson is, above the board.
#[derive(Component)]
pub struct LessonPlace;

/// A card that stays over the board: no label is put under it.
#[derive(Component)]
pub struct OverBoard;

/// Where every act is listed.
#[derive(Component)]
pub struct MorePlace;

/// Where it is told why an AI acted, or what could be done best.
#[derive(Component)]
pub struct AsidePlace;

/// Where a word to the player appears.
#[derive(Component)]
pub struct NoticePlace;

/// Where the log is.
#[derive(Component)]
pub struct LogPlace;

impl LogPlace {
    /// At least so high, in pixels of the layout at the standard text size: six lines.
    pub const LEAST: f32 = 190.0;
}
