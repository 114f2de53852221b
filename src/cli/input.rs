//! Reads files named on the command line; `-` stands for standard input.

use fivefoot_core::{
    files,
    ron_read::{self, Problem},
};
use std::{io, path::Path};

/// The name of standard input in messages.
const NAME: &str = "<stdin>";

/// Whether a path stands for standard input.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a file in messages.
pub fn name(path: &Path) -> String {
    match is_standard(path) {
        true => NAME.into(),
        false => path.display().to_string(),
    }
}

/// The text of a file or of standard input, of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is not UTF-8.
pub fn text(path: &Path, most: u64) -> Result<String, Problem> {
    match is_standard(path) {
        true => ron_read::text_of(NAME, files::read_from(io::stdin().lock(), most)),
        false => ron_read::file_text(path, most),
    }
}
