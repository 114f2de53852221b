//! The keyboard layout: which physical key has which label.
//!
//! Bindings name keys of a US keyboard. "Z" is the key that types a z, wherever it is. The window
//! library reports what a key types only when it is pressed, so the layout is learnt press by
//! press.

use super::Bindings;
use bevy::{
    input::{
        ButtonState,
        keyboard::{Key as Logical, KeyCode, KeyboardInput},
    },
    platform::collections::HashMap,
    prelude::*,
};

/// The labels of all physical keys pressed so far.
#[derive(Resource, Default, Debug)]
pub struct Layout(HashMap<KeyCode, KeyLabel>);

/// The label of a physical key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeyLabel {
    /// The key of a US keyboard that bindings know it as. `None`: no binding can use it.
    pub key: Option<KeyCode>,
    /// What it types, if the name of `key` says otherwise.
    pub typed: Option<char>,
}

const ALTS: [KeyCode; 2] = [KeyCode::AltLeft, KeyCode::AltRight];
const CONTROLS: [KeyCode; 2] = [KeyCode::ControlLeft, KeyCode::ControlRight];
const SUPERS: [KeyCode; 2] = [KeyCode::SuperLeft, KeyCode::SuperRight];
/// The modifiers of the game's own chords, and those of the desktop's.
const CHORDS: [KeyCode; 2] = if IS_MAC { SUPERS } else { CONTROLS };
const FOREIGN: [KeyCode; 2] = if IS_MAC { CONTROLS } else { SUPERS };
const IS_MAC: bool = cfg!(target_os = "macos");

/// Whether one of these keys was down at any time in this frame: in a slow frame a chord
/// is pressed and released.
fn is_held(keys: &[KeyCode], keyboard: &ButtonInput<KeyCode>, layout: &Layout) -> bool {
    let pressed = keyboard.get_pressed().chain(keyboard.get_just_pressed());
    let mut pressed = pressed.chain(keyboard.get_just_released());
    pressed.any(|&code| layout.bound(code).is_some_and(|it| keys.contains(&it)))
}

/// Whether a key makes chords with others.
pub fn is_modifier(key: KeyCode) -> bool {
    ALTS.contains(&key) || CONTROLS.contains(&key) || SUPERS.contains(&key)
}

impl Layout {
    /// The key of a US keyboard that a physical key is bound as.
    pub fn bound(&self, pressed: KeyCode) -> Option<KeyCode> {
        self.0
            .get(&pressed)
            .map_or(Some(pressed), |label| label.key)
    }

    /// Whether Control is held, or Command on a Mac.
    pub fn has_control(&self, keyboard: &ButtonInput<KeyCode>) -> bool {
        is_held(&CHORDS, keyboard, self)
    }

    /// Whether a modifier is held that makes desktop chords or types special characters.
    pub fn has_foreign(&self, keyboard: &ButtonInput<KeyCode>) -> bool {
        is_held(&FOREIGN, keyboard, self) || is_held(&ALTS, keyboard, self)
    }
}

impl KeyLabel {
    /// The label of the key that was pressed.
    pub fn of(stroke: &KeyboardInput) -> Self {
        let place = stroke.key_code;
        let at = |key: KeyCode| Self {
            key: Some(key),
            typed: None,
        };
        let name = format!("{place:?}");
        // By position: players press digit keys without Shift even where digits need it.
        if name.starts_with("Digit") || name.starts_with("Numpad") {
            return at(place);
        }
        let typed = match &stroke.logical_key {
            Logical::Character(typed) => typed,
            other => return at(named(other).unwrap_or(place)),
        };
        let mut signs = typed.chars();
        let (Some(typed), None) = (signs.next(), signs.next()) else {
            return at(place);
        };
        let is_letter = name.starts_with("Key");
        match us_key_for(typed) {
            Some(key) => at(key),
            // Keyboards for other scripts have Latin labels too. But where é or ñ has the place of
            // a letter, that letter is elsewhere.
            None if is_letter && is_latin(typed) => Self::default(),
            None if is_letter => at(place),
            None => Self {
                typed: Some(typed),
                ..at(place)
            },
        }
    }
}

/// The key of a US keyboard that types a character.
fn us_key_for(typed: char) -> Option<KeyCode> {
    use KeyCode::*;
    Some(match typed {
        '-' => Minus,
        // One key on a US keyboard.
        '=' | '+' => Equal,
        ',' => Comma,
        '.' => Period,
        '/' => Slash,
        '\\' => Backslash,
        ';' => Semicolon,
        '\'' => Quote,
        '`' => Backquote,
        '[' => BracketLeft,
        ']' => BracketRight,
        letter => return super::letter(letter),
    })
}

/// Whether a character is ASCII or from the Latin blocks of Unicode.
fn is_latin(typed: char) -> bool {
    typed.is_ascii()
        || ('\u{a0}'..'\u{250}').contains(&typed)
        || ('\u{1e00}'..'\u{1f00}').contains(&typed)
}

/// The key for a named key that types nothing: layouts can remap it, such as Caps Lock to Escape.
fn named(key: &Logical) -> Option<KeyCode> {
    Some(match key {
        Logical::Escape => KeyCode::Escape,
        Logical::Tab => KeyCode::Tab,
        Logical::Enter => KeyCode::Enter,
        Logical::Space => KeyCode::Space,
        Logical::Backspace => KeyCode::Backspace,
        Logical::Delete => KeyCode::Delete,
        Logical::Control => KeyCode::ControlLeft,
        Logical::Alt => KeyCode::AltLeft,
        Logical::AltGraph => KeyCode::AltRight,
        Logical::Super => KeyCode::SuperLeft,
        _ => return None,
    })
}

/// Learns the labels of pressed keys, and corrects the labels in the bindings.
pub(super) fn learn(
    mut strokes: MessageReader<KeyboardInput>,
    mut layout: ResMut<Layout>,
    mut bindings: ResMut<Bindings>,
) {
    for stroke in strokes.read() {
        if stroke.state == ButtonState::Released || stroke.repeat {
            continue;
        }
        let label = KeyLabel::of(stroke);
        if layout.0.insert(stroke.key_code, label) != Some(label)
            && bindings.bypass_change_detection().rename(label)
        {
            bindings.set_changed();
        }
    }
}
