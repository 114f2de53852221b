//! The files of saves and replays: a folder for each of the two, with one recording per file.

use crate::{
    control::recording::{Recording, SaveInfo},
    files::{self, Lock},
    ui::{
        home,
        session::{Session, Unloadable},
    },
    words,
};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A folder of recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveFolder(pub PathBuf);

/// What wrote a file, according to its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SaveKind {
    /// An autosave: the current state, written after every turn.
    Auto,
    /// An autosave of the start of the round.
    Round,
    /// The battle as it was before the player returned to a quick save and played on
    /// from there to the end.
    Left,
    /// A quick save.
    Quick,
    /// A save that the player made under a name.
    Named,
}

/// A file of the folder.
#[derive(Clone, PartialEq, Debug)]
pub struct SaveEntry {
    pub path: PathBuf,
    pub kind: SaveKind,
    /// The recording, or what is wrong with the file.
    pub found: Result<Recording, String>,
}

/// The extension of the files.
const EXTENSION: &str = "ron";

impl SaveKind {
    const PREFIXES: [(&str, SaveKind); 5] = [
        ("auto-", SaveKind::Auto),
        ("round-", SaveKind::Round),
        ("left-", SaveKind::Left),
        ("quick", SaveKind::Quick),
        ("save-", SaveKind::Named),
    ];

    /// The kind of a file, by the prefix of its name.
    pub fn of(path: &Path) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let known = Self::PREFIXES.iter().find(|p| stem.starts_with(p.0));
        known.map_or(Self::Named, |p| p.1)
    }
}

impl SaveEntry {
    /// The id of the battle that was saved. Empty if unknown.
    pub fn battle(&self) -> &str {
        self.save_info().map_or("", |t| &t.battle)
    }

    /// The players and the summary in the recording. `None` if the file cannot be read or has
    /// no summary, as recordings from the command line.
    pub fn save_info(&self) -> Option<&SaveInfo> {
        self.found.as_ref().ok()?.save_info.as_ref()
    }

    /// When the file was written, in seconds since 1970. 0 if unknown.
    pub fn when(&self) -> u64 {
        self.save_info().map_or(0, |t| t.when)
    }

    /// The battle, or why it cannot be loaded.
    pub fn load(&self) -> Result<Session, Unloadable> {
        match &self.found {
            Ok(recording) => Session::load(recording),
            Err(why) => Err(Unloadable {
                why: why.clone(),
                valid_answers: 0,
            }),
        }
    }

    /// The sort key of saves: by sequence, then by time for files without a sequence.
    fn age(&self) -> (u64, u64) {
        (self.save_info().map_or(0, |t| t.sequence), self.when())
    }

    /// Whether the battle is over.
    pub fn is_replay(&self) -> bool {
        self.save_info().is_some_and(|t| t.verdict.is_some())
    }

    /// The file name, for entries without any other name.
    pub fn file(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The name that the list shows.
    pub fn name(&self) -> String {
        let info = self.save_info();
        let given = info.map(|t| t.name.trim()).filter(|n| !n.is_empty());
        let round = info.map_or(0, |t| t.round);
        match (given, self.kind) {
            _ if self.found.is_err() => self.file(),
            _ if self.is_replay() => info.map_or_else(String::new, |t| t.title.clone()),
            (_, SaveKind::Auto) => String::from("Autosave"),
            (_, SaveKind::Round) => format!("Autosave, start of {}", words::round(round)),
            (_, SaveKind::Left) => String::from("Autosave, another line of play"),
            (_, SaveKind::Quick) => String::from("Quick save"),
            (Some(name), _) => name.to_owned(),
            (None, _) => self.file(),
        }
    }
}

impl SaveFolder {
    /// All recordings, newest first. Files that cannot be read come last.
    pub fn list(&self) -> Vec<SaveEntry> {
        let Ok(files) = fs::read_dir(&self.0) else {
            return vec![];
        };
        let paths = files.filter_map(|f| Some(f.ok()?.path()));
        let is_recording = |p: &PathBuf| p.extension().is_some_and(|e| e == EXTENSION);
        let mut all: Vec<SaveEntry> = paths.filter(is_recording).map(read).collect();
        all.sort_by(|a, b| b.age().cmp(&a.age()).then(a.path.cmp(&b.path)));
        all
    }

    /// Writes a recording atomically and returns its path.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, stem: &str, recording: &Recording) -> Result<PathBuf, String> {
        let path = self.path(stem);
        self.write(&path, recording)?;
        Ok(path)
    }

