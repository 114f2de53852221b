//! The board shakes at a heavy blow. Only what the camera shows is moved: the
//! pointer and the cards beside the cells stay where they are.

use crate::ui::Phase;
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shake>();
    app.add_systems(
        Update,
        pass.in_set(Phase::Play).before(super::playback::play),
    );
}

/// How the board shakes now.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct Shake {
    /// The most that it is off its place, in cells.
    wide: f32,
    /// Seconds that it lasts, and those that are left of it.
    whole: f32,
    left: f32,
}

impl Shake {
    /// Shakes this many cells wide for some seconds, unless it shakes more
    /// already.
    pub fn start(&mut self, wide: f32, seconds: f32) {
        if wide > self.now() && seconds > 0.0 {
            *self = Self {
                wide,
                whole: seconds,
                left: seconds,
            };
        }
    }

    /// How wide it still shakes, in cells.
    pub fn now(&self) -> f32 {
        match self.left > 0.0 {
            true => self.wide * (self.left / self.whole).powi(2),
            false => 0.0,
        }
    }

    pub fn is_still(&self) -> bool {
        self.left <= 0.0
    }

    /// Some seconds pass.
    pub fn pass(&mut self, seconds: f32) {
        self.left -= seconds;
        if self.is_still() {
            *self = Self::default();
        }
    }

    /// How far the board is off its place, in cells, east and north.
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
