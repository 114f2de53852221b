//! Keyboard and gamepad: what can be done by them, and which key does it.
//!
//! - [`Key`]: everything that can be done, on whatever screen. A new one is a
//!   line in [`standard_keys`], one in [`Key::title`], and perhaps one in
//!   [`pad::PAD`].
//! - [`bindings`]: which key means what, as the player has it. Whatever names a
//!   key to the player asks it: see [`Hint`](crate::ui::widgets::Hint) and
//!   [`Tip::key`](crate::ui::widgets::Tip::key).
//! - [`EditKey`]: what is done by keys in the level editor alone. There the same key
//!   may mean something else than in a battle.
//! - [`Layout`]: which physical key is labelled with which letter.
//! - [`focus`]: buttons by keys and gamepad.
//! - `pointer`: clicks that begin and end within one frame.

pub mod bindings;
mod editing;
pub mod focus;
mod layout;
#[cfg(feature = "gamepad")]
pub mod pad;
mod pointer;

pub use bindings::{Bindings, Stroke, rebind};
pub use editing::EditKey;
pub use focus::{FirstFocus, FollowsFocus};
pub use layout::{Cap, Layout};

use super::selection::Overlay;
use bevy::{input::InputSystems, prelude::*};
use serde::{Deserialize, Serialize};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ButtonInput<Key>>();
    app.init_resource::<Bindings>().init_resource::<Device>();
    app.init_resource::<Layout>();
    app.add_plugins((focus::plugin, pointer::plugin));
    app.add_systems(
        PreUpdate,
        (
            layout::learn,
            read,
            #[cfg(feature = "gamepad")]
            tell_device,
        )
            .chain()
            .after(InputSystems),
    );
}

/// What can be done by keys, on whatever screen.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Reflect, Serialize, Deserialize,
)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    /// Do it: act, start, answer yes.
    Confirm,
    /// Leave it: disarm, go back, answer no.
    Back,
    Next,
    Previous,
    Member(u8),
    /// A button of the act bar.
    Act(char),
    Other,
    Done,
    EndTurn,
    Undo,
    Skip,
    /// The same as last round, for one or for all.
    Repeat,
    RepeatAll,
    /// A usual round, by its place.
    Preset(u8),
    /// What is done where a plan does not come off.
    Otherwise,
    /// The last round once more.
    Rewatch,
    /// The path is to lead by this cell.
    Via,
    /// Every act.
    More,
    /// Something that is laid over the board.
    Overlay(Overlay),
    /// Why an AI acted.
    Why,
    /// What could be done best.
    Hint,
    /// Go faster while it is held.
    Faster,
    /// New dice on the title screen.
    Reroll,
    QuickSave,
    QuickLoad,
    /// The codex, at what is pointed at.
    Codex,
    /// Leaf back and on in the log, or in whatever lies over the screen.
    PageUp,
    PageDown,
    /// From the board to the buttons round it, and back.
    Buttons,
    /// Opens and closes the settings.
    Settings,
    /// From the window to the full screen, and back.
    FullScreen,
    /// The map nearer, or farther away.
    ZoomIn,
    ZoomOut,
    /// Something of the level editor's own.
    Edit(EditKey),
}

impl Key {
    pub fn of_editor(self) -> Option<EditKey> {
        match self {
            Self::Edit(key) => Some(key),
            _ => None,
        }
    }

    /// Both are heard on some screen, and so must not have the same stroke.
    pub fn meets(self, other: Self) -> bool {
        let everywhere = |key: Self| {
            matches!(
                key,
                Self::Up
                    | Self::Down
                    | Self::Left
                    | Self::Right
                    | Self::Confirm
                    | Self::Back
                    | Self::Next
                    | Self::Previous
                    | Self::Buttons
                    | Self::Settings
                    | Self::FullScreen
                    | Self::Codex
                    | Self::ZoomIn
                    | Self::ZoomOut
            )
        };
        match (self.of_editor(), other.of_editor()) {
            (Some(_), None) => everywhere(other),
            (None, Some(_)) => everywhere(self),
            _ => true,
        }
    }

    /// What it does, for the player.
    pub fn title(self) -> String {
        let words = match self {
            Self::Up => "Up",
            Self::Down => "Down",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Confirm => "Confirm",
            Self::Back => "Cancel, back, pause",
            Self::Next => "Next unit or target",
            Self::Previous => "Previous unit or target",
            Self::Member(n) => return format!("Unit or row {}", n + 1),
            Self::Act(c) if c.is_ascii_uppercase() => return format!("Action Shift+{c}"),
            Self::Act(c) => return format!("Action {}", c.to_ascii_uppercase()),
            Self::Other => "Swap weapons",
            Self::Done => "End unit's turn",
            Self::EndTurn => "End the turn",
            Self::Undo => "Undo",
            Self::Skip => "Skip animation",
            Self::Rewatch => "Replay the round",
            Self::Repeat => "Repeat last orders",
            Self::RepeatAll => "Repeat orders for all without a plan",
            Self::Preset(n) => return format!("Preset {}", n + 1),
            Self::Otherwise => "If the plan fails",
            Self::Via => "Add waypoint",
            Self::More => "All actions",
            Self::Reroll => "New seed",
            Self::Buttons => "Move focus between board and buttons",
            Self::Settings => "Settings",
            Self::FullScreen => "Full screen (also Alt+Enter)",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::QuickSave => "Quick save",
            Self::QuickLoad => "Quick load",
            Self::Overlay(overlay) => return format!("Show {}", overlay.word()),
            Self::Why => "Explain an AI action",
            Self::Hint => "Suggestions",
            Self::Faster => "Hold to play faster",
            Self::Codex => "Rules",
            Self::PageUp => "Scroll up",
            Self::PageDown => "Scroll down",
            Self::Edit(key) => key.title(),
        };
        String::from(words)
    }
}

