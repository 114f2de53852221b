//! The file of settings: RON that a player can read and mend.
//!
//! It is ours rather than `bevy_settings`' because that one takes a broken
//! file for none and writes over it, and its folder cannot be chosen.

use super::Settings;
use crate::ui::home::{self, Home};
use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// The file's name in [`Home::config`].
const FILE: &str = "settings.ron";

/// Where the settings lie.
pub fn path(home: &Home) -> Option<PathBuf> {
    home.config.as_ref().map(|folder| folder.join(FILE))
}

/// What was set before, or the standard. The second is what is to be told when
/// a file could not be read; it is then left as it is.
pub fn load(path: &Path) -> (Settings, Option<String>) {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound => return Default::default(),
        Err(e) => return (Settings::default(), Some(told(path, &e.to_string()))),
    };
    match ron::from_str::<Settings>(&text) {
        Ok(settings) => (settings.sound(), None),
        Err(e) => {
            let place = e.span.start;
            let what = format!("line {}, column {}: {}", place.line, place.col, e.code);
            (Settings::default(), Some(told(path, &what)))
        }
    }
}

fn told(path: &Path, what: &str) -> String {
    format!(
        "The settings in {} cannot be read ({what}). The standard ones are used; \
         your file is kept, and set aside when you change a setting.",
        path.display()
    )
}

/// Writes the settings. A file that cannot be read is first set aside as
/// `settings.ron.broken`.
pub fn save(path: &Path, settings: &Settings) -> Result<(), String> {
    if path.exists() && load(path).1.is_some() {
        let aside = path.with_extension("ron.broken");
        fs::rename(path, &aside)
            .map_err(|e| format!("cannot set aside {}: {e}", path.display()))?;
    }
    let pretty = ron::ser::PrettyConfig::new().struct_names(false);
    let body = ron::ser::to_string_pretty(settings, pretty)
        .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    home::write(path, &format!("// Fivefoot's settings.\n{body}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{
        art::palette::Scheme,
        input::{Key, Stroke},
        settings::{Amount, Pace},
    };
    use bevy::input::keyboard::KeyCode;

    fn folder(name: &str) -> PathBuf {
        let name = format!("fivefoot-settings-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn all_settings_come_back() {
        let folder = folder("back");
        let path = folder.join(FILE);
        let mut settings = Settings {
            text_percent: 150,
            palette: Scheme::Tritan,
            others_pace: Pace::Instant,
            full_screen: true,
            warn: false,
            shake: Amount::Off,
            flashes: Amount::Little,
            dice: false,
            less_motion: true,
            ..Settings::default()
        };
        settings.volumes.effects = 35;
        settings
            .keys
            .insert(Key::Undo, Stroke::shifted(KeyCode::KeyZ));
        settings
            .keys
            .insert(Key::Act('s'), Stroke::plain(KeyCode::F5));
        save(&path, &settings).unwrap();
        assert_eq!(load(&path), (settings, None));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_not_in_the_file_is_standard_and_what_is_too_much_is_bounded() {
        let folder = folder("part");
        let path = folder.join(FILE);
        fs::write(&path, "(text_percent: 9000, of_tomorrow: 3)").unwrap();
        let (settings, told) = load(&path);
        assert_eq!(told, None);
        let standard = Settings::default();
        assert_eq!(
            settings,
            Settings {
                text_percent: 200,
                ..standard
            }
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_broken_file_is_told_with_its_place_and_never_lost() {
        let folder = folder("broken");
        let path = folder.join(FILE);
        let broken = "(\n  text_percent: lots,\n)";
        fs::write(&path, broken).unwrap();
        let (settings, told) = load(&path);
        assert_eq!(settings, Settings::default());
        assert!(told.unwrap().contains("line 2, column "));
        assert_eq!(fs::read_to_string(&path).unwrap(), broken);
        save(&path, &settings).unwrap();
        assert_eq!(load(&path), (settings, None));
        let aside = path.with_extension("ron.broken");
        assert_eq!(fs::read_to_string(aside).unwrap(), broken);
        fs::remove_dir_all(folder).unwrap();
    }
}
