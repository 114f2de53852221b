//! What the game knows of its player from one run to the next, besides the
//! settings: reactions settled beforehand, and the lessons that are done.

use super::{
    auto_reactions::AutoReactions,
    home::{self, Home},
};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fs, path::Path};

/// The file's name in [`Home::data`].
const FILE: &str = "profile.ron";

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let path = home
        .and_then(|home| home.data.as_ref())
        .map(|data| data.join(FILE));
    let profile = path.as_deref().map(load).unwrap_or_default();
    app.insert_resource(profile);
    if let Some(path) = path {
        app.add_systems(
            Last,
            (move |profile: Res<Profile>| keep(&path, &profile))
                .run_if(resource_changed::<Profile>.and_then(not(resource_added::<Profile>))),
        );
    }
}

/// What was kept before; nothing if it cannot be read. Such a file is set aside
/// as `profile.ron.broken`.
fn load(path: &Path) -> Profile {
    let Ok(text) = fs::read_to_string(path) else {
        return Profile::default();
    };
    ron::from_str(&text).unwrap_or_else(|e| {
        let aside = path.with_extension("ron.broken");
        warn!(
            "{} cannot be read ({e}); it is kept as {}",
            path.display(),
            aside.display()
        );
        if let Err(e) = fs::rename(path, &aside) {
            warn!("{} cannot be set aside: {e}", path.display());
        }
        Profile::default()
    })
}

fn keep(path: &Path, profile: &Profile) {
    let pretty = ron::ser::PrettyConfig::new().struct_names(false);
    let written = ron::ser::to_string_pretty(profile, pretty)
        .map_err(|e| e.to_string())
        .and_then(|body| {
            home::write(
                path,
                &format!("// What Fivefoot's player has settled and learnt.\n{body}\n"),
            )
        });
    if let Err(e) = written {
        warn!("what the player has settled is not kept: {e}");
    }
}

#[derive(Resource, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    pub auto_reactions: AutoReactions,
    /// The ids of the levels whose lessons were won.
    pub lessons: BTreeSet<String>,
}
