//! What the game knows of its player from one run to the next, besides the
//! settings: reactions settled beforehand, and the lessons that are done.

use super::habits::Habits;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Profile>();
}

#[derive(Resource, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    pub habits: Habits,
    /// The ids of the levels whose lessons were won.
    pub lessons: BTreeSet<String>,
}
