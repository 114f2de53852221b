//! What the player has set: kept between runs, and in force at once.
//!
//! [`Settings`] is a plain value with one owner, this module; others read it.
//! Whoever changes it just changes it (`ResMut<Settings>`): it is put into
//! force and written by the systems here.
//!
//! - [`store`]: the file.
//! - [`screen`]: the card on which it is changed, over whatever is shown;
//!   [`open`] opens it.
//! - [`window`]: full screen, and the window's size and place between runs.
//! - [`toast`]: what has to be told on any screen, such as a file that cannot
//!   be read.

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
    theme::{self, Look},
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
    let (settings, told) = path.as_deref().map(store::load).unwrap_or_default();
    app.insert_resource(Bindings::new(&settings.keys));
    app.insert_resource(Kept(settings.clone()));
    app.insert_resource(settings);
    app.add_plugins((screen::plugin, toast::plugin, window::plugin));
    if let Some(told) = told {
        app.world_mut().write_message(Toast(told));
    }
    app.add_systems(Startup, apply);
    app.add_systems(PreUpdate, apply.run_if(resource_changed::<Settings>));
    app.add_systems(
        Last,
        (keep, keep_on_exit.run_if(on_message::<AppExit>)).chain(),
    );
}

/// How loud, each from 0 to 100.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Volumes {
    /// Of everything.
    pub master: u8,
    pub ambience: u8,
    /// What happens on the board.
    pub effects: u8,
    /// Buttons and paths.
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

/// How fast events are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Pace {
    Slow,
    #[default]
    Normal,
    Fast,
    /// Nothing is played: everything is at once as it then is.
    Instant,
}

impl Pace {
    pub const ALL: [Self; 4] = [Self::Slow, Self::Normal, Self::Fast, Self::Instant];

    /// How many times longer than at normal speed everything takes; `None` for
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

/// How much of something is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Amount {
    Off,
    Little,
    #[default]
    Full,
}

impl Amount {
    pub const ALL: [Self; 3] = [Self::Off, Self::Little, Self::Full];

    /// From 0 to 1.
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

/// All that can be set.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub volumes: Volumes,
    /// The size of text, from 75 to 200.
    pub text_percent: u16,
    pub palette: Scheme,
    /// How fast the player's own acts are played.
    pub own_pace: Pace,
    /// How fast those of the others are played.
    pub others_pace: Pace,
    /// The view goes where something happens.
    pub follow: bool,
    /// How much the board shakes at a heavy blow.
    pub shake: Amount,
    /// How bright whoever is hit flashes, and the bursts of spells.
    pub flashes: Amount,
    /// The dice for initiative are seen to roll.
    pub dice: bool,
    /// Nothing sways that need not: no drawing back, knocking back, shaking or
    /// tumbling. What goes somewhere still goes there.
    pub less_motion: bool,
    pub full_screen: bool,
    /// Frames wait for the screen, so that none is torn.
    pub vsync: bool,
    /// The size of the whole interface, from 80 to 150, as far as the window has room.
    pub interface_percent: u16,
    /// Where the window was left; none before it was first moved or closed.
    pub window: Option<window::Place>,
    /// The player is warned before an act that draws an attack or wastes an
    /// action.
    pub warn: bool,
    /// Once everybody has declared, the whole plan is shown until the player lets the
    /// round begin.
    pub review: bool,
    /// Who is likely to win is shown beside the round.
    pub forecast: bool,
    /// The keys that are not the standard ones.
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
    /// The least and the most of [`Settings::text_percent`], and its step.
    pub const TEXT: (u16, u16, u16) = (75, 200, 25);

    /// The sizes of [`Settings::interface_percent`] on offer.
    pub const INTERFACE: [u16; 6] = [80, 90, 100, 110, 125, 150];

    /// The same within bounds, for numbers that somebody wrote by hand.
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

/// Puts the settings into force that others do not read for themselves.
fn apply(
    settings: Res<Settings>,
    mut rem: ResMut<RemSize>,
    mut look: ResMut<Look>,
    mut bindings: ResMut<Bindings>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
) {
    let size = theme::BODY * f32::from(settings.text_percent) / 100.0;
    rem.set_if_neq(RemSize(size));
    let scheme = settings.palette;
    if palette::scheme() != scheme {
        palette::set_scheme(scheme);
        look.set_changed();
    }
    bindings.set_if_neq(Bindings::new(&settings.keys));
    if let Some(mut window) = window {
        let mode = match settings.full_screen {
            true => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            false => WindowMode::Windowed,
        };
        if window.mode != mode {
            window.mode = mode;
        }
        let present = match settings.vsync {
            true => PresentMode::AutoVsync,
            false => PresentMode::AutoNoVsync,
        };
        if window.present_mode != present {
            window.present_mode = present;
        }
    }
}

/// The settings as the file has them.
#[derive(Resource)]
struct Kept(Settings);

/// How long the settings have to rest before they are written, in seconds: a
/// slider that is dragged is not to write all the time.
const REST: f32 = 0.6;

fn keep(
    settings: Res<Settings>,
    kept: ResMut<Kept>,
    home: Res<Home>,
    time: Res<Time<Real>>,
    mut rest: Local<f32>,
    toasts: MessageWriter<Toast>,
) {
    *rest = if settings.is_changed() {
        0.0
    } else {
        *rest + time.delta_secs()
    };
    if *rest >= REST {
        write(&settings, kept, &home, toasts);
    }
}

fn keep_on_exit(
    settings: Res<Settings>,
    kept: ResMut<Kept>,
    home: Res<Home>,
    toasts: MessageWriter<Toast>,
) {
    write(&settings, kept, &home, toasts);
}

fn write(
    settings: &Settings,
    mut kept: ResMut<Kept>,
    home: &Home,
    mut toasts: MessageWriter<Toast>,
) {
    if kept.0 == *settings {
        return;
    }
    // Also when it fails: once is enough to be told.
    kept.0 = settings.clone();
    if let Some(path) = store::path(home)
        && let Err(why) = store::save(&path, settings)
    {
        toasts.write(Toast(format!("The settings can't be saved: {why}")));
    }
}
