//! Shakes the board on heavy damage. Only the camera moves: the pointer and the labels stay where
//! they are.

use crate::ui::Phase;
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shake>();
    app.add_systems(
        Update,
        pass.in_set(Phase::Play).before(super::playback::play),
    );
}

/// The current shake.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct Shake {
    /// Largest offset, in cells.
    wide: f32,
    /// Seconds for which it shakes, and seconds left, longer before it starts.
    whole: f32,
    left: f32,
}

impl Shake {
    /// Starts a shake `wide` cells strong, unless the current shake is stronger.
    pub fn start(&mut self, wide: f32, seconds: f32) {
        self.start_after(wide, (0.0, seconds));
    }

    /// Starts a shake after a delay in seconds, unless the current shake is stronger.
    pub fn start_after(&mut self, wide: f32, (delay, seconds): (f32, f32)) {
        if wide > self.now() && seconds > 0.0 {
            *self = Self {
                wide,
                whole: seconds,
                left: delay + seconds,
            };
        }
    }

    /// The current strength in cells.
    pub fn now(&self) -> f32 {
        match self.left > 0.0 && self.left <= self.whole {
            true => self.wide * (self.left / self.whole).powi(2),
            false => 0.0,
        }
    }

    pub fn is_still(&self) -> bool {
        self.left <= 0.0
    }

    /// Advances the shake.
    pub fn pass(&mut self, seconds: f32) {
        self.left -= seconds;
        if self.is_still() {
            *self = Self::default();
        }
    }

    /// The current offset in cells, east and north.
    pub fn offset(&self) -> Vec2 {
        let t = self.whole - self.left;
        self.now() * Vec2::new((t * 71.0).cos(), (t * 53.0).sin())
    }
}

fn pass(mut shake: ResMut<Shake>, time: Res<Time>) {
    if !shake.is_still() {
        shake.pass(time.delta_secs());
    }
}
