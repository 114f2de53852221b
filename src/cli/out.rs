//! Output. A line that cannot be printed changes neither the work nor its exit code;
//! the error is reported at the end.

use fivefoot_core::{files, version::json_line, words};
use serde::Serialize;
use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The first error of standard output. After it nothing more is printed.
static LOST: Mutex<Option<io::Error>> = Mutex::new(None);

/// The file that takes what is printed, and what it is to have in it.
static FILE: Mutex<Option<(PathBuf, Vec<u8>)>> = Mutex::new(None);

/// From now on what is printed goes to a file. [`close`] writes it.
///
/// # Errors
/// When it cannot be put there, or something is there and `force` is not given.
pub fn into_file(path: &Path, force: bool) -> Result<(), String> {
    let place = files::place(path).map_err(|e| format!("cannot be written: {e}"))?;
    if place.exists() && !force {
        return Err("already exists; --force overwrites it".into());
    }
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = Some((path.to_owned(), vec![]));
    Ok(())
}

/// Writes the file of [`into_file`], if there is one.
///
/// # Errors
/// The path, and why it cannot be written.
pub fn close() -> Result<(), (PathBuf, io::Error)> {
    match FILE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some((path, text)) => files::write(&path, &text).map_err(|e| (path, e)),
        None => Ok(()),
    }
}

/// Prints one line: a line break in it is written out, so that no text of a file
/// passes for a line of its own.
pub fn say(line: impl Display) {
    print(&words::shown_line(&line.to_string()));
}

/// Prints a text that may have several lines.
pub fn say_lines(text: impl Display) {
    print(&words::shown(&text.to_string()));
}

/// Prints one JSON object as a line, with the number of the format.
pub fn say_json(object: impl Serialize) {
    let object = serde_json::to_string(&object).unwrap_or_default();
    say_json_line(json_line(&object));
}

/// Prints a line of JSON that has the number of the format.
pub fn say_json_line(line: impl Display) {
    print(&words::shown_json(&line.to_string()));
}

/// Prints a text as it is, for a format that has its own way to write characters.
pub fn say_raw(text: &str) {
    print(text);
}

fn print(line: &str) {
    let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, text)) = &mut *file {
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
        return;
    }
    let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    if lost.is_none() {
        *lost = writeln!(io::stdout(), "{line}").err();
    }
}

/// Whether nobody reads what is printed: who only prints may stop.
pub fn is_unread() -> bool {
    let lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    lost.is_some()
}

/// Prints a message on standard error; if nobody reads that either, so be it.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{}", words::shown(text));
}

/// What kept something from being printed. A reader that has had enough, as
/// `head` has, is no error.
pub fn trouble() -> Option<String> {
    let lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    let error = lost.as_ref()?;
    (error.kind() != ErrorKind::BrokenPipe)
        .then(|| format!("standard output cannot be written: {error}"))
}
