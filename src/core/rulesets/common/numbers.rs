//! The numbers of a ruleset in a file of their own: how it is read.

use crate::ron_read::Problem;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

/// Reads a file of numbers, a table out of it, and whether it has a flaw: what
/// cannot be used as it is.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read<F: DeserializeOwned, T>(
    file: &str,
    text: &str,
    tables: fn(F) -> T,
    flaw: fn(&T) -> Option<String>,
) -> Result<T, Problem> {
    let problem = |line, col, what| Problem {
        file: file.to_owned(),
        line,
        col,
        what,
        help: String::new(),
    };
    let reader = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let read: F = reader.from_str(text).map_err(|e| {
        let at = e.span.start;
        problem(at.line as u32, at.col as u32, e.code.to_string())
    })?;
    let tables = tables(read);
    match flaw(&tables) {
        Some(what) => Err(problem(1, 1, what)),
        None => Ok(tables),
    }
}

/// The tables of the file that is compiled in.
///
/// # Panics
/// When something is wrong with it.
pub fn built_in<T>((file, text): (&str, &str), read: fn(&str, &str) -> Result<T, Problem>) -> T {
    read(file, text).unwrap_or_else(|problem| panic!("{problem}"))
}
