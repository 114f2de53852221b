//! Your own levels: folders of level files and packs. Each file is listed with its
//! problems, and read again when it has changed.

use super::{
    Level, built_in,
    pack::{self, Pack},
    read::check_file,
    tutorial,
};
use crate::{
    files::{self, LEVEL_BYTES},
    ron_read::{self, Problem},
};
use std::{
    collections::BTreeSet,
    fs, mem,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The most levels listed per folder.
pub const MAX: usize = 200;

/// A level file or a pack in such a folder.
#[derive(Clone, Debug)]
pub struct OwnLevel {
    pub path: PathBuf,
    /// The level, or everything that is wrong with it.
    pub found: Result<Pack, Vec<Problem>>,
    /// Warnings: allowed, but possibly mistakes.
    pub hints: Vec<Problem>,
    /// The text of the file when it was read. `None` for a pack.
    text: Option<String>,
}

impl OwnLevel {
    /// Reads a level file or a pack. If a link leads to a file outside of the folder,
    /// its problems are not listed, because they would reveal its content.
    pub fn read(path: &Path) -> Self {
        let mut own = Self::read_all(path);
        let folder = path.parent().unwrap_or(Path::new(""));
        if files::leads_out(path, folder) {
            own.hints.clear();
            if own.found.is_err() {
                let name = path.display().to_string();
                let what = "this link leads out of the folder, to what is no sound level";
                let help = "`fivefoot check` with this file's name tells what is wrong with it";
                own.found = Err(vec![Problem::of_file(&name, what, help)]);
            }
        }
        own
    }

    fn read_all(path: &Path) -> Self {
        let of = |found, text| {
            let (found, hints) = match found {
                Ok((found, hints)) => (Ok(found), hints),
                Err(problems) => (Err(problems), vec![]),
            };
            let path = path.to_owned();
            Self {
                path,
                found,
                hints,
                text,
            }
        };
        if pack::is_pack(path) {
            return of(pack::check(path), None);
        }
        let name = path.display().to_string();
        match ron_read::file_text(path, LEVEL_BYTES) {
            Ok(text) => {
                let found = check_file(&name, &text).map(|(level, hints)| {
                    let level = Arc::new(level);
                    let picture = None;
                    (Pack { level, picture }, hints)
                });
                of(found, Some(text))
            }
            Err(problem) => of(Err(vec![problem]), None),
        }
    }

    pub fn level(&self) -> Option<&Arc<Level>> {
        self.found.as_ref().ok().map(|pack| &pack.level)
    }

    /// The name of the file or folder.
    pub fn file(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Whether the file still has the text that was read. Always false for packs.
    fn is_as_it_was(&self) -> bool {
        let text = || ron_read::file_text(&self.path, LEVEL_BYTES).ok();
        !pack::is_pack(&self.path) && self.text.is_some() && self.text == text()
    }
}

/// Folders of levels, and their content.
#[derive(Clone, Debug, Default)]
pub struct OwnLevels {
    folders: Vec<PathBuf>,
    all: Vec<OwnLevel>,
    /// Folders that cannot be read or hold too many files.
    problems: Vec<Problem>,
}

impl OwnLevels {
    /// Reads the folders. One that does not exist counts as empty.
    pub fn of(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut own = Self {
            folders: folders.into_iter().collect(),
            ..Self::default()
        };
        own.refresh();
        own
    }

    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Everything found, by folder, then by name.
    pub fn all(&self) -> &[OwnLevel] {
        &self.all
    }

    /// The level file or pack at a path.
    pub fn at(&self, path: &Path) -> Option<&OwnLevel> {
        self.all.iter().find(|own| own.path == path)
    }

    /// The file or pack that a level came from.
    pub fn holder(&self, level: &Arc<Level>) -> Option<&OwnLevel> {
        let is_it = |own: &&OwnLevel| own.level().is_some_and(|it| Arc::ptr_eq(it, level));
        self.all.iter().find(is_it)
    }

    /// The levels that can be played. Their ids are unique: if an id is already used,
    /// here or by a built-in level, it gets a number.
    pub fn levels(&self) -> impl Iterator<Item = &Arc<Level>> {
        self.all.iter().filter_map(OwnLevel::level)
    }

    /// The problems of the folders themselves.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Lists the folders again. Files that have not changed are not read again.
    pub fn refresh(&mut self) {
        let mut before = mem::take(&mut self.all);
        self.problems.clear();
        for folder in self.folders.clone() {
            let paths = match entries(&folder) {
                Ok(paths) => paths,
                Err(problem) => {
                    self.problems.push(problem);
                    continue;
                }
            };
            if paths.len() > MAX {
                let what = format!("more than {MAX} levels; the first {MAX} are listed");
                let name = folder.display().to_string();
                self.problems.push(Problem::of_file(&name, what, ""));
            }
            for path in paths.into_iter().take(MAX) {
                let old = before.iter().position(|own| own.path == path);
                let old = old.map(|n| before.swap_remove(n));
                let own = old.filter(OwnLevel::is_as_it_was);
                self.all.push(own.unwrap_or_else(|| OwnLevel::read(&path)));
            }
        }
        let shipped = built_in().iter().chain(tutorial());
        let mut taken: BTreeSet<String> = shipped.map(|level| level.id.clone()).collect();
        let all = self.all.iter_mut();
        let found = all.filter_map(|own| own.found.as_mut().ok());
        for pack in found {
            if taken.contains(&pack.level.id) {
                let id = free(&pack.level.id, |id| taken.contains(id));
                Arc::make_mut(&mut pack.level).id = id;
            }
            taken.insert(pack.level.id.clone());
        }
    }
}

/// The level files and packs of a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        Err(e) => {
            let name = folder.display().to_string();
            return Err(Problem::of_file(&name, format!("cannot be read: {e}"), ""));
        }
    };
    let is_level = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_ron = path.extension().is_some_and(|e| e == "ron") && path.is_file();
        !name.starts_with('.') && (is_ron || pack::is_pack(path))
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(is_level).collect();
    paths.sort();
    Ok(paths)
}

/// A path for a new level in a folder: a file name made from its title, with a number
/// if it is taken.
pub fn place_for(folder: &Path, title: &str) -> PathBuf {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    };
    let name: String = title.chars().map(plain).take(60).collect();
    let words = name.split('_').filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("_");
    let name = if name.is_empty() {
        "level".into()
    } else {
        name
    };
    let file = |name: &str| folder.join(format!("{name}.ron"));
    match file(&name).exists() {
        true => file(&free(&name, |name| file(name).exists())),
        false => file(&name),
    }
}

/// The name with the lowest number, from 2 on, that makes it free.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut numbered = (2..).map(|n| format!("{name}-{n}"));
    let found = numbered.find(|name| !is_taken(name));
    found.unwrap_or_else(|| name.to_owned())
}
