//! How large everything is: the interface grows with the window. All sizes in
//! the code are pixels of the layout, of which the smallest window that is
//! thought of has 1280 by 720.
//!
//! With a scale factor above 1 a window has fewer logical pixels than physical ones. If
//! they are too few, the interface shrinks, down to one physical pixel per pixel of the
//! layout.

use super::{settings::Settings, theme::Look};
use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    window::{Monitor, PrimaryMonitor, PrimaryWindow},
};

/// The window for which the layout is measured, in its pixels.
pub const MEASURE: Vec2 = Vec2::new(1280.0, 720.0);
/// How much of what the window has more than that makes things larger; the
/// rest is room for the board and the log.
const SHARE: f32 = 0.5;
/// Sizes go up by this: dragging the window's edge does not draw all anew at
/// each pixel.
const STEP: f32 = 0.05;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<UiScale>();
    app.add_systems(PreUpdate, (fit_screen, grow).chain());
}

/// How many logical pixels of the window one pixel of the layout has, at a scale factor.
pub fn scale_for(window: Vec2, factor: f32) -> f32 {
    let more = (window / MEASURE).min_element() - 1.0;
    // A hair more, as 0.8 of a half is a little less than 0.4.
    let steps = |by: f32| (by / STEP + 0.01).floor() * STEP;
    match more < 0.0 {
        true => (1.0 + steps(more)).max(1.0 / factor.max(1.0)),
        false => 1.0 + steps(more * SHARE),
    }
}

/// The scale at a size of the interface in percent: never so large that the layout has
/// less room than in the smallest window.
pub fn scale_at(window: Vec2, factor: f32, percent: u16) -> f32 {
    let usual = scale_for(window, factor);
    let most = (window / MEASURE).min_element().max(usual);
    let least = 1.0 / factor.max(1.0);
    let wanted = usual * f32::from(percent) / 100.0;
    // A hair more, as in `scale_for`.
    let stepped = (wanted / STEP + 0.01).floor() * STEP;
    stepped.min(most).max(least.min(usual))
}

/// The share of the screen that the first window takes if it does not fit: the rest is
/// for its frame and the desktop's panels.
const OF_SCREEN: f32 = 0.9;

/// The size of the first window on a screen, in physical pixels; `wanted` if it fits.
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
    mut look: ResMut<Look>,
) {
    let Some(window) = window else { return };
    let percent = settings.map_or(100, |settings| settings.interface_percent);
    let now = scale_at(window.size(), window.scale_factor(), percent);
    if scale.0 != now {
        scale.0 = now;
        // All pictures are drawn for the pixels that they are shown with.
        look.set_changed();
    }
}

/// The window, as the layout sees it.
#[derive(SystemParam)]
pub struct Room<'w, 's> {
    window: Option<Single<'w, 's, &'static Window, With<PrimaryWindow>>>,
    scale: Option<Res<'w, UiScale>>,
}

impl Room<'_, '_> {
    /// How many of the window's pixels one of the layout has.
    pub fn scale(&self) -> f32 {
        self.scale.as_ref().map_or(1.0, |scale| scale.0)
    }

    /// How many of the screen's.
    pub fn screen_scale(&self) -> f32 {
        let fine = self.window.as_ref().map_or(1.0, |w| w.scale_factor());
        fine * self.scale()
    }

    /// The window's size, in pixels of the layout.
    pub fn size(&self) -> Vec2 {
        let size = self.window.as_ref().map_or(MEASURE, |w| w.size());
        size / self.scale()
    }

    /// Everything is larger or smaller than it was.
    pub fn is_changed(&self) -> bool {
        self.scale.as_ref().is_some_and(|scale| scale.is_changed())
    }

    pub fn has_window(&self) -> bool {
        self.window.is_some()
    }

    /// A point of the window, in pixels of the layout.
    pub fn point(&self, at: Vec2) -> Vec2 {
        at / self.scale()
    }
}
