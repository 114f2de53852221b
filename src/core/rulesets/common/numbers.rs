//! How a ruleset reads its numbers from a file.

use crate::ron_read::Problem;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

/// Parses a file of numbers and builds a table from it. `flaw` describes what makes a table
/// unusable.
///
/// # Errors
/// The first problem in the file.
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
        fix: None,
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

/// The table of a built-in file.
///
/// # Panics
/// If the file has a problem.
pub fn built_in<T>((file, text): (&str, &str), read: fn(&str, &str) -> Result<T, Problem>) -> T {
    read(file, text).unwrap_or_else(|problem| panic!("{problem}"))
}
