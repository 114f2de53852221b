//! Levels as they are edited: a file's text stays what its author wrote, and an
//! edit changes only the lines that it must. Comments, order and layout of all
//! else are kept.
//!
//! - [`Document`]: the text and the tree of its pieces; fields and entries are
//!   set, put in and taken out in the style of their neighbours.
//! - [`At`]: the way to a piece: a field, the nth of a list, a sign of the legend.
//! - `map`: the characters of the rows, and what they mean.
//! - [`people`]: who stands where by which entry; to move, add and remove them.
//! - `names`: a level's own kinds and its sides, named anew wherever they stand.
//! - [`History`]: what was done, to be undone and done again.
//! - [`lines`]: which lines differ, and two people's changes joined.

mod at;
mod document;
mod history;
pub mod lines;
mod map;
mod names;
mod new;
pub mod people;
mod splice;

pub use at::At;
pub use document::Document;
pub use history::History;
pub(in crate::levels) use map::candidates;
pub use map::{Edge, Sign, ground_text};
pub use new::new_level;

/// Why an edit cannot be made, for whoever asked for it.
pub type Edited<T = ()> = Result<T, String>;

/// A text in quotes, as RON has it.
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
