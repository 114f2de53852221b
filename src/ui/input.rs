//! Keyboard and gamepad input: the game's actions and the keys bound to them.
//!
//! - [`Key`]: every action that a key can trigger, on any screen. A new one needs a line in
//!   [`standard_keys`], one in [`Key::title`], and perhaps one in [`pad::PAD`].
//! - [`bindings`]: the keys bound to the actions, with the player's changes. All text that names a
//!   key gets it from there: see [`Hint`](crate::ui::widgets::Hint) and
//!   [`Tip::key`](crate::ui::widgets::Tip::key).
//! - [`EditKey`]: actions of the level editor only. There a key may mean something else than in a
//!   battle.
//! - [`Layout`]: which physical key has which label.
//! - [`focus`]: keyboard and gamepad focus for widgets.
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
pub use layout::{KeyLabel, Layout};

use super::selection::Overlay;
use crate::battle::LETTERS;
use bevy::{input::InputSystems, prelude::*};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ButtonInput<Key>>();
    app.init_resource::<PromptAnswered>();
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

/// The most time between the presses of a double click, or of a key that is pressed twice.
pub const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// When the player last answered a prompt, as time since the start of the game. The second press of
/// a double press was meant for the prompt, so it must not act on what follows.
#[derive(Resource, Default, Debug)]
pub struct PromptAnswered(Option<Duration>);

impl PromptAnswered {
    /// Notes that a prompt is answered now.
    pub fn note(&mut self, time: &Time<Real>) {
        self.0 = Some(time.elapsed());
    }

    /// Whether a press now belongs to the prompt that was answered.
    pub fn is_double(&self, time: &Time<Real>) -> bool {
        self.0.is_some_and(|at| time.elapsed() < at + DOUBLE_CLICK)
    }
}

/// Every action that a key can trigger, on any screen.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Reflect, Serialize, Deserialize,
)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    /// Confirm: act, start, answer yes.
    Confirm,
    /// Cancel: disarm, go back, answer no.
    Back,
    Next,
    Previous,
    Member(u8),
    /// A button of the action bar.
    Act(char),
    Other,
    Done,
    EndTurn,
    Undo,
    Skip,
    /// Repeat last round's orders, for one unit or for all.
    Repeat,
    RepeatAll,
    /// Give a sensible order to one unit or to all.
    Suggest,
    SuggestAll,
    /// A preset for the round, by its index.
    Preset(u8),
    /// What the unit does if its plan fails.
    Otherwise,
    /// Replay the last round.
    Rewatch,
    /// Add a waypoint.
    Via,
    /// List all actions.
    More,
    /// Toggle an overlay of the board.
    Overlay(Overlay),
    /// Explain an AI action.
    Why,
    /// Show suggestions.
    Hint,
    /// Carry out the best suggestion.
    DoBest,
    /// Play faster while held.
    Faster,
    /// New seed on the title screen.
    Reroll,
    QuickSave,
    QuickLoad,
    /// Open the codex at the hovered rule.
    Codex,
    /// Scroll the log, or the panel on top of the screen.
    PageUp,
    PageDown,
    /// Move the focus between the board and the buttons around it.
    Buttons,
    /// Open or close the settings.
    Settings,
    /// Toggle full screen.
    FullScreen,
    /// Zoom the map.
    ZoomIn,
    ZoomOut,
    /// An action of the level editor only.
    Edit(EditKey),
}

impl Key {
    /// The key of a row in a reaction prompt, by its place: a letter, because numbers select units.
    pub fn answer(row: usize) -> Option<Self> {
        act_letters().nth(row).map(Self::Act)
    }

    pub fn of_editor(self) -> Option<EditKey> {
        match self {
            Self::Edit(key) => Some(key),
            _ => None,
        }
    }

    /// Whether both are used on some common screen, and so can't share a key.
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

    /// The action's name for the player.
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
            Self::Repeat => "Repeat last order",
            Self::RepeatAll => "Repeat last orders of all",
            Self::Suggest => "Suggest an order",
            Self::SuggestAll => "Suggest orders for all",
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
            Self::Hint => "Show suggestions",
            Self::DoBest => "Do the best suggestion",
            Self::Faster => "Hold to play faster",
            Self::Codex => "Codex",
            Self::PageUp => "Scroll up",
            Self::PageDown => "Scroll down",
            Self::Edit(key) => key.title(),
        };
        String::from(words)
    }
}

/// The device the player used last; it decides how keys are named.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    #[default]
    Keyboard,
    Pad,
}

