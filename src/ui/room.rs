//! The scale of the interface: it grows with the window. All sizes in the code are
//! layout pixels; the smallest supported window has 1280 by 720 of them.
//!
//! With a scale factor above 1 a window has fewer logical pixels than physical ones.
//! If they are too few, the interface shrinks, down to one physical pixel per layout
//! pixel.

use super::{
    settings::Settings,
    theme::{self, Appearance},
};
use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    text::RemSize,
    window::{Monitor, PrimaryMonitor, PrimaryWindow},
};

/// The window size that the layout is designed for, in layout pixels.
pub const MEASURE: Vec2 = Vec2::new(1280.0, 720.0);
/// The share of any additional window size that enlarges things; the rest is space
/// for the board and the log.
const SHARE: f32 = 0.5;
/// The step of the scale, so that dragging the window's edge does not redraw
/// everything at every pixel.
const STEP: f32 = 0.05;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<UiScale>();
    app.add_systems(PreUpdate, (fit_screen, grow).chain());
}

/// The number of the window's logical pixels per layout pixel, at a scale factor of
/// the screen.
pub fn scale_for(window: Vec2, factor: f32) -> f32 {
    let more = (window / MEASURE).min_element() - 1.0;
    // A little is added, because 0.8 times a half is slightly less than 0.4 in
    // floating point.
    let steps = |by: f32| (by / STEP + 0.01).floor() * STEP;
    match more < 0.0 {
        true => (1.0 + steps(more)).max(1.0 / factor.max(1.0)),
        false => 1.0 + steps(more * SHARE),
    }
}

/// The scale for an interface size in percent: limited so that the layout has at
/// least as much space as in the smallest window.
pub fn scale_at(window: Vec2, factor: f32, percent: u16) -> f32 {
    let usual = scale_for(window, factor);
    let most = (window / MEASURE).min_element().max(usual);
    let least = 1.0 / factor.max(1.0);
    let wanted = usual * f32::from(percent) / 100.0;
    // A little is added, as in `scale_for`.
    let stepped = (wanted / STEP + 0.01).floor() * STEP;
    stepped.min(most).max(least.min(usual))
}

/// The share of the screen for the first window if it does not fit; the rest is for
/// its frame and the desktop's panels.
const OF_SCREEN: f32 = 0.9;

/// The size of the first window on a screen, in physical pixels: `wanted` if it fits.
pub fn first_size(wanted: UVec2, screen: UVec2) -> UVec2 {
    let most = screen.as_vec2() * OF_SCREEN;
    match wanted.as_vec2().cmple(screen.as_vec2()).all() {
        true => wanted,
        false => wanted.as_vec2().min(most).as_uvec2().max(UVec2::ONE),
    }
}

/// Makes the first window smaller if it is larger than the screen, once.
fn fit_screen(
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    screens: Query<(&Monitor, Has<PrimaryMonitor>)>,
    mut is_done: Local<bool>,
) {
    let best = screens.iter().max_by_key(|(_, is_first)| *is_first);
    let (Some(mut window), Some((screen, _)), false) = (window, best, *is_done) else {
        return;
    };
    *is_done = true;
    let now = window.physical_size();
    let fits = first_size(now, screen.physical_size());
    if fits != now {
        window.resolution.set_physical_resolution(fits.x, fits.y);
    }
}

fn grow(
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    settings: Option<Res<Settings>>,
    mut scale: ResMut<UiScale>,
    mut appearance: ResMut<Appearance>,
) {
    let Some(window) = window else { return };
    let percent = settings.map_or(100, |settings| settings.interface_percent);
    let now = scale_at(window.size(), window.scale_factor(), percent);
    if scale.0 != now {
        scale.0 = now;
        // All pictures are drawn at the resolution they are shown in.
        appearance.set_changed();
    }
}

/// The size of the window in layout pixels, and of its text.
#[derive(SystemParam)]
pub struct Room<'w, 's> {
    window: Option<Single<'w, 's, &'static Window, With<PrimaryWindow>>>,
    scale: Option<Res<'w, UiScale>>,
    rem: Option<Res<'w, RemSize>>,
}

impl Room<'_, '_> {
    /// The number of the window's logical pixels per layout pixel.
    pub fn scale(&self) -> f32 {
        self.scale.as_ref().map_or(1.0, |scale| scale.0)
    }

    /// The number of screen pixels per layout pixel.
    pub fn screen_scale(&self) -> f32 {
        let fine = self.window.as_ref().map_or(1.0, |w| w.scale_factor());
        fine * self.scale()
    }

    /// The window's size in layout pixels.
    pub fn size(&self) -> Vec2 {
        let size = self.window.as_ref().map_or(MEASURE, |w| w.size());
        size / self.scale()
    }

    /// The text size, as a factor of the standard size.
    pub fn text(&self) -> f32 {
        self.rem.as_ref().map_or(1.0, |rem| rem.0 / theme::BODY)
    }

    pub fn has_window(&self) -> bool {
        self.window.is_some()
    }

    /// Converts a point of the window to layout pixels.
    pub fn point(&self, at: Vec2) -> Vec2 {
        at / self.scale()
    }
}
