//! Editing levels as text. An edit changes only the lines that it has to; comments,
//! order and layout of everything else stay as the author wrote them.
//!
//! - [`Document`]: the text and the tree of its pieces; sets, inserts and removes
//!   fields and entries in the style of their neighbours.
//! - [`At`]: the path to a piece: a field, the nth entry of a list, a character of
//!   the legend.
//! - `map`: the characters of the rows, and their meanings.
//! - [`units`]: where each unit stands and which entry places it; moves, adds and
//!   removes units.
//! - `names`: renames sides and the level's own kinds everywhere.
//! - [`History`]: undo and redo.
//! - [`lines`]: compares two texts by line, and merges two sets of changes.

mod at;
mod document;
mod history;
pub mod lines;
mod map;
mod names;
mod new;
mod splice;
pub mod units;

pub use at::At;
pub use document::Document;
pub use history::History;
pub(in crate::levels) use map::candidates;
pub use map::{Edge, GroundAndFog, ground_text};
pub use new::new_level;

/// The result of an edit. The error says why the edit is not possible, for the
/// player.
pub type Edited<T = ()> = Result<T, String>;

/// A text in quotes, escaped as RON requires.
pub fn quoted(text: &str) -> String {
    let mut all = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => all.extend(['\\', c]),
            '\n' => all += "\\n",
            '\t' => all += "\\t",
            c if c.is_control() => {}
            c => all.push(c),
        }
    }
    all + "\""
}
