//! The player's settings. Changes take effect immediately and are saved between runs.
//!
//! [`Settings`] is a plain value with one owner, this module; other modules read it.
//! To change a setting, just change the resource (`ResMut<Settings>`): the systems
//! here apply and save it.
//!
//! - [`store`]: the file.
//! - [`screen`]: the settings card, shown over any screen; [`open`] opens it.
//! - [`window`]: full screen, and the window's size and position between runs.
//! - [`toast`]: short messages on any screen, such as that a file cannot be read.

pub mod screen;
pub mod store;
pub mod toast;
pub mod window;

pub use screen::open;
pub use toast::Toast;

use super::{
    art::palette::{self, Scheme},
    home::Home,
    input::{Bindings, Key, Stroke},
    theme::{self, Appearance},
    widgets::set_part,
};
use bevy::{
    prelude::*,
    text::RemSize,
    window::{MonitorSelection, PresentMode, PrimaryWindow, WindowMode},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>().cloned();
    let path = home.and_then(|home| store::path(&home));
    let (settings, message) = path.as_deref().map(store::load).unwrap_or_default();
    app.insert_resource(Bindings::new(&settings.keys));
    app.insert_resource(Kept(settings.clone()));
    app.insert_resource(settings);
    app.add_plugins((screen::plugin, toast::plugin, window::plugin));
    if let Some(message) = message {
        app.world_mut().write_message(Toast(message));
    }
    app.add_systems(Startup, apply);
    app.add_systems(PreUpdate, apply.run_if(resource_changed::<Settings>));
    app.add_systems(Last, keep);
}

/// Volumes, each from 0 to 100.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Volumes {
    /// Applied to all sounds.
    pub master: u8,
    pub ambience: u8,
    /// Sounds of the battle.
    pub effects: u8,
    /// Sounds of the interface: buttons and paths.
    pub ui: u8,
}

impl Default for Volumes {
    fn default() -> Self {
        Self {
            master: 80,
            ambience: 50,
            effects: 80,
            ui: 60,
        }
    }
}

/// How fast events are played back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Pace {
    Slow,
    #[default]
    Normal,
    Fast,
    /// Nothing is played back: the result is shown immediately.
    Instant,
}

impl Pace {
    pub const ALL: [Self; 4] = [Self::Slow, Self::Normal, Self::Fast, Self::Instant];

    /// The factor for all durations, 1 at normal speed. `None` for
    /// [`Instant`](Self::Instant).
    pub fn stretch(self) -> Option<f32> {
        match self {
            Self::Slow => Some(1.6),
            Self::Normal => Some(1.0),
            Self::Fast => Some(0.45),
            Self::Instant => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Slow => "Slow",
            Self::Normal => "Normal",
            Self::Fast => "Fast",
            Self::Instant => "Instant",
        }
    }
}

/// The strength of a visual effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Amount {
    Off,
    Little,
    #[default]
    Full,
}

impl Amount {
    pub const ALL: [Self; 3] = [Self::Off, Self::Little, Self::Full];

    /// The strength from 0 to 1.
    pub fn share(self) -> f32 {
        match self {
            Self::Off => 0.0,
            Self::Little => 0.45,
            Self::Full => 1.0,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "Off",
            Self::Little => "A little",
            Self::Full => "Full",
        }
    }
}

