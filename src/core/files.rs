//! Files of the user. All of them are read and written by the functions of this module.
//!
//! - Only regular files up to a size ([`LEVEL_BYTES`] and others) are read. Pipes, devices and
//!   folders are refused, so that nothing blocks or fills the memory.
//! - A file is written completely or not at all. Links are followed, and the file keeps its mode.
//! - A [`Lock`] ends with its process, however that ends.

use std::{
    borrow::Cow,
    ffi::OsStr,
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io::{self, Error, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    process,
};

/// The maximum size of a level, content, codex, table, scenario, position or settings file, in
/// bytes.
pub const LEVEL_BYTES: u64 = 1 << 20;

/// The maximum size of a recording or save, in bytes.
pub const RECORDING_BYTES: u64 = 16 << 20;

/// The maximum size of a file of battle counts, in bytes.
pub const TALLY_BYTES: u64 = 64 << 20;

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// If the file cannot be read, is too large, or is a folder, a pipe or a device.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Checked before opening, because opening a pipe waits for its writer.
    regular(&fs::metadata(path)?, "devices and pipes are not read")?;
    let file = File::open(path)?;
    let there = file.metadata()?;
    regular(&there, "devices and pipes are not read")?;
    match there.len() <= most {
        // A file can grow while it is read, and some report no size.
        true => read_from(file, most),
        false => Err(too_large(most)),
    }
}

/// Reads everything, at most `most` bytes.
///
/// # Errors
/// If reading fails, or there are more bytes.
pub fn read_from(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => Err(too_large(most)),
    }
}

fn too_large(most: u64) -> Error {
    let what = format!("larger than {} MB, the most that is read", most >> 20);
    Error::new(ErrorKind::FileTooLarge, what)
}

/// Reads a regular file of at most `most` bytes as [`text`].
///
/// # Errors
/// Those of [`read`], and if the file is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| Error::new(ErrorKind::InvalidData, "this is not UTF-8");
    text(read(path, most)?).map_err(not_text)
}

/// The text of a file: UTF-8 without a byte order mark, with `\n` as line ends. Copies of a level
/// with other line ends are therefore the same level.
///
/// # Errors
/// The bytes, if they are not UTF-8. Positions in the error are those in the text.
pub fn text(mut bytes: Vec<u8>) -> Result<String, std::string::FromUtf8Error> {
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map(|text| lf(&text).into_owned())
}

/// The text with `\n` as line ends.
pub fn lf(text: &str) -> Cow<'_, str> {
    match text.contains(CRLF) {
        true => text.replace(CRLF, "\n").into(),
        false => text.into(),
    }
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
const CRLF: &str = "\r\n";

/// Refuses anything but a regular file. `why` is the message for devices and pipes.
fn regular(there: &Metadata, why: &str) -> io::Result<()> {
    if there.is_file() {
        return Ok(());
    }
    let what = match there.is_dir() {
        true => "this is a folder".to_owned(),
        false => format!("this is not a regular file: {why}"),
    };
    Err(Error::new(ErrorKind::InvalidInput, what))
}

/// Where to write a file for `path`: if it is a link, at its target.
///
/// # Errors
/// If there is a folder, a device, a pipe or a broken link.
pub fn place(path: &Path) -> io::Result<PathBuf> {
    let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
    match fs::metadata(path) {
        Ok(there) => {
            regular(&there, "devices and pipes are not replaced")?;
            match is_link(path) {
                true => fs::canonicalize(path),
                false => Ok(path.to_owned()),
            }
        }
        Err(e) if e.kind() == ErrorKind::NotFound && is_link(path) => {
            Err(Error::new(e.kind(), "this link points to nothing"))
        }
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(path.to_owned()),
        Err(e) => Err(e),
    }
}

/// Checks that a file can be written at a [`place`], before work whose result goes there.
///
/// # Errors
/// If there is no such folder, or it is not writable.
pub fn check_writable(place: &Path) -> io::Result<()> {
    let (part, _file) = open_part(place)?;
    fs::remove_file(part)
}

/// Whether two paths lead to one existing file, links included.
pub fn is_same(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// Whether a path leads out of a folder, links included.
pub fn leads_out(path: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    match (fs::canonicalize(path), fs::canonicalize(folder)) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        _ => false,
    }
}

/// Writes a file completely or not at all: after a crash there is either the old or the new file.
/// A link stays a link, and its target keeps its mode.
///
/// # Errors
/// Those of [`place`], and if the folder is not writable.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_part(path, bytes, |part, place| fs::rename(part, place))
}

/// Writes a file like [`write()`], but replaces none.
///
/// # Errors
/// Those of [`write()`], and [`ErrorKind::AlreadyExists`] if there is a file.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_part(path, bytes, |part, place| {
        match fs::hard_link(part, place) {
            Ok(()) => fs::remove_file(part),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(e),
            Err(_) if place.exists() => Err(ErrorKind::AlreadyExists.into()),
            // Not every file system has hard links.
            Err(_) => fs::rename(part, place),
        }
    })
}