impl Device {
    /// The key's name on this device; empty if there is none.
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

/// Number of presets with a key.
const PRESETS: usize = 4;

/// Letters that actions can't use: they have another meaning in a battle.
pub const TAKEN: &str = "enqruvw";

/// The letters that actions can use.
fn act_letters() -> impl Iterator<Item = char> {
    ('a'..='z').filter(|c| !TAKEN.contains(*c))
}

/// The key of a letter; `None` for other characters.
fn letter(c: char) -> Option<KeyCode> {
    use KeyCode::*;
    let keys = [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO,
        KeyP, KeyQ, KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    ];
    let n = u32::from(c.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
    keys.get(n as usize).copied()
}

/// The default keys. If an action has several, tooltips name the first.
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
    keys.push((Key::DoBest, Stroke::shifted(KeyCode::Enter)));
    keys.push((Key::RepeatAll, Stroke::shifted(KeyCode::KeyR)));
    keys.push((Key::Suggest, Stroke::shifted(KeyCode::KeyS)));
    keys.push((Key::SuggestAll, Stroke::shifted(KeyCode::KeyA)));
    keys.push((Key::Otherwise, Stroke::shifted(KeyCode::KeyO)));
    use KeyCode::{Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9};
    let digits = [
        Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
    ];
    for (n, key) in digits.into_iter().enumerate() {
        keys.push((Key::Member(n as u8), Stroke::plain(key)));
        if n < PRESETS {
            keys.push((Key::Preset(n as u8), Stroke::shifted(key)));
        }
    }
    for act in act_letters() {
        if let Some(key) = letter(act) {
            keys.push((Key::Act(act), Stroke::plain(key)));
        }
    }
    keys.extend(EditKey::standard().map(|(key, stroke)| (Key::Edit(key), stroke)));
    // There are more actions than letters.
    for act in LETTERS.chars().filter(char::is_ascii_uppercase) {
        if let Some(key) = letter(act) {
            keys.push((Key::Act(act), Stroke::shifted(key)));
        }
    }
    keys
}

const SHIFTS: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// Whether either Shift key is held.
pub fn is_shifted(keys: &ButtonInput<KeyCode>) -> bool {
    keys.any_pressed(SHIFTS)
}

/// Updates the pressed actions from bound keys and gamepad. A key pressed and released within one
/// slow frame counts as pressed.
fn read(
    keyboard: Res<ButtonInput<KeyCode>>,
    (bindings, layout): (Res<Bindings>, Res<Layout>),
    #[cfg(feature = "gamepad")] pads: Query<&Gamepad>,
    mut before: Local<Vec<Key>>,
    mut keys: ResMut<ButtonInput<Key>>,
) {
    let shift = is_shifted(&keyboard);
    // Shift may have been released in the same frame.
    let shifted = shift || keyboard.any_just_released(SHIFTS);
    // Chords belong to the editor, text fields and the desktop.
    let is_chord = layout.has_control(&keyboard) || layout.has_foreign(&keyboard);
    let meaning = |code: KeyCode, shift: bool| {
        // A bound modifier, such as Alt, makes no chord with itself.
        let is_free = |code: &KeyCode| !is_chord || layout::is_modifier(*code);
        let code = layout.bound(code)?;
        // The one chord that every player tries.
        if layout.has_control(&keyboard) && code == KeyCode::KeyZ && !shift {
            return Some(Key::Undo);
        }
        bindings.struck(Some(code).filter(is_free)?, shift)
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
    // A repeated press is new even if the release was never seen.
    struck.iter().for_each(|&key| keys.reset(key));
    held.iter().for_each(|&key| keys.press(key));
    let gone = before.iter().filter(|key| !held.contains(key));
    gone.for_each(|&key| keys.release(key));
    *before = held;
}

/// Tracks whether the player uses the keyboard or the gamepad.
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

/// Whether the keyboard's arrow key for this direction is held.
fn is_arrow(keyboard: &ButtonInput<KeyCode>, key: Key) -> bool {
    keyboard.pressed(match key {
        Key::Up => KeyCode::ArrowUp,
        Key::Down => KeyCode::ArrowDown,
        Key::Left => KeyCode::ArrowLeft,
        Key::Right => KeyCode::ArrowRight,
        _ => return false,
    })
}

/// Seconds until a held key repeats, and between repeats.
const REPEAT: (f32, f32) = (0.35, 0.09);

/// Timer for the repeat of held arrow keys.
#[derive(Default)]
pub struct Repeat {
    held: f32,
}

/// The cursor's step in this frame, east and south.
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
