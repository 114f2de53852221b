//! Files of the user: every one is read and written by the functions here.
//!
//! - Only regular files are read, up to a size ([`LEVEL_BYTES`] and the others).
//!   A pipe, a device or a folder is refused, so nothing blocks or fills the memory.
//! - A file is written whole or not at all, through links, with the mode it had.
//! - A [`Lock`] ends with its process, however that ends.

use std::{
    borrow::Cow,
    ffi::OsStr,
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io::{self, Error, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    process,
};

/// The largest level, content, codex, table, scenario or position, and the largest
/// file of settings, in bytes.
pub const LEVEL_BYTES: u64 = 1 << 20;

/// The largest recording or save in bytes.
pub const RECORDING_BYTES: u64 = 16 << 20;

/// The largest file of counted battles in bytes.
pub const TALLY_BYTES: u64 = 64 << 20;

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// When it cannot be read, is larger, or is a folder, a pipe or a device.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Before it is opened: to open a pipe waits for its writer.
    regular(&fs::metadata(path)?, "devices and pipes are not read")?;
    let file = File::open(path)?;
    let there = file.metadata()?;
    regular(&there, "devices and pipes are not read")?;
    match there.len() <= most {
        // A file may grow while it is read, and some tell no size.
        true => read_from(file, most),
        false => Err(too_large(most)),
    }
}

/// Reads at most `most` bytes to their end.
///
/// # Errors
/// When they cannot be read, or there are more.
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
/// Those of [`read`], and when it is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| Error::new(ErrorKind::InvalidData, "this is not UTF-8");
    text(read(path, most)?).map_err(not_text)
}

/// The text of a file: UTF-8, without a byte order mark, with `\n` at the end of
/// lines. So copies of a level with other line ends are the same level.
///
/// # Errors
/// The bytes, when they are no UTF-8; places in them are those of the text.
pub fn text(mut bytes: Vec<u8>) -> Result<String, std::string::FromUtf8Error> {
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map(|text| lf(&text).into_owned())
}

/// A text with `\n` at the end of its lines.
pub fn lf(text: &str) -> Cow<'_, str> {
    match text.contains(CRLF) {
        true => text.replace(CRLF, "\n").into(),
        false => text.into(),
    }
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
const CRLF: &str = "\r\n";

/// Refuses what is no regular file; `why` is said of devices and pipes.
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

/// Where a file is put that is wanted at `path`: at the end of a link for a link.
///
/// # Errors
/// When a folder, a device or a pipe is there, or a link that leads nowhere.
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

/// Whether a path leads to something outside of a folder, through links.
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

/// Writes a file whole or not at all: a crash leaves either the old file or the
/// new one. A link stays a link, and the file at its end keeps its mode.
///
/// # Errors
/// Those of [`place`], and when the folder cannot be written to.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = place(path)?;
    clear_parts(&folder_of(&place));
    let (part, mut file) = open_part(&place)?;
    let written = keep_mode(&place, &file)
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&part, &place));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// Writes a text with the line ends and the byte order mark that its file has now.
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

/// Moves a broken file out of the way, to `….broken` beside it. Of a link the file at
/// its end is copied, and stays until it is written over.
///
/// # Errors
/// When that cannot be written, or what is there is no regular file.
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

/// Gives a new file the mode of the one that it replaces, and its owner where the
/// system lets us.
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

/// A new file in the folder of `place`, locked: no link is followed, and nothing
/// written over.
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
        // Not every file system has locks. Whoever cleared it before it was locked has
        // taken it for that of a dead process with our number.
        let _ = file.lock();
        if is_at(&file, &part) {
            return Ok((part, file));
        }
    }
    Err(Error::from(ErrorKind::AlreadyExists))
}

/// Removes the unfinished files (`.fivefoot-….part`) that processes left in a folder
/// when they were killed. Those of running processes stay.
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

/// Removes the lock files that processes left in a folder when they were killed.
pub fn clear_locks(folder: &Path) {
    let is_lock = |name: &OsStr| Path::new(name).extension().is_some_and(|e| e == LOCK);
    clear(folder, |name, size| is_lock(name) && size == 0);
}

/// The ending of lock files.
pub const LOCK: &str = "lock";

/// Removes the regular files of a folder that are `wanted`, by name and size, and
/// that nobody has locked. What cannot be removed stays.
fn clear(folder: &Path, wanted: impl Fn(&OsStr, u64) -> bool) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        // Of a link this is the link itself.
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

/// Whether a process of this number runs, as far as this system tells: where it does
/// not, locks alone do.
fn is_running(process: u32) -> bool {
    cfg!(target_os = "linux") && Path::new("/proc").join(process.to_string()).exists()
}

/// Whether an open file is still the one at a path.
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

/// A locked file, removed when this is dropped. The lock ends with the process too;
/// [`clear_locks`] removes the file that is then left.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// `None`: another process, or another part of this one, has it.
    ///
    /// # Errors
    /// When the file cannot be opened, or files cannot be locked here.
    pub fn try_take(path: &Path) -> io::Result<Option<Self>> {
        Self::take_by(path, |file| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(e)) => Err(e),
        })
    }

    /// Waits until nobody else has it.
    ///
    /// # Errors
    /// When the file cannot be opened, or files cannot be locked here.
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
            // Whoever had it before may have removed it: then it is another file's turn.
            if is_at(&file, path) {
                let path = path.to_owned();
                return Ok(Some(Self { path, _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked. What is left lying about locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}