/// Writes a new file beside `path`, which `put` then gives its name.
fn write_part(
    path: &Path,
    bytes: &[u8],
    put: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    let place = place(path)?;
    clear_parts(&folder_of(&place));
    let (part, mut file) = open_part(&place)?;
    let written = keep_mode(&place, &file)
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| put(&part, &place));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// Writes a text with the line ends and byte order mark of the existing file.
///
/// # Errors
/// Those of [`write()`].
pub fn write_text_alike(path: &Path, text: &str) -> io::Result<()> {
    let now = read(path, LEVEL_BYTES).unwrap_or_default();
    let has_mark = now.starts_with(MARK);
    let is_crlf = now.windows(CRLF.len()).any(|two| two == CRLF.as_bytes());
    let text = match is_crlf {
        true => text.replace('\n', CRLF),
        false => text.to_owned(),
    };
    let mark = if has_mark { MARK } else { b"" };
    write(path, &[mark, text.as_bytes()].concat())
}

/// Moves a broken file to `….broken` beside it. If it is a link, its target is copied and stays
/// until it is overwritten.
///
/// # Errors
/// If the file cannot be written, or is not a regular file.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".broken");
    let aside = PathBuf::from(aside);
    match place(path)? == path {
        true => fs::rename(path, &aside)?,
        false => write(&aside, &read(path, RECORDING_BYTES)?)?,
    }
    Ok(aside)
}

fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// Gives a new file the mode of the one that it replaces and, where the system allows it, its
/// owner.
fn keep_mode(old: &Path, new: &File) -> io::Result<()> {
    let Ok(old) = fs::metadata(old) else {
        return Ok(());
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    new.set_permissions(old.permissions())
}

const PART: (&str, &str) = (".fivefoot-", ".part");

/// Creates a new, locked file in the folder of `place`. Follows no link and overwrites no file.
fn open_part(place: &Path) -> io::Result<(PathBuf, File)> {
    if place.file_name().is_none() {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "this is not the name of a file",
        ));
    }
    for n in 0..1000 {
        let name = format!("{}{}-{n}{}", PART.0, process::id(), PART.1);
        let part = place.with_file_name(name);
        let file = match File::create_new(&part) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        // Not every file system has locks. Before the lock, another process can remove the file
        // because it takes it for that of a dead process with this process id.
        let _ = file.lock();
        if is_at(&file, &part) {
            return Ok((part, file));
        }
    }
    Err(Error::from(ErrorKind::AlreadyExists))
}

/// Removes the unfinished files (`.fivefoot-….part`) of killed processes from a folder. Those of
/// running processes stay.
pub fn clear_parts(folder: &Path) {
    let process_of = |name: &OsStr| -> Option<u32> {
        let name = name.to_str()?.strip_prefix(PART.0)?;
        let (process, nth) = name.strip_suffix(PART.1)?.split_once('-')?;
        nth.parse::<u32>().ok()?;
        process.parse().ok()
    };
    clear(folder, |name, _| {
        let is_over = |of| of == process::id() || !is_running(of);
        process_of(name).is_some_and(is_over)
    });
}

/// Removes the lock files of killed processes from a folder.
pub fn clear_locks(folder: &Path) {
    let is_lock = |name: &OsStr| Path::new(name).extension().is_some_and(|e| e == LOCK);
    clear(folder, |name, size| is_lock(name) && size == 0);
}

/// The extension of lock files.
pub const LOCK: &str = "lock";

/// Removes a folder's regular files that are `wanted` by name and size and are not locked.
/// Ignores files that cannot be removed.
fn clear(folder: &Path, wanted: impl Fn(&OsStr, u64) -> bool) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        // For a link, the metadata of the link itself.
        let Ok(there) = entry.metadata() else {
            continue;
        };
        if !there.is_file() || !wanted(&entry.file_name(), there.len()) {
            continue;
        }
        let path = entry.path();
        let file = File::open(&path);
        if file.is_ok_and(|file| file.try_lock().is_ok() && is_at(&file, &path)) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether a process with this id is running. False where the system does not tell; there, only
/// locks protect the files.
fn is_running(process: u32) -> bool {
    cfg!(target_os = "linux") && Path::new("/proc").join(process.to_string()).exists()
}

/// Whether an open file is still the one at this path.
fn is_at(file: &File, path: &Path) -> bool {
    let Ok(there) = fs::symlink_metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let ids = |it: &Metadata| (it.dev(), it.ino());
        file.metadata().is_ok_and(|own| ids(&own) == ids(&there))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        there.is_file()
    }
}

/// A locked file, removed on drop. The lock also ends with the process; then [`clear_locks`]
/// removes the remaining file.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock. `None` if another process or another part of this one has it.
    ///
    /// # Errors
    /// If the file cannot be opened, or locking is not supported.
    pub fn try_take(path: &Path) -> io::Result<Option<Self>> {
        Self::take_by(path, |file| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(e)) => Err(e),
        })
    }

    /// Waits until the lock is free, and takes it.
    ///
    /// # Errors
    /// If the file cannot be opened, or locking is not supported.
    pub fn wait_for(path: &Path) -> io::Result<Self> {
        let taken = Self::take_by(path, |file| file.lock().map(|()| true))?;
        taken.ok_or_else(|| Error::from(ErrorKind::WouldBlock))
    }

    fn take_by(path: &Path, lock: impl Fn(&File) -> io::Result<bool>) -> io::Result<Option<Self>> {
        if place(path)? != path {
            return Err(Error::new(ErrorKind::InvalidInput, "this is a link"));
        }
        loop {
            let mut options = OpenOptions::new();
            let file = options
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)?;
            if !lock(&file)? {
                return Ok(None);
            }
            // The previous owner may have removed the file: then lock the new one.
            if is_at(&file, path) {
                let path = path.to_owned();
                return Ok(Some(Self { path, _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still locked. A file that cannot be removed locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}
