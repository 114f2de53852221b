//! The gamepad mapping.
//!
//! The left stick and the D-pad move the cursor or the focus, the right stick zooms, A confirms, B
//! goes back, X moves between the board and the buttons. These are enough for everything; the other
//! buttons are shortcuts.

use super::Key;
#[cfg(feature = "gamepad")]
use bevy::input::gamepad::Gamepad;
use bevy::input::gamepad::GamepadButton;

/// Actions, their gamepad buttons, and the names of those.
pub const PAD: &[(Key, GamepadButton, &str)] = &[
    (Key::Up, GamepadButton::DPadUp, "Up"),
    (Key::Down, GamepadButton::DPadDown, "Down"),
    (Key::Left, GamepadButton::DPadLeft, "Left"),
    (Key::Right, GamepadButton::DPadRight, "Right"),
    (Key::Confirm, GamepadButton::South, "A"),
    (Key::Back, GamepadButton::East, "B"),
    (Key::Buttons, GamepadButton::West, "X"),
    (Key::More, GamepadButton::North, "Y"),
    (Key::Previous, GamepadButton::LeftTrigger, "LB"),
    (Key::Next, GamepadButton::RightTrigger, "RB"),
    (Key::Undo, GamepadButton::LeftTrigger2, "LT"),
    (Key::EndTurn, GamepadButton::RightTrigger2, "RT"),
    (Key::Skip, GamepadButton::Select, "View"),
    (Key::Settings, GamepadButton::Start, "Menu"),
    (Key::Other, GamepadButton::LeftThumb, "L"),
    (Key::Via, GamepadButton::RightThumb, "R"),
];

/// The name of the button for an action.
pub fn name(key: Key) -> Option<&'static str> {
    PAD.iter().find(|p| p.0 == key).map(|p| p.2)
}

/// Actions whose button or stick direction is held.
#[cfg(feature = "gamepad")]
pub(super) fn held(pad: &Gamepad) -> impl Iterator<Item = Key> + '_ {
    let buttons = PAD.iter().filter(|(_, button, _)| pad.pressed(*button));
    let (left, right) = (pad.left_stick(), pad.right_stick());
    let tilted = [
        (Key::Up, left.y),
        (Key::Down, -left.y),
        (Key::Left, -left.x),
        (Key::Right, left.x),
        (Key::ZoomIn, right.y),
        (Key::ZoomOut, -right.y),
    ];
    let tilted = tilted.into_iter().filter(|(_, far)| *far > STICK);
    buttons.map(|b| b.0).chain(tilted.map(|t| t.0))
}

/// How far a stick must be tilted to count, from 0 to 1.
#[cfg(feature = "gamepad")]
const STICK: f32 = 0.5;