/// What the player has in hand: it says how keys are called.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    #[default]
    Keyboard,
    Pad,
}

impl Device {
    /// How a key is called on it; empty where there is none.
    pub fn name(self, key: Key, bindings: &Bindings) -> String {
        #[cfg(feature = "gamepad")]
        if self == Self::Pad
            && let Some(name) = pad::name(key)
        {
            return String::from(name);
        }
        bindings.name(key)
    }
}

/// Usual rounds that have a key of their own.
const PRESETS: usize = 4;

/// Letters that are no act's: they mean something else in a battle.
pub const TAKEN: &str = "enqruvw";

/// The letter on the keyboard.
fn letter(c: char) -> Option<KeyCode> {
    use KeyCode::*;
    let keys = [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO,
        KeyP, KeyQ, KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    ];
    let n = u32::from(c.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
    keys.get(n as usize).copied()
}

/// The keys as they come with the game. What tips name comes first.
pub fn standard_keys() -> Vec<(Key, Stroke)> {
    let mut keys: Vec<(Key, Stroke)> = [
        (Key::Up, KeyCode::ArrowUp),
        (Key::Down, KeyCode::ArrowDown),
        (Key::Left, KeyCode::ArrowLeft),
        (Key::Right, KeyCode::ArrowRight),
        (Key::Confirm, KeyCode::Enter),
        (Key::Confirm, KeyCode::NumpadEnter),
        (Key::Back, KeyCode::Escape),
        (Key::Next, KeyCode::Tab),
        (Key::Other, KeyCode::KeyW),
        (Key::Done, KeyCode::KeyN),
        (Key::EndTurn, KeyCode::KeyE),
        (Key::Undo, KeyCode::KeyU),
        (Key::Skip, KeyCode::Space),
        (Key::Repeat, KeyCode::KeyR),
        (Key::Rewatch, KeyCode::Backspace),
        (Key::Via, KeyCode::KeyV),
        (Key::More, KeyCode::KeyQ),
        (Key::Overlay(Overlay::Sight), KeyCode::F2),
        (Key::Overlay(Overlay::Threats), KeyCode::F3),
        (Key::Overlay(Overlay::Cover), KeyCode::F4),
        (Key::Overlay(Overlay::Heights), KeyCode::F6),
        (Key::Overlay(Overlay::Numbers), KeyCode::AltLeft),
        (Key::FullScreen, KeyCode::F11),
        (Key::Hint, KeyCode::F12),
        (Key::Faster, KeyCode::Period),
        (Key::ZoomIn, KeyCode::Equal),
        (Key::ZoomIn, KeyCode::NumpadAdd),
        (Key::ZoomOut, KeyCode::Minus),
        (Key::ZoomOut, KeyCode::NumpadSubtract),
        (Key::Reroll, KeyCode::F8),
        (Key::Buttons, KeyCode::F7),
        (Key::Settings, KeyCode::F10),
        (Key::QuickSave, KeyCode::F5),
        (Key::QuickLoad, KeyCode::F9),
        (Key::Codex, KeyCode::F1),
        (Key::PageUp, KeyCode::PageUp),
        (Key::PageDown, KeyCode::PageDown),
    ]
    .map(|(key, code)| (key, Stroke::plain(code)))
    .into();
    keys.push((Key::Previous, Stroke::shifted(KeyCode::Tab)));
    keys.push((Key::Why, Stroke::shifted(KeyCode::F12)));
    keys.push((Key::RepeatAll, Stroke::shifted(KeyCode::KeyR)));
    keys.push((Key::Otherwise, Stroke::shifted(KeyCode::KeyO)));
    let digits = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
        KeyCode::Digit8,
        KeyCode::Digit9,
    ];
    for (n, key) in digits.into_iter().enumerate() {
        keys.push((Key::Member(n as u8), Stroke::plain(key)));
        if n < PRESETS {
            keys.push((Key::Preset(n as u8), Stroke::shifted(key)));
        }
    }
    for act in ('a'..='z').filter(|c| !TAKEN.contains(*c)) {
        if let Some(key) = letter(act) {
            keys.push((Key::Act(act), Stroke::plain(key)));
        }
    }
    keys.extend(EditKey::standard().map(|(key, stroke)| (Key::Edit(key), stroke)));
    // There are more acts than letters.
    keys.push((Key::Act('L'), Stroke::shifted(KeyCode::KeyL)));
    keys
}

