//! Saved battles and replays of finished ones. A file is a
//! [`Recording`](crate::control::recording::Recording): level, seed and answers. That
//! keeps saves small, and they cannot contradict the rules.
//!
//! - [`index`]: the files.
//! - [`autosave`]: autosaves, quick saves and loading without a list.
//! - [`browser`]: the list to choose from.

pub mod autosave;
pub mod browser;
pub mod index;

use super::home::Home;
use bevy::prelude::*;
use index::SaveFolder;

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let data = home.and_then(|home| home.data.clone());
    let at = |folder: &str| data.as_ref().map(|data| SaveFolder(data.join(folder)));
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

/// The folders of saves and replays. `None` if the system provides no folder.
#[derive(Resource, Clone, Debug, Default)]
pub struct Shelves {
    pub saves: Option<SaveFolder>,
    pub replays: Option<SaveFolder>,
}

/// Shown if there is no folder for saves.
pub const NOWHERE: &str =
    "There is no folder for saves. Set FIVEFOOT_HOME to a folder and restart the game.";
