//! Files of the command line, or standard input for `-`.

use fivefoot_core::{
    files,
    ron_read::{self, Problem},
};
use std::{io, path::Path};

/// What messages call standard input.
const NAME: &str = "<stdin>";

/// Whether a path stands for standard input.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What messages call a file.
pub fn name(path: &Path) -> String {
    match is_standard(path) {
        true => NAME.into(),
        false => path.display().to_string(),
    }
}

/// The text of a file, or of standard input, of at most `most` bytes.
///
/// # Errors
/// When it cannot be read, is larger or is no UTF-8.
pub fn text(path: &Path, most: u64) -> Result<String, Problem> {
    match is_standard(path) {
        true => ron_read::text_of(NAME, files::read_from(io::stdin().lock(), most)),
        false => ron_read::file_text(path, most),
    }
}
