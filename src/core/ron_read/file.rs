//! Reads files as text, and shows the lines that contain problems.

use super::Problem;
use crate::{files, words};
use std::{io, path::Path};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text of a file of at most `most` bytes. The problem says why it cannot be
/// read, and where it stops being text.
pub fn file_text(path: &Path, most: u64) -> Result<String, Problem> {
    text_of(&path.display().to_string(), files::read(path, most))
}

/// Converts bytes that were read to text; `file` is the name used in messages.
///
/// # Errors
/// If reading failed or the bytes are not valid text, with the place of the first
/// invalid byte.
pub fn text_of(file: &str, bytes: io::Result<Vec<u8>>) -> Result<String, Problem> {
    let problem = |what: &str, help: &str| Problem::of_file(file, what, help);
    let bytes = bytes.map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => problem("there is no such file", ""),
        _ => problem(&format!("cannot be read: {e}"), ""),
    })?;
    files::text(bytes).map_err(|e| {
        let sound = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let sound = String::from_utf8_lossy(sound);
        let line = sound.matches('\n').count() as u32 + 1;
        let col = sound.chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
        Problem {
            line,
            col,
            ..problem("this is not UTF-8", "save the file as UTF-8")
        }
    })
}

/// The lines of a text, to show the one with a problem.
pub struct Excerpts<'t> {
    lines: Vec<&'t str>,
}

/// Lines longer than this many bytes were not written by people, and are not shown.
const LONGEST: usize = 20_000;

/// The most columns of a line that are shown.
const WIDEST: usize = 100;

impl<'t> Excerpts<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            lines: text.lines().collect(),
        }
    }

    /// The line of a problem with a marker below it, each preceded by a line break.
    /// Empty if there is no such line.
    pub fn of(&self, problem: &Problem) -> String {
        let line = self.lines.get((problem.line as usize).wrapping_sub(1));
        let says = |line: &&&str| line.contains(char::is_alphanumeric) || line.contains('"');
        let Some(line) = line.filter(|line| line.len() <= LONGEST).filter(says) else {
            return String::new();
        };
        let at = (problem.col as usize).saturating_sub(1);
        let chars: Vec<char> = line.chars().collect();
        let long = token(&chars[at.min(chars.len())..]);
        // If the line is too wide for a screen, show the part around the marker.
        let from = if width(&chars) > WIDEST {
            at.saturating_sub(WIDEST / 2).min(chars.len())
        } else {
            0
        };
        let to = (from + WIDEST).min(chars.len());
        let mut shown = written(&chars[from..to]);
        let mut before = UnicodeWidthStr::width(written(&chars[from..at.clamp(from, to)]).as_str());
        if from > 0 {
            shown.insert(0, '…');
            before += 1;
        }
        if to < chars.len() {
            shown.push('…');
        }
        let end = (at + long).clamp(at, to.max(at));
        let marked = written(chars.get(at..end).unwrap_or_default());
        let mark = "^".repeat(UnicodeWidthStr::width(marked.as_str()).max(1));
        let number = problem.line.to_string();
        let blank = " ".repeat(number.len());
        let gap = " ".repeat(before);
        format!("\n {number} | {}\n {blank} | {gap}{mark}", shown.trim_end())
    }
}

/// The text as printed: tabs become four blanks, invisible characters are escaped.
fn written(chars: &[char]) -> String {
    let text: String = chars.iter().collect();
    words::shown_line(&text.replace('\t', "    ")).into_owned()
}

fn width(chars: &[char]) -> usize {
    chars.iter().map(|c| c.width().unwrap_or(1)).sum()
}

/// The number of characters to mark at the start of `rest`: a word, a number, a
/// string up to its closing quote, or a single character.
fn token(rest: &[char]) -> usize {
    let run = |fits: fn(&char) -> bool| rest.iter().take_while(|c| fits(c)).count();
    match rest.first() {
        Some(quote @ ('"' | '\'')) => {
            let mut escaped = false;
            let close = rest[1..].iter().position(|c| {
                let closes = !escaped && c == quote;
                escaped = !escaped && *c == '\\';
                closes
            });
            close.map_or(1, |at| at + 2)
        }
        Some(c) if c.is_alphanumeric() || "_-+".contains(*c) => {
            run(|c| c.is_alphanumeric() || "_-+.".contains(*c))
        }
        _ => 1,
    }
}
