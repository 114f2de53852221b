//! The gamepad. Where everything is on it stands here once.
//!
//! The left stick and the cross move the cursor or the focus, the right stick
//! brings the map nearer, the lower button does, the right one goes back, the
//! left one goes from the board to the buttons round it and back: by these
//! everything can be done. The others are short ways.

use super::Key;
use bevy::input::gamepad::GamepadButton;

/// Buttons, what they do and how they are called.
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

/// How the button is called that does this.
pub fn name(key: Key) -> Option<&'static str> {
    PAD.iter().find(|p| p.0 == key).map(|p| p.2)
}

/// Adds the gamepad to a map.
#[cfg(feature = "gamepad")]
pub(super) fn add_to(map: &mut leafwing_input_manager::prelude::InputMap<Key>) {
    use leafwing_input_manager::prelude::GamepadControlDirection as Stick;
    for &(key, button, _) in PAD {
        map.insert(key, button);
    }
    for (key, stick) in [
        (Key::Up, Stick::LEFT_UP),
        (Key::Down, Stick::LEFT_DOWN),
        (Key::Left, Stick::LEFT_LEFT),
        (Key::Right, Stick::LEFT_RIGHT),
        (Key::ZoomIn, Stick::RIGHT_UP),
        (Key::ZoomOut, Stick::RIGHT_DOWN),
    ] {
        map.insert(key, stick.threshold(STICK));
    }
}

/// How far the stick is tilted when it counts, from 0 to 1.
#[cfg(feature = "gamepad")]
const STICK: f32 = 0.5;