/// All settings.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub volumes: Volumes,
    /// The size of text in percent, from 75 to 200.
    pub text_percent: u16,
    pub palette: Scheme,
    /// Playback speed of the player's own actions.
    pub own_pace: Pace,
    /// Playback speed of all other actions.
    pub others_pace: Pace,
    /// The camera follows the action.
    pub follow: bool,
    /// How much the board shakes at a heavy hit or a fall.
    pub shake: Amount,
    /// How bright the flash of a hit unit is, and the bursts of spells.
    pub flashes: Amount,
    /// Whether initiative dice are seen rolling.
    pub dice: bool,
    /// Only necessary motion: units still move to their cells, but there is no
    /// recoil, knockback, shaking or tumbling.
    pub less_motion: bool,
    pub full_screen: bool,
    /// Vertical sync, so that frames do not tear.
    pub vsync: bool,
    /// The size of the whole interface in percent, from 80 to 150, limited by the
    /// size of the window.
    pub interface_percent: u16,
    /// Where the window was left. `None` until it is first moved or closed.
    pub window: Option<window::WindowPlace>,
    /// The player is warned before an order that provokes an attack or wastes an
    /// action.
    pub warn: bool,
    /// After all declarations, the whole plan is shown until the player starts the
    /// round.
    pub review: bool,
    /// The win probability is shown beside the round.
    pub forecast: bool,
    /// The keys that differ from the standard ones.
    pub keys: BTreeMap<Key, Stroke>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            volumes: Volumes::default(),
            text_percent: 100,
            palette: Scheme::Standard,
            own_pace: Pace::Normal,
            others_pace: Pace::Normal,
            follow: true,
            shake: Amount::Full,
            flashes: Amount::Full,
            dice: true,
            less_motion: false,
            full_screen: false,
            vsync: true,
            interface_percent: 100,
            window: None,
            warn: true,
            review: true,
            forecast: true,
            keys: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The least and the greatest [`Settings::text_percent`], and its step.
    pub const TEXT: (u16, u16, u16) = (75, 200, 25);

    /// The values of [`Settings::interface_percent`] on offer.
    pub const INTERFACE: [u16; 6] = [80, 90, 100, 110, 125, 150];

    /// The settings with all numbers within their bounds, because the file may be
    /// edited by hand.
    fn sound(mut self) -> Self {
        self.text_percent = self.text_percent.clamp(Self::TEXT.0, Self::TEXT.1);
        let [least, .., most] = Self::INTERFACE;
        self.interface_percent = self.interface_percent.clamp(least, most);
        let v = &mut self.volumes;
        for volume in [&mut v.master, &mut v.ambience, &mut v.effects, &mut v.ui] {
            *volume = (*volume).min(100);
        }
        self
    }
}

/// Applies the settings that other modules do not read themselves.
fn apply(
    settings: Res<Settings>,
    mut rem: ResMut<RemSize>,
    mut appearance: ResMut<Appearance>,
    mut bindings: ResMut<Bindings>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
) {
    let size = theme::BODY * f32::from(settings.text_percent) / 100.0;
    rem.set_if_neq(RemSize(size));
    let scheme = settings.palette;
    if palette::scheme() != scheme {
        palette::set_scheme(scheme);
        appearance.set_changed();
    }
    bindings.set_if_neq(Bindings::new(&settings.keys));
    if let Some(mut window) = window {
        let mode = match settings.full_screen {
            true => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            false => WindowMode::Windowed,
        };
        set_part(&mut window, |window| &mut window.mode, mode);
        let present = match settings.vsync {
            true => PresentMode::AutoVsync,
            false => PresentMode::AutoNoVsync,
        };
        set_part(&mut window, |window| &mut window.present_mode, present);
    }
}

/// The settings that the file contains.
#[derive(Resource)]
struct Kept(Settings);

/// How long the settings must stay unchanged before they are saved, in seconds, so
/// that dragging a slider does not write all the time.
const REST: f32 = 0.6;

fn keep(
    settings: Res<Settings>,
    mut kept: ResMut<Kept>,
    home: Res<Home>,
    time: Res<Time<Real>>,
    mut rest: Local<f32>,
    exits: MessageReader<AppExit>,
    mut toasts: MessageWriter<Toast>,
) {
    *rest = if settings.is_changed() {
        0.0
    } else {
        *rest + time.delta_secs()
    };
    let is_due = *rest >= REST || !exits.is_empty();
    if !is_due || kept.0 == *settings {
        return;
    }
    // Also after a failure, so that the message appears only once.
    kept.0 = settings.clone();
    if let Some(path) = store::path(&home)
        && let Err(why) = store::save(&path, &settings)
    {
        toasts.write(Toast(format!("The settings can't be saved: {why}")));
    }
}
