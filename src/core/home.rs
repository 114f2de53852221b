//! The game's folders, and safe writing of files in them.

use crate::files;
use bevy_ecs::prelude::Resource;
use directories::ProjectDirs;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// The environment variable for a folder to use instead of the user's own ones.
pub const VARIABLE: &str = "FIVEFOOT_HOME";

/// The game's folders. Each is `None` if the system has no such folder; then nothing is saved.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Default)]
pub struct Home {
    /// For settings.
    pub config: Option<PathBuf>,
    /// For saves and recordings.
    pub data: Option<PathBuf>,
}

impl Home {
    /// Uses one folder for everything.
    pub fn at(folder: &Path) -> Self {
        Self {
            config: Some(folder.to_path_buf()),
            data: Some(folder.to_path_buf()),
        }
    }

    /// The folder in [`VARIABLE`], or the user's own folders.
    pub fn find() -> Self {
        if let Some(folder) = std::env::var_os(VARIABLE).filter(|f| !f.is_empty()) {
            return Self::at(Path::new(&folder));
        }
        let folders = ProjectDirs::from("", "", "fivefoot");
        Self {
            config: folders.as_ref().map(|f| f.config_dir().to_path_buf()),
            data: folders.as_ref().map(|f| f.data_dir().to_path_buf()),
        }
    }
}

impl Home {
    /// Removes what killed processes left behind: unfinished files and locks.
    pub fn clear(&self) {
        let levels = self.levels();
        for folder in [&self.config, &self.data, &levels].into_iter().flatten() {
            files::clear_parts(folder);
            files::clear_locks(folder);
        }
    }

    /// The folder of the player's own levels.
    pub fn levels(&self) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join("levels"))
    }
}

/// Writes a file completely or not at all, with its existing line ends. Creates its folder first.
///
/// # Errors
/// A message with the path.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let fail = |what: &str, e: std::io::Error| format!("{what} {}: {e}", path.display());
    fs::create_dir_all(folder).map_err(|e| fail("cannot make the folder of", e))?;
    files::write_text_alike(path, text).map_err(|e| fail("cannot write", e))
}

/// Writes a value below a comment, as RON that a player can read; see [`write`].
///
/// # Errors
/// A message with the path.
pub fn write_ron(path: &Path, comment: &str, value: &impl Serialize) -> Result<(), String> {
    let pretty = ron::ser::PrettyConfig::new().struct_names(false);
    let body = ron::ser::to_string_pretty(value, pretty)
        .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    write(path, &format!("// {comment}\n{body}\n"))
}

/// The value in a file, or the default if there is no file. A file that cannot be read is renamed
/// `….broken`; then the default comes with a message for the player.
pub fn read_or_set_aside<T: DeserializeOwned + Default>(path: &Path) -> (T, Option<String>) {
    let why = match files::read_text(path, files::LEVEL_BYTES) {
        Ok(text) => match ron::from_str(&text) {
            Ok(kept) => return (kept, None),
            Err(e) => e.to_string(),
        },
        Err(e) if e.kind() == ErrorKind::NotFound => return (T::default(), None),
        Err(e) => e.to_string(),
    };
    let done = match files::set_aside(path) {
        Ok(aside) => format!("it is kept as {}", aside.display()),
        Err(e) => format!("it cannot be set aside: {e}"),
    };
    let message = format!("{} cannot be read ({why}); {done}", path.display());
    (T::default(), Some(message))
}
