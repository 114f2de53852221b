//! Battles that are kept: saves, and replays of those that are over. A file is
//! a [`Recording`](crate::control::recording::Recording): the level, the seed
//! and the answers, so that a save is small and stays right.
//!
//! - [`index`]: the files.
//! - [`autosave`]: what the game writes by itself, and loads without a list.
//! - [`browser`]: the list to choose from.

pub mod autosave;
pub mod browser;
pub mod index;

use super::home::Home;
use bevy::prelude::*;
use index::SaveIndex;

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let data = home.and_then(|home| home.data.clone());
    let at = |folder: &str| data.as_ref().map(|data| SaveIndex(data.join(folder)));
    let shelves = Shelves {
        saves: at("saves"),
        replays: at("replays"),
    };
    for shelf in [&shelves.saves, &shelves.replays].into_iter().flatten() {
        shelf.clear();
    }
    app.insert_resource(shelves);
    app.add_plugins((autosave::plugin, browser::plugin));
}

/// Where saves and replays lie; nowhere, if the system has no place for them.
#[derive(Resource, Clone, Debug, Default)]
pub struct Shelves {
    pub saves: Option<SaveIndex>,
    pub replays: Option<SaveIndex>,
}

/// What is told where there is no place for files.
pub const NOWHERE: &str =
    "There is no folder for saves. Set FIVEFOOT_HOME to a folder and restart the game.";
