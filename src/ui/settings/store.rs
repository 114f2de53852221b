//! The settings file: RON that a player can read and edit.
//!
//! We do not use `bevy_settings`, because it treats a broken file as missing and
//! overwrites it, and its folder cannot be chosen.

use super::Settings;
use crate::{
    files,
    ui::home::{self, Home},
};
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// The name of the file in [`Home::config`].
const FILE: &str = "settings.ron";

/// The path of the settings file. `None` if there is no config folder.
pub fn path(home: &Home) -> Option<PathBuf> {
    home.config.as_ref().map(|folder| folder.join(FILE))
}

/// The saved settings, or the defaults. The second value is the message for the
/// player if the file could not be read; the file is then left unchanged.
pub fn load(path: &Path) -> (Settings, Option<String>) {
    let text = match files::read_text(path, files::LEVEL_BYTES) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound => return Default::default(),
        Err(e) => return (Settings::default(), Some(unreadable(path, &e.to_string()))),
    };
    match ron::from_str::<Settings>(&text) {
        Ok(settings) => (settings.sound(), None),
        Err(e) => {
            let place = e.span.start;
            let what = format!("line {}, column {}: {}", place.line, place.col, e.code);
            (Settings::default(), Some(unreadable(path, &what)))
        }
    }
}

fn unreadable(path: &Path, what: &str) -> String {
    format!(
        "The settings in {} cannot be read ({what}). Default settings are used; your file is renamed when you change a setting.",
        path.display()
    )
}

/// Saves the settings. A file that cannot be read is first renamed
/// `settings.ron.broken`.
pub fn save(path: &Path, settings: &Settings) -> Result<(), String> {
    if path.exists() && load(path).1.is_some() {
        files::set_aside(path).map_err(|e| format!("cannot set aside {}: {e}", path.display()))?;
    }
    home::write_ron(path, "Fivefoot's settings.", settings)
}
