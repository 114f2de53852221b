//! Reads RON files so that every mistake is reported at once, each with its place.
//!
//! The `ron` crate stops at the first error, and does not keep the places of values.
//! Here, a file is first parsed into a tree of [`Piece`]s that know their places;
//! parsing continues after a syntax error where that is safe. Then each piece is
//! interpreted on its own through a [`Reader`], which collects all problems. `ron`
//! still parses every literal and decides whether a file is RON at all.
//!
//! ```
//! use fivefoot_core::ron_read::{self, Reader};
//!
//! let made = ron_read::read("a.ron", "(titel: \"A\", rounds: 0)", |r, root| {
//!     let mut f = r.fields(root, "an example")?;
//!     let title = f.required(r, "title", Reader::text);
//!     let rounds = f.optional(r, "rounds", |r, p| r.whole(p, 1..=100));
//!     f.finish(r); // any field that was not asked for is an error
//!     Some((title?, rounds))
//! });
//! let problems: Vec<_> = made.unwrap_err().iter().map(|p| p.to_string()).collect();
//! assert_eq!(problems[0], "a.ron:1:2: unknown field `titel`; did you mean `title`?");
//! assert_eq!(problems[1], "a.ron:1:22: expected a whole number from 1 to 100, found 0");
//! ```

mod file;
mod reader;
mod suggest;
mod tree;

pub use file::{Excerpts, file_text, text_of};
pub use reader::{Fields, Reader};
pub use suggest::{known, similar, suggested, suggestion};
pub use tree::{ByteRange, Piece, TreeField, ValueShape, byte_of};

use crate::grid::Cell;
use crate::words;
use serde::de::DeserializeOwned;
use std::{collections::BTreeMap, fmt};

/// A problem of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Problem {
    /// The file name, as given to the reader.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub col: u32,
    /// What is wrong.
    pub what: String,
    /// What to do about it. May be empty.
    pub help: String,
    /// The fix as an edit that a program can apply.
    pub fix: Option<Fix>,
}

/// A fix for a problem that a program can apply to the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fix {
    /// Replace the name at the problem's place by this one.
    Rename(String),
    /// Move the unit that stands in this cell; `None` if it has no cell yet.
    Move(Option<Cell>),
    /// Remove this character from the legend.
    DropLegendChar(char),
    /// Remove the definition of a kind.
    DropKind,
}

/// What to do about a problem, for people and perhaps for a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Help {
    pub text: String,
    pub fix: Option<Fix>,
}

impl Help {
    /// Advice that a program can follow.
    pub fn fix(text: impl Into<String>, fix: Fix) -> Self {
        Self {
            text: text.into(),
            fix: Some(fix),
        }
    }
}

impl From<String> for Help {
    fn from(text: String) -> Self {
        Self { text, fix: None }
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Problem {
    /// A problem of a whole file or folder, placed at its first character.
    pub fn of_file(file: &str, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: 1,
            col: 1,
            what: what.into(),
            help: help.into(),
            fix: None,
        }
    }

    /// What is wrong and what to do about it, without the place.
    pub fn text(&self) -> String {
        match self.help.as_str() {
            "" => self.what.clone(),
            help => format!("{}; {help}", self.what),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}:{}:{}: {}", self.file, self.line, self.col, self.text());
        f.write_str(&words::shown_line(&text))
    }
}

/// The content of a file with its hints, or all its problems, in the order of the
/// file.
pub type Outcome<T> = Result<(T, Vec<Problem>), Vec<Problem>>;

/// The names of a file's outermost fields, as far as they can be read. They show what
/// kind of file it is.
pub fn top_fields(text: &str) -> Vec<String> {
    match tree::grow(text).root.map(|root| root.shape) {
        Some(ValueShape::Fields(fields)) => fields.into_iter().map(|f| f.name).collect(),
        _ => Vec::new(),
    }
}

/// Parses a file into a tree of pieces with their places. `None` if errors leave no
/// tree that can be trusted.
pub fn pieces(text: &str) -> Option<Piece> {
    tree::grow(text).root
}

/// Reads a file that the program itself writes, such as a recording; `thing` names it.
///
/// # Errors
/// The first syntax error, or else which value does not fit.
pub fn deserialize<T: DeserializeOwned>(file: &str, text: &str, thing: &str) -> Result<T, String> {
    if text.trim().is_empty() {
        let why = format!("{file}:1:1: not {thing}: there is nothing in this file");
        return Err(why);
    }
    ron::from_str(text).map_err(|e| match read(file, text, |_, _| Some(())) {
        Err(problems) => problems[0].to_string(),
        Ok(_) => {
            let (at, why) = match e.code {
                ron::Error::ExpectedArray => (e.span.start, "a list `[…]` is needed here".into()),
                code => (e.span.start, code.to_string()),
            };
            let why = words::shown_line(&why);
            format!("{file}:{}:{}: not {thing}: {why}", at.line, at.col)
        }
    })
}

/// The text of the value of an outermost field, as written.
pub fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let ValueShape::Fields(fields) = pieces(text)?.shape else {
        return None;
    };
    let found = fields.into_iter().find(|field| field.name == name)?;
    text.get(found.value.at.from..found.value.at.to)
}

/// The text between a file's outermost brackets, including the closing one. Text
/// before and after the brackets is notes.
pub fn inside(text: &str) -> Option<&str> {
    let root = tree::grow(text).root?;
    text.get(root.at.from..root.at.to)?.strip_prefix('(')
}

/// The known fields of each thing that `make` reads, by the name of the thing, such
/// as "a weapon".
pub fn known_fields<T>(
    text: &str,
    make: impl FnOnce(&mut Reader, &Piece) -> Option<T>,
) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut reader = Reader::new("", text);
    reader.forms = Some(BTreeMap::new());
    if let Some(root) = tree::grow(text).root {
        make(&mut reader, &root);
    }
    reader.forms.unwrap_or_default()
}

/// The result of reading a file, with all problems and hints.
pub struct Reading<T> {
    /// Present even if there are problems, as long as `make` continued despite them.
    pub made: Option<T>,
    pub problems: Vec<Problem>,
    pub hints: Vec<Problem>,
}

/// Reads a file, and returns the result even if there are problems.
pub fn read_on<T>(
    file: &str,
    text: &str,
    make: impl FnOnce(&mut Reader, &Piece) -> Option<T>,
) -> Reading<T> {
    let mut reader = Reader::new(file, text);
    let tree = tree::grow(text);
    for slip in tree.slips {
        reader.problem(slip.at, slip.what, slip.help);
    }
    let made = tree.root.and_then(|root| make(&mut reader, &root));
    let (problems, hints) = reader.close(made.is_some());
    Reading {
        made,
        problems,
        hints,
    }
}

/// Reads a file. `make` interprets its single value: it reports problems to the
/// reader, and returns `None` only after reporting one.
pub fn read<T>(
    file: &str,
    text: &str,
    make: impl FnOnce(&mut Reader, &Piece) -> Option<T>,
) -> Outcome<T> {
    let Reading {
        made,
        problems,
        hints,
    } = read_on(file, text, make);
    match made {
        Some(made) if problems.is_empty() => Ok((made, hints)),
        _ => Err(problems),
    }
}
