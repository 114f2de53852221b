//! Numbers of a ruleset in a file of their own.

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

/// Defines the file that holds a ruleset's `Tables`: its one field, the built-in file, and the
/// function that describes what makes tables unusable.
macro_rules! tables_file {
    ($field:ident, $built_in:literal, $flaw:path) => {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            $field: Tables,
        }

        /// The built-in tables.
        pub fn tables() -> &'static Tables {
            use crate::rulesets::common::numbers::built_in;
            static TABLES: std::sync::LazyLock<Tables> =
                std::sync::LazyLock::new(|| built_in(shipped!($built_in), read));
            &TABLES
        }

        /// Reads a file of tables. The error is the first problem in it.
        pub fn read(file: &str, text: &str) -> Result<Tables, crate::ron_read::Problem> {
            crate::rulesets::common::numbers::read(file, text, |file: File| file.$field, $flaw)
        }

        /// How files of tables are recognized and checked.
        pub const FILE: crate::battle::Tables = crate::battle::Tables {
            field: stringify!($field),
            check: |file, text| read(file, text).err(),
        };
    };
}
pub(crate) use tables_file;
