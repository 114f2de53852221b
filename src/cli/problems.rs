//! Prints the problems of files, each with its line.

use super::{Failure, out, say_json, say_lines};
use fivefoot_core::{
    levels::pack::{self, Files, Pack},
    ron_read::{Excerpts, Outcome, Problem},
};
use serde_json::{Value, json};
use std::path::Path;

/// A problem as JSON: its place and its texts.
pub fn json(problem: &Problem) -> Value {
    json!({
        "file": problem.file,
        "line": problem.line,
        "col": problem.col,
        "message": problem.what,
        "help": problem.help,
    })
}

/// Prints a problem as a line of JSON. `level` is "error" or "warning".
pub fn say_problem(problem: &Problem, level: &str) {
    let mut line = json(problem);
    line["what"] = "problem".into();
    line["level"] = level.into();
    say_json(line);
}

/// The texts of files, by the names that problems use.
#[derive(Default)]
pub struct Sources(Vec<(String, String)>);

impl Sources {
    /// A single file.
    pub fn of(name: &str, text: &str) -> Self {
        Self(vec![(name.to_owned(), text.to_owned())])
    }

    /// Reads and checks a pack, and keeps the texts of its files.
    pub fn of_pack(path: &Path) -> (Self, Outcome<Pack>) {
        let name = path.display().to_string();
        let files = match Files::read(path) {
            Ok(files) => files,
            // Checking rejects the pack for the same reason.
            Err(_) => return (Self::default(), pack::check(path)),
        };
        let text = |(file, bytes): (&str, &std::sync::Arc<[u8]>)| {
            let text = std::str::from_utf8(bytes).ok()?;
            Some((format!("{name}/{file}"), text.to_owned()))
        };
        let sources = Self(files.iter().filter_map(text).collect());
        (sources, pack::of_files(&name, &files))
    }

    /// Each problem as text: place, message, and the line of the file.
    fn lines(&self, problems: &[Problem]) -> Vec<String> {
        let texts = self.0.iter();
        let texts = texts.map(|(name, text)| (name, Excerpts::new(text)));
        let texts: Vec<_> = texts.collect();
        let line = |problem: &Problem| {
            let own = texts.iter().find(|(name, _)| **name == problem.file);
            let excerpt = own.map(|(_, excerpts)| excerpts.of(problem));
            format!("{problem}{}", excerpt.unwrap_or_default())
        };
        problems.iter().map(line).collect()
    }

    /// The failure of a command that cannot use the files.
    pub fn failure(&self, problems: &[Problem]) -> Failure {
        Failure::lines(1, self.lines(problems).join("\n"))
    }

    /// Prints errors, then warnings, as long as the output is read.
    pub fn report(&self, errors: &[Problem], mut warnings: Vec<Problem>) {
        for warning in &mut warnings {
            warning.what.insert_str(0, "warning: ");
        }
        for line in [self.lines(errors), self.lines(&warnings)].concat() {
            if out::is_closed() {
                return;
            }
            say_lines(line);
        }
    }
}
