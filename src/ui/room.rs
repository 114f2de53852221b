//! How large everything is: the interface grows with the window. All sizes in
//! the code are pixels of the layout, of which the smallest window that is
//! thought of has 1280 by 720.

use super::theme::Look;
use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};

/// The window for which the layout is measured, in its pixels.
pub const MEASURE: Vec2 = Vec2::new(1280.0, 720.0);
/// How much of what the window has more than that makes things larger; the
/// rest is room for the board and the log.
const SHARE: f32 = 0.8;
/// Sizes go up by this: dragging the window's edge does not draw all anew at
/// each pixel.
const STEP: f32 = 0.05;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<UiScale>();
    app.add_systems(PreUpdate, grow);
}

/// How many of the window's pixels one of the layout has.
pub fn scale_for(window: Vec2) -> f32 {
    let more = (window / MEASURE).min_element() - 1.0;
    // A hair more, as 0.8 of a half is a little less than 0.4.
    1.0 + ((more.max(0.0) * SHARE / STEP) + 0.01).floor() * STEP
}

fn grow(
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut scale: ResMut<UiScale>,
    mut look: ResMut<Look>,
) {
    let Some(window) = window else { return };
    let now = scale_for(window.size());
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
