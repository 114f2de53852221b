//! Output. A line that cannot be printed changes neither the work nor its exit code;
//! the error is reported at the end.

use super::{Failure, Outcome, lock, write_failure};
use fivefoot_core::{files, ron_read, version::json_line, words};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

/// The first error of standard output. Nothing is printed after it.
static FIRST_ERROR: Mutex<Option<io::Error>> = Mutex::new(None);

/// The file that receives the output, and its content so far.
static FILE: Mutex<Option<(Target, Vec<u8>)>> = Mutex::new(None);

/// A file that a command writes.
pub struct Target {
    path: PathBuf,
    force: bool,
}

impl Target {
    /// The file, checked before the work whose result goes there.
    ///
    /// # Errors
    /// If it cannot be written, is one of the command's `inputs`, or exists and `force` is
    /// not given.
    pub fn of<'a>(
        path: &Path,
        force: bool,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<Self, Failure> {
        check_inputs(path, inputs)?;
        let place = files::place(path).map_err(|e| write_failure(path, e))?;
        let target = Self {
            path: path.to_owned(),
            force,
        };
        if place.exists() && !force {
            return Err(target.exists());
        }
        files::check_writable(&place).map_err(|e| write_failure(path, e))?;
        Ok(target)
    }

    /// Writes the file. Without `force`, a file that was written meanwhile stays.
    pub fn write(&self, bytes: &[u8]) -> Outcome {
        let written = match self.force {
            true => files::write(&self.path, bytes),
            false => files::write_new(&self.path, bytes),
        };
        written.map_err(|e| match e.kind() {
            ErrorKind::AlreadyExists => self.exists(),
            _ => write_failure(&self.path, e),
        })
    }

    fn exists(&self) -> Failure {
        let what = "already exists; --force overwrites it";
        Failure::new(format!("{}: {what}", self.path.display()))
    }
}

/// Fails if a command would overwrite one of its own inputs.
pub fn check_inputs<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Outcome {
    match inputs.into_iter().any(|input| files::is_same(path, input)) {
        true => {
            let what = "is read by this command and is not overwritten; name another file";
            Err(Failure::usage(format!("{}: {what}", path.display())))
        }
        false => Ok(()),
    }
}

/// Where to write a recording or a run, named by `thing`: for a link, its target. `force` names what
/// overwrites another file, such as `--force`.
///
/// # Errors
/// If no file can be written there, or there is one that is not a `thing`, unless `forced`.
pub fn place<T: DeserializeOwned>(
    thing: &str,
    path: &Path,
    forced: bool,
    force: &str,
) -> Result<PathBuf, Failure> {
    let place = files::place(path).map_err(|e| write_failure(path, e))?;
    let is_thing = |text: String| ron_read::deserialize::<T>("", &text, thing).is_ok();
    let old = || files::read_text(&place, files::RECORDING_BYTES);
    if !forced && place.exists() && !old().is_ok_and(is_thing) {
        let what = format!("this file exists and is not {thing}; {force} overwrites it");
        return Err(write_failure(path, what));
    }
    files::check_writable(&place).map_err(|e| write_failure(path, e))?;
    Ok(place)
}

/// Writes the text of a recording or a run.
pub fn write_text(place: &Path, text: Result<String, String>) -> io::Result<()> {
    files::write(place, text.map_err(io::Error::other)?.as_bytes())
}

/// Sends all further output to a file. [`close`] writes it.
pub fn into_file(target: Target) {
    *lock(&FILE) = Some((target, vec![]));
}

/// Writes the file of [`into_file`], if there is one.
pub fn close() -> Outcome {
    match lock(&FILE).take() {
        Some((target, text)) => target.write(&text),
        None => Ok(()),
    }
}

/// Prints one line. Line breaks are escaped, so that text from a file cannot look
/// like a line of its own.
pub fn say(line: impl Display) {
    print(&words::shown_line(&line.to_string()));
}

/// Prints a text that can have several lines.
pub fn say_lines(text: impl Display) {
    print(&words::shown(&text.to_string()));
}

/// Prints an object as a line of JSON, with the format number added.
pub fn say_json(object: impl Serialize) {
    let object = serde_json::to_string(&object).unwrap_or_default();
    say_json_line(json_line(&object));
}

/// Prints a line of JSON that already has the format number.
pub fn say_json_line(line: impl Display) {
    print(&words::shown_json(&line.to_string()));
}

/// Prints a text unchanged, for a format with its own escaping.
pub fn say_raw(text: &str) {
    print(text);
}

fn print(line: &str) {
    let mut file = lock(&FILE);
    if let Some((_, text)) = &mut *file {
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
        return;
    }
    let mut first_error = lock(&FIRST_ERROR);
    if first_error.is_none() {
        *first_error = writeln!(io::stdout(), "{line}").err();
    }
}

/// Whether nobody reads the output. A command that only prints can then stop.
pub fn is_closed() -> bool {
    lock(&FIRST_ERROR).is_some()
}

/// Prints a message on standard error. Errors are ignored.
pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "{}", words::shown(text));
}

/// The error of standard output. A closed pipe, as with `head`, is no error.
pub fn output_error() -> Option<String> {
    let first_error = lock(&FIRST_ERROR);
    let error = first_error.as_ref()?;
    (error.kind() != ErrorKind::BrokenPipe)
        .then(|| format!("standard output cannot be written: {error}"))
}
