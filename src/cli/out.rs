//! Output. A line that cannot be printed changes neither the work nor its exit code;
//! the error is reported at the end.

use fivefoot_core::words;
use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
    sync::{Mutex, PoisonError},
};

/// The first error of standard output. After it nothing more is printed.
static LOST: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line.
pub fn say(line: impl Display) {
    print(&words::shown(&line.to_string()));
}

/// Prints one JSON object as a line.
pub fn say_json(object: impl Display) {
    print(&words::shown_json(&object.to_string()));
}

fn print(line: &str) {
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
