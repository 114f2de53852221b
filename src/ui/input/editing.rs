//! Keys of the level editor.

use super::Stroke;
use bevy::{input::keyboard::KeyCode, prelude::*};
use serde::{Deserialize, Serialize};

/// What a key does in the level editor.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Debug,
    Default,
    Reflect,
    Serialize,
    Deserialize,
)]
pub enum EditKey {
    #[default]
    Select,
    Paint,
    Line,
    Box,
    Fill,
    Pick,
    Area,
    Sight,
    Place,
    CopyArea,
    MoveArea,
    Mirror,
    MirrorUpright,
    /// A brush of this many cells across.
    Brush(u8),
    Higher,
    Lower,
    Turn,
    Cover,
    Problem,
    Another,
    Remove,
    Undo,
    Redo,
    Save,
    TestPlay,
    Simulate,
}

impl EditKey {
    /// The action's name for the player.
    pub fn title(self) -> &'static str {
        match self {
            Self::Select => "Select and drag",
            Self::Paint => "Paint",
            Self::Line => "Line",
            Self::Box => "Box",
            Self::Fill => "Fill",
            Self::Pick => "Pick up from the map",
            Self::Area => "Draw an area",
            Self::Sight => "Show sight and cover of a cell",
            Self::Place => "Place a unit",
            Self::CopyArea => "Copy an area",
            Self::MoveArea => "Move an area",
            Self::Mirror => "Mirror the held area, west to east",
            Self::MirrorUpright => "Mirror the held area, north to south",
            Self::Brush(1) => "Brush: 1 cell",
            Self::Brush(2) => "Brush: 2 cells",
            Self::Brush(_) => "Brush: 3 cells",
            Self::Higher => "Paint heights, 1 ft higher",
            Self::Lower => "Paint heights, 1 ft lower",
            Self::Turn => "Turn a window or door",
            Self::Cover => "Tint by cover",
            Self::Problem => "Go to the first problem",
            Self::Another => "Duplicate the selected unit",
            Self::Remove => "Delete the selected unit",
            Self::Undo => "Undo an edit",
            Self::Redo => "Redo an edit",
            Self::Save => "Save the level",
            Self::TestPlay => "Test play",
            Self::Simulate => "Simulate or stop",
        }
    }

    /// The default keys. If an action has several, tooltips name the first.
    pub(super) fn standard() -> [(Self, Stroke); 30] {
        use KeyCode::*;
        let plain = Stroke::plain;
        [
            (Self::Select, plain(KeyV)),
            (Self::Paint, plain(KeyB)),
            (Self::Line, plain(KeyL)),
            (Self::Box, plain(KeyR)),
            (Self::Fill, plain(KeyG)),
            (Self::Pick, plain(KeyI)),
            (Self::Area, plain(KeyA)),
            (Self::Sight, plain(KeyS)),
            (Self::Place, plain(KeyP)),
            (Self::CopyArea, plain(KeyK)),
            (Self::MoveArea, plain(KeyM)),
            (Self::Mirror, plain(KeyX)),
            (Self::MirrorUpright, Stroke::shifted(KeyX)),
            (Self::Brush(1), plain(Digit1)),
            (Self::Brush(2), plain(Digit2)),
            (Self::Brush(3), plain(Digit3)),
            (Self::Higher, plain(PageUp)),
            (Self::Lower, plain(PageDown)),
            (Self::Turn, plain(KeyT)),
            (Self::Cover, plain(KeyC)),
            (Self::Problem, plain(KeyE)),
            (Self::Another, Stroke::controlled(KeyD)),
            (Self::Remove, plain(Delete)),
            (Self::Remove, plain(Backspace)),
            (Self::Undo, Stroke::controlled(KeyZ)),
            (Self::Redo, Stroke::controlled(KeyY)),
            (
                Self::Redo,
                Stroke {
                    shift: true,
                    ..Stroke::controlled(KeyZ)
                },
            ),
            (Self::Save, Stroke::controlled(KeyS)),
            (Self::TestPlay, plain(F5)),
            (Self::Simulate, plain(F6)),
        ]
    }
}
