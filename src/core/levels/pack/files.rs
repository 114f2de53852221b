//! The files of a pack, from a folder or a zip. The same limits apply to both.

use super::zip;
use crate::{files, words::shown_line};
use std::{collections::BTreeMap, fs, io::ErrorKind, path::Path, sync::Arc};

/// The most files in a pack.
pub const MAX_FILES: usize = 64;
/// The most bytes of all files together, unpacked.
pub const MAX_BYTES: usize = 8 << 20;
/// The most bytes of a file.
const MAX_OF_ONE: usize = 2 << 20;
/// The most characters of a file's name, including its folders.
const LONGEST: usize = 120;
/// The most nested folders.
const DEEPEST: usize = 3;

/// The files by name, in order: "content/trolls.ron".
#[derive(Clone, Debug, Default)]
pub struct Files {
    all: BTreeMap<String, Arc<[u8]>>,
    bytes: usize,
}

impl Files {
    /// Reads all files of a folder or a zip. The error says why they are rejected.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut files = Self::default();
        if path.is_dir() {
            files.gather(path, "", 0)?;
            return Ok(files);
        }
        let packed = bounded(path, MAX_BYTES)?;
        zip::unpack(&packed, &mut files)?;
        Ok(files.without_outer_folder())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<[u8]>)> {
        self.all.iter().map(|(name, bytes)| (name.as_str(), bytes))
    }

    /// The most bytes that the next file can have.
    pub(super) fn room(&self) -> usize {
        MAX_OF_ONE.min(MAX_BYTES - self.bytes)
    }

    /// Adds a file. Files that operating systems leave behind are skipped.
    pub(super) fn add(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        if bytes.len() > self.room() {
            return Err(too_large(name));
        }
        if self.all.len() == MAX_FILES {
            return Err(format!("there are more than {MAX_FILES} files in it"));
        }
        self.bytes += bytes.len();
        match self.all.insert(name.to_owned(), bytes.into()) {
            None => Ok(()),
            Some(_) => Err(format!("`{name}` is in it twice")),
        }
    }

    fn gather(&mut self, folder: &Path, before: &str, depth: usize) -> Result<(), String> {
        let cannot = |e: std::io::Error| format!("`{before}` cannot be read: {e}");
        for (n, entry) in fs::read_dir(folder).map_err(cannot)?.enumerate() {
            if n > 4 * MAX_FILES {
                return Err(format!("there are more than {MAX_FILES} files in it"));
            }
            let entry = entry.map_err(cannot)?;
            let kind = entry.file_type().map_err(cannot)?;
            let name = entry.file_name();
            let name = name.to_str().ok_or("a file's name is no UTF-8")?;
            let name = format!("{before}{name}");
            if is_litter(&name) {
                continue;
            }
            check_name(&name)?;
            if kind.is_symlink() {
                let why = format!("`{name}` is a link; a pack has its files in itself");
                return Err(why);
            }
            if kind.is_dir() {
                if depth + 1 >= DEEPEST {
                    return Err(format!("`{name}` lies too deep"));
                }
                self.gather(&entry.path(), &format!("{name}/"), depth + 1)?;
            } else if kind.is_file() {
                let bytes = bounded(&entry.path(), self.room())
                    .map_err(|why| format!("`{name}`: {why}"))?;
                self.add(&name, bytes)?;
            } else {
                return Err(format!("`{name}` is no file"));
            }
        }
        Ok(())
    }

    /// Strips the outer folder of a zip that was made from a whole folder.
    fn without_outer_folder(self) -> Self {
        let names = self.all.keys();
        let mut outer = names.map(|name| name.split_once('/').map(|n| n.0));
        let first = outer.next().flatten().map(str::to_owned);
        let Some(first) = first.filter(|first| outer.all(|o| o == Some(first))) else {
            return self;
        };
        let strip = |(name, bytes): (String, _)| (name[first.len() + 1..].to_owned(), bytes);
        Self {
            all: self.all.into_iter().map(strip).collect(),
            bytes: self.bytes,
        }
    }
}

/// Rejects names that lead out of the pack or mean something else on other systems.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let parts = || name.split('/');
    let is_off = |part: &str| {
        part.is_empty()
            || part.ends_with(['.', ' '])
            || part.contains(|c: char| c.is_control() || "\\:*?\"<>|".contains(c))
    };
    // Catches `C:\a`; `a:b.ron` is only a name that some systems do not allow.
    let (drive, rest) = name.split_once(':').unwrap_or(("", name));
    let has_drive = drive.chars().count() == 1 && rest.starts_with(['/', '\\']);
    if parts().any(|part| part == "..") || name.starts_with(['/', '\\']) || has_drive {
        return Err(format!("`{}` leads out of the pack", shown_line(name)));
    }
    if parts().any(is_off) || name.chars().count() > LONGEST {
        let name = name.escape_debug();
        return Err(format!("`{name}` is no name for a file on every system"));
    }
    if parts().count() > DEEPEST + 1 {
        return Err(format!("`{name}` lies too deep"));
    }
    Ok(())
}

/// Whether it is a file that operating systems leave behind.
pub(super) fn is_litter(name: &str) -> bool {
    let litter = |part: &str| {
        part == "__MACOSX"
            || part == "Thumbs.db"
            || part.starts_with('.') && !part.trim_matches('.').is_empty()
    };
    name.split('/').any(litter)
}

pub(super) fn too_large(name: &str) -> String {
    let (one, all) = (MAX_OF_ONE >> 20, MAX_BYTES >> 20);
    format!("`{name}` is too large: a file has at most {one} MB, a pack {all} MB")
}

/// A file's bytes. An error if there are more than `most`.
fn bounded(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    files::read(path, most as u64).map_err(|e| match e.kind() {
        ErrorKind::FileTooLarge => "this is too large for a pack".into(),
        _ => format!("cannot be read: {e}"),
    })
}