const SHIFTS: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// Shift is held, whichever of the two.
pub fn is_shifted(keys: &ButtonInput<KeyCode>) -> bool {
    keys.any_pressed(SHIFTS)
}

/// What is held: the keys as they are bound, and the gamepad. A key that goes down
/// and up again within one slow frame was pressed all the same.
fn read(
    keyboard: Res<ButtonInput<KeyCode>>,
    (bindings, layout): (Res<Bindings>, Res<Layout>),
    #[cfg(feature = "gamepad")] pads: Query<&Gamepad>,
    mut before: Local<Vec<Key>>,
    mut keys: ResMut<ButtonInput<Key>>,
) {
    let shift = is_shifted(&keyboard);
    // So was Shift with it.
    let shifted = shift || keyboard.any_just_released(SHIFTS);
    // Chords belong to the editor, to text fields or to the desktop.
    let is_chord = layout.has_control(&keyboard) || layout.has_foreign(&keyboard);
    let meaning = |code: KeyCode, shift: bool| {
        // A modifier that is bound itself, as Alt is, makes no chord with itself.
        let is_free = |code: &KeyCode| !is_chord || layout::is_modifier(*code);
        let code = layout.bound(code).filter(is_free)?;
        bindings.struck(code, shift)
    };
    let struck = keyboard.get_just_pressed();
    let struck: Vec<Key> = struck.filter_map(|&code| meaning(code, shifted)).collect();
    let held = keyboard.get_pressed();
    let mut held: Vec<Key> = held.filter_map(|&code| meaning(code, shift)).collect();
    held.extend(&struck);
    #[cfg(feature = "gamepad")]
    held.extend(pads.iter().flat_map(pad::held));
    keys.reset_all();
    before.iter().for_each(|&key| keys.press(key));
    keys.clear();
    // What is struck again is fresh, even where it was not seen to go up.
    struck.iter().for_each(|&key| keys.reset(key));
    held.iter().for_each(|&key| keys.press(key));
    let gone = before.iter().filter(|key| !held.contains(key));
    gone.for_each(|&key| keys.release(key));
    *before = held;
}

/// Which of both the player has in hand.
#[cfg(feature = "gamepad")]
fn tell_device(
    keyboard: Res<ButtonInput<KeyCode>>,
    pads: Query<&Gamepad>,
    keys: Res<ButtonInput<Key>>,
    mut device: ResMut<Device>,
) {
    if keyboard.get_just_pressed().next().is_some() {
        device.set_if_neq(Device::Keyboard);
    } else if pads
        .iter()
        .any(|pad| pad.get_just_pressed().next().is_some())
        || !pads.is_empty() && keys.get_just_pressed().len() > 0
    {
        device.set_if_neq(Device::Pad);
    }
}

/// Whether the arrow of the keyboard is held that is for this way.
fn is_arrow(keyboard: &ButtonInput<KeyCode>, key: Key) -> bool {
    keyboard.pressed(match key {
        Key::Up => KeyCode::ArrowUp,
        Key::Down => KeyCode::ArrowDown,
        Key::Left => KeyCode::ArrowLeft,
        Key::Right => KeyCode::ArrowRight,
        _ => return false,
    })
}

/// How long a key is held before it repeats, and how often it does then, in
/// seconds.
const REPEAT: (f32, f32) = (0.35, 0.09);

/// Arrow keys repeat while they are held.
#[derive(Default)]
pub struct Repeat {
    held: f32,
}

/// The way in which the cursor is sent this frame.
pub fn arrows(keys: &ButtonInput<Key>, time: &Time, repeat: &mut Repeat) -> (i16, i16) {
    let ways = [
        (Key::Left, (-1, 0)),
        (Key::Right, (1, 0)),
        (Key::Up, (0, -1)),
        (Key::Down, (0, 1)),
    ];
    let sum = |pressed: &dyn Fn(Key) -> bool| {
        let on = ways.iter().filter(|w| pressed(w.0));
        on.fold((0, 0), |sum: (i16, i16), w| (sum.0 + w.1.0, sum.1 + w.1.1))
    };
    let fresh = sum(&|key| keys.just_pressed(key));
    if fresh != (0, 0) {
        repeat.held = 0.0;
        return fresh;
    }
    let held = sum(&|key| keys.pressed(key));
    if held == (0, 0) {
        repeat.held = 0.0;
        return (0, 0);
    }
    let before = repeat.held;
    repeat.held += time.delta_secs();
    let ticks = |t: f32| ((t - REPEAT.0) / REPEAT.1).floor();
    if repeat.held >= REPEAT.0 && ticks(repeat.held) > ticks(before) {
        held
    } else {
        (0, 0)
    }
}