    /// Writes a recording to a path. If it has no sequence, it gets the folder's next
    /// one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path, recording: &Recording) -> Result<(), String> {
        let mut recording = Cow::Borrowed(recording);
        if recording
            .save_info
            .as_ref()
            .is_some_and(|t| t.sequence == 0)
            && let Some(save_info) = &mut recording.to_mut().save_info
        {
            save_info.sequence = self.next_sequence();
        }
        home::write(path, &recording.text()?)
    }

    /// The sequence of the next file. Reads every file of the folder.
    pub fn next_sequence(&self) -> u64 {
        let all = self.list().into_iter();
        let last = all.map(|entry| entry.age().0).max();
        last.unwrap_or(0).saturating_add(1)
    }

    /// Renames a file within the folder; `stem` is the new name without its extension.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn rename(&self, path: &Path, stem: &str) -> Result<(), String> {
        let describe = |e| format!("cannot rename {}: {e}", path.display());
        fs::rename(path, self.path(stem)).map_err(describe)
    }

    /// The path of the file with this stem. Characters that could leave the folder are replaced.
    pub fn path(&self, stem: &str) -> PathBuf {
        self.0.join(format!("{}.{EXTENSION}", safe_file_name(stem)))
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// If the file system refuses. A file that is already gone is not an error.
    pub fn remove(&self, path: &Path) -> Result<(), String> {
        match fs::remove_file(path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(format!("cannot delete {}: {e}", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Deletes the oldest files of a kind, so that each level keeps at most `most`.
    /// Keeps files that cannot be read and battles that a running game plays.
    pub fn delete_oldest(&self, kind: SaveKind, most: usize) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for old in self.list().into_iter().filter(|e| e.kind == kind) {
            let Ok(recording) = &old.found else { continue };
            let of_level = counts.entry(recording.level.clone()).or_default();
            *of_level += 1;
            if *of_level > most && self.claim(old.battle()).is_some() {
                // If this fails, there is one file too many, which does no harm.
                let _ = self.remove(&old.path);
            }
        }
    }

    /// Claims a battle for this game until the claim is dropped or the process ends.
    /// `None` if another running game has claimed it. If the file system has no
    /// locks, every claim succeeds.
    pub fn claim(&self, battle: &str) -> Option<Claim> {
        let name = format!("{}.{}", safe_file_name(battle), files::LOCK);
        let created = fs::create_dir_all(&self.0);
        match created.and_then(|()| Lock::try_take(&self.0.join(name))) {
            Ok(None) => None,
            Ok(lock) => Some(Claim { _lock: lock }),
            Err(_) => Some(Claim { _lock: None }),
        }
    }

    /// Removes what killed games left behind: unfinished files and locks.
    pub fn clear(&self) {
        files::clear_parts(&self.0);
        files::clear_locks(&self.0);
    }
}

/// Until this is dropped, other running games do not write the saves of the battle.
#[derive(Debug)]
pub struct Claim {
    _lock: Option<Lock>,
}

/// A file name that cannot leave its folder. The name may come from a file by a
/// stranger.
fn safe_file_name(name: &str) -> String {
    name.replace(|c: char| c.is_control() || "/\\:".contains(c), "-")
}

/// Reads a file as an entry, whatever its content.
pub fn read(path: PathBuf) -> SaveEntry {
    let text = files::read_text(&path, files::RECORDING_BYTES);
    let text = text.map_err(|e| format!("It cannot be read: {e}"));
    let name = path.display().to_string();
    let found = text.and_then(|text| Recording::read(&name, &text));
    let kind = SaveKind::of(&path);
    SaveEntry { path, kind, found }
}

/// The file stem for a name that the player typed. It has only letters, digits and
/// hyphens, so that every system accepts it. If characters were replaced, a hash of
/// the whole name keeps different names apart.
pub fn stem_of(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let letters: String = name.chars().map(plain).collect();
    if letters.replace('-', " ") == name {
        return format!("save-{letters}");
    }
    // FNV-1a, cut to 16 bits.
    let mix = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let sum = name.bytes().fold(0x811c_9dc5, mix);
    format!("save-{letters}-{:04x}", sum & 0xffff)
}

/// Date and time in UTC, from seconds since 1970: "2026-11-21 22:40".
pub fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days to date, with years that begin in March, so that the leap day comes last;
    // 400 years are one cycle.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute) = (rest / 3_600, rest % 3_600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// The time since `then` in words. A date if that was over a day ago, or in the
/// future because a clock was wrong.
pub fn ago(then: u64, now: u64) -> String {
    if then > now.saturating_add(60) {
        return format!("{} UTC", date(then));
    }
    let ago = |n: u64, what: &str| format!("{} ago", words::count(n as usize, what));
    match now.saturating_sub(then) {
        0..60 => String::from("just now"),
        s @ 60..3_600 => ago(s / 60, "minute"),
        s @ 3_600..86_400 => ago(s / 3_600, "hour"),
        _ => format!("{} UTC", date(then)),
    }
}
