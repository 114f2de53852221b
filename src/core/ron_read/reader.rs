//! Interprets the pieces of a file, and collects all problems.

use super::Problem;
use super::tree::{ByteRange, Piece, TreeField, ValueShape};
use super::{Help, suggest::suggested};
use crate::words::with_short_names;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads the pieces of one file. Its functions report a problem before they return
/// `None`.
pub struct Reader {
    file: String,
    text: String,
    /// The byte at which each line starts.
    lines: Vec<usize>,
    /// The number of characters before each [`STRETCH`] of bytes.
    chars: Vec<usize>,
    problems: Vec<Problem>,
    hints: Vec<Problem>,
    /// The names that the file refers to, with the kind of thing each names.
    named: HashSet<(&'static str, String)>,
    /// Names whose definitions have a reported problem. References to them are
    /// unknown, but are not a further mistake.
    refused: HashSet<String>,
    /// How often such a name was referred to.
    excused: usize,
    /// The fields that each thing can have, collected only on request.
    pub(super) forms: Option<BTreeMap<&'static str, Vec<&'static str>>>,
}

/// The number of bytes whose characters are counted once and cached.
const STRETCH: usize = 1024;

/// After this many errors, suggestions are no longer made.
const GUESSES: usize = 300;

/// The number of characters that start in a slice of UTF-8 bytes.
fn chars_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b as i8) >= -0x40).count()
}

/// The fields of one group, taken one by one.
pub struct Fields<'p> {
    all: &'p [TreeField],
    taken: Vec<bool>,
    asked: Vec<&'static str>,
    place: ByteRange,
    thing: &'static str,
}

impl Reader {
    pub(super) fn new(file: &str, text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let lines = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        let mut chars = vec![0];
        for stretch in text.as_bytes().chunks(STRETCH) {
            chars.push(chars[chars.len() - 1] + chars_in(stretch));
        }
        let (file, text) = (file.to_string(), text.to_string());
        Self {
            file,
            text,
            lines,
            chars,
            problems: Vec::new(),
            hints: Vec::new(),
            named: HashSet::new(),
            refused: HashSet::new(),
            excused: 0,
            forms: None,
        }
    }

    /// All problems and hints in the order of the file. If nothing was made, there is
    /// at least one problem.
    pub(super) fn close(mut self, is_made: bool) -> (Vec<Problem>, Vec<Problem>) {
        if !is_made && self.problems.is_empty() {
            let start = ByteRange::before(0);
            self.problem(start, "nothing could be made of this", "");
        }
        for list in [&mut self.problems, &mut self.hints] {
            list.sort_by_key(|p| (p.line, p.col));
            list.dedup();
        }
        (self.problems, self.hints)
    }

    /// Reports an error.
    pub fn problem(&mut self, at: ByteRange, what: impl Into<String>, help: impl Into<Help>) {
        let problem = self.place(at, what.into(), help.into());
        self.problems.push(problem);
    }

    /// Reports a warning: allowed, but possibly a mistake.
    pub fn hint(&mut self, at: ByteRange, what: impl Into<String>, help: impl Into<Help>) {
        let hint = self.place(at, what.into(), help.into());
        self.hints.push(hint);
    }

    /// A counter that grows if something read in the meantime had errors, or referred
    /// to names whose definitions were reported.
    pub fn count(&self) -> usize {
        self.problems.len() + self.excused
    }

    /// Whether the definition of a name was reported.
    pub fn is_refused(&self, name: &str) -> bool {
        self.refused.contains(name)
    }

    /// Reports a name that cannot be defined, so that references to it are not
    /// reported too. They may write it correctly, in lower-case letters.
    pub fn refuse(&mut self, at: ByteRange, name: &str, what: impl Into<String>, help: &str) {
        self.refused.insert(name.to_string());
        self.refused.insert(name.to_lowercase());
        self.problem(at, what, help);
    }

    /// Whether errors still come with suggestions.
    pub fn is_guessing(&self) -> bool {
        self.problems.len() < GUESSES
    }

    /// Records that the file refers to something by name.
    pub fn mention(&mut self, thing: &'static str, name: &str) {
        self.named.insert((thing, name.to_string()));
    }

    pub fn is_mentioned(&self, thing: &'static str, name: &str) -> bool {
        self.named.contains(&(thing, name.to_string()))
    }

    /// The text at a place.
    pub fn raw(&self, at: ByteRange) -> &str {
        &self.text[at.from..at.to]
    }

    /// The place of a character of a string, from 0. The place of the whole string if
    /// it contains escapes or line breaks.
    pub fn char_of_text(&self, piece: &Piece, nth: usize) -> ByteRange {
        let raw = self.raw(piece.at);
        let quote = raw.find('"').map_or(0, |at| at + 1);
        let escapes = raw.starts_with('"') && raw.contains('\\');
        match raw[quote..].char_indices().nth(nth) {
            Some((at, c)) if !escapes => {
                let from = piece.at.from + quote + at;
                ByteRange::new(from, from + c.len_utf8())
            }
            _ => piece.at,
        }
    }

    /// Line and column of a place, both from 1; the column counts characters.
    pub fn line_and_column(&self, at: ByteRange) -> (u32, u32) {
        let line = self.lines.partition_point(|start| *start <= at.from) - 1;
        let col = self.chars_before(at.from) - self.chars_before(self.lines[line]);
        (line as u32 + 1, col as u32 + 1)
    }

    fn chars_before(&self, at: usize) -> usize {
        let nth = at / STRETCH;
        self.chars[nth] + chars_in(&self.text.as_bytes()[nth * STRETCH..at])
    }

    fn place(&self, at: ByteRange, what: String, help: Help) -> Problem {
        let (line, col) = self.line_and_column(at);
        Problem {
            file: self.file.clone(),
            line,
            col,
            what: with_short_names(what),
            help: with_short_names(help.text),
            fix: help.fix,
        }
    }

    /// Reports that a piece is not what was expected.
    pub fn expected(&mut self, piece: &Piece, wanted: &str) {
        self.expected_so(piece, wanted, "");
    }

    /// Reports that a piece is not what was expected, with advice.
    fn expected_so(&mut self, piece: &Piece, wanted: &str, help: impl Into<Help>) {
        let found = match &piece.shape {
            ValueShape::Broken => return,
            ValueShape::Word(name, None) => format!("`{name}`"),
            ValueShape::Word(name, Some(_)) => format!("`{name}(…)`"),
            ValueShape::Number(digits) => digits.clone(),
            ValueShape::Text(text) if text.chars().count() <= 30 => format!("{text:?}"),
            ValueShape::Text(_) => "a long text".to_string(),
            ValueShape::Char(c) => format!("{c:?}"),
            ValueShape::Fields(_) => "`(…: …)`".to_string(),
            ValueShape::Tuple(items) if items.is_empty() => "`()`".to_string(),
            ValueShape::Tuple(_) => "`(…)`".to_string(),
            ValueShape::List(_) => "a list `[…]`".to_string(),
            ValueShape::Map(_) => "a map `{…}`".to_string(),
        };
        self.problem(piece.at, format!("expected {wanted}, found {found}"), help);
    }

    /// The fields of `(name: value, …)`. `thing` says what they describe, such as "a
    /// weapon".
    pub fn fields<'p>(&mut self, piece: &'p Piece, thing: &'static str) -> Option<Fields<'p>> {
        let all: &[TreeField] = match &piece.shape {
            ValueShape::Fields(all) => all,
            ValueShape::Tuple(items) if items.is_empty() => &[],
            shape => {
                let help = match shape {
                    ValueShape::Word(name, Some(_)) => format!("leave `{name}` out"),
                    ValueShape::Tuple(_) => String::from("give each value its name"),
                    ValueShape::Map(_) => String::from("write `(` and `)` instead of `{` and `}`"),
                    _ => String::new(),
                };
                // A quoted `thing` already shows its own fields.
                let wanted = match thing.starts_with('`') {
                    true => thing.to_string(),
                    false => format!("{thing} as `(name: value, …)`"),
                };
                self.expected_so(piece, &wanted, help);
                return None;
            }
        };
        let mut seen = HashSet::new();
        for field in all {
            if !seen.insert(&field.name) {
                let what = format!("`{}` is here twice", field.name);
                self.problem(field.at, what, "keep one");
            }
        }
        let (taken, asked) = (vec![false; all.len()], Vec::new());
        Some(Fields {
            all,
            taken,
            asked,
            place: piece.at,
            thing,
        })
    }

    pub fn text(&mut self, piece: &Piece) -> Option<String> {
        match &piece.shape {
            ValueShape::Text(text) => Some(text.clone()),
            shape => {
                let help = match shape {
                    ValueShape::Word(word, None) => format!("write `\"{word}\"`"),
                    ValueShape::Char(c) => format!("write `\"{c}\"`"),
                    _ => String::new(),
                };
                self.expected_so(piece, "text in double quotes", help);
                None
            }
        }
    }

    /// A text read with [`FromStr`](std::str::FromStr), whose error describes the expected form.
    pub fn parsed<T: FromStr<Err = &'static str>>(&mut self, piece: &Piece) -> Option<T> {
        let found = self.text(piece)?.parse();
        found.map_err(|form| self.expected(piece, form)).ok()
    }

    /// A text that is not empty.
    pub fn filled_text(&mut self, piece: &Piece) -> Option<String> {
        let text = self.text(piece)?;
        if text.trim().is_empty() {
            self.problem(piece.at, "this text is empty", "write something in it");
            return None;
        }
        Some(text)
    }

    /// An id such as "short_bow": lower-case letters, digits and underscores.
    pub fn id(&mut self, piece: &Piece) -> Option<String> {
        let id = self.text(piece)?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(plain) {
            let help = "use lower-case letters, digits and underscores, a letter first";
            self.refuse(piece.at, &id, format!("{id:?} cannot be an id"), help);
            return None;
        }
        Some(id)
    }

    pub fn whole(&mut self, piece: &Piece, within: RangeInclusive<i32>) -> Option<i32> {
        if let ValueShape::Number(digits) = &piece.shape
            && let Ok(n) = ron::from_str::<i32>(digits)
            && within.contains(&n)
        {
            return Some(n);
        }
        let (least, most) = (within.start(), within.end());
        match least == most {
            true => self.expected(piece, &least.to_string()),
            false => self.expected(piece, &format!("a whole number from {least} to {most}")),
        }
        None
    }

    pub fn number(&mut self, piece: &Piece, within: RangeInclusive<f64>) -> Option<f64> {
        if let ValueShape::Number(digits) = &piece.shape
            && let Ok(n) = ron::from_str::<f64>(digits)
            && within.contains(&n)
        {
            return Some(n);
        }
        let (least, most) = (within.start(), within.end());
        self.expected(piece, &format!("a number from {least} to {most}"));
        None
    }

    pub fn yes_no(&mut self, piece: &Piece) -> Option<bool> {
        match &piece.shape {
            ValueShape::Word(word, None) if word == "true" => Some(true),
            ValueShape::Word(word, None) if word == "false" => Some(false),
            _ => {
                self.expected(piece, "`true` or `false`");
                None
            }
        }
    }

    pub fn char(&mut self, piece: &Piece) -> Option<char> {
        match &piece.shape {
            ValueShape::Char(c) => Some(*c),
            shape => {
                let help = match shape {
                    ValueShape::Text(text) if text.chars().count() == 1 => {
                        format!("write `'{text}'`")
                    }
                    _ => String::new(),
                };
                self.expected_so(piece, "a single character in single quotes", help);
                None
            }
        }
    }

    /// The elements of a list. Elements that cannot be read are reported and left
    /// out.
    pub fn list<T>(
        &mut self,
        piece: &Piece,
        mut item: impl FnMut(&mut Self, &Piece) -> Option<T>,
    ) -> Option<Vec<T>> {
        let ValueShape::List(items) = &piece.shape else {
            let is_single = matches!(
                piece.shape,
                ValueShape::Text(_)
                    | ValueShape::Word(..)
                    | ValueShape::Number(_)
                    | ValueShape::Char(_)
                    | ValueShape::Fields(_)
            );
            let help = match is_single && piece.at.to - piece.at.from <= 60 {
                true => format!("write `[{}]`", self.raw(piece.at)),
                false => String::new(),
            };
            self.expected_so(piece, "a list `[…]`", help);
            return None;
        };
        Some(items.iter().filter_map(|p| item(self, p)).collect())
    }

    /// The entries of a map, with keys and values still to be read.
    pub fn entries<'p>(&mut self, piece: &'p Piece) -> Option<&'p [(Piece, Piece)]> {
        match &piece.shape {
            ValueShape::Map(entries) => Some(entries),
            _ => {
                self.expected(piece, "a map `{key: value, …}`");
                None
            }
        }
    }

    /// The values of `(a, b)`, exactly as many as wanted.
    pub fn tuple<'p, const N: usize>(
        &mut self,
        piece: &'p Piece,
        wanted: &str,
    ) -> Option<[&'p Piece; N]> {
        if let ValueShape::Tuple(items) = &piece.shape
            && let Ok(array) = items.iter().collect::<Vec<_>>().try_into()
        {
            return Some(array);
        }
        self.expected(piece, wanted);
        None
    }

    /// One of a fixed set of words. `thing` says what the word stands for, such as "a
    /// skill".
    pub fn word<T: Copy>(&mut self, piece: &Piece, thing: &str, words: &[(&str, T)]) -> Option<T> {
        let names = || words.iter().map(|(name, _)| *name);
        match &piece.shape {
            ValueShape::Word(word, None) => match words.iter().find(|(name, _)| name == word) {
                Some((_, value)) => return Some(*value),
                None => self.unknown(piece.at, thing, word, names()),
            },
            ValueShape::Text(word) if words.iter().any(|(name, _)| name == word) => {
                let what = format!("{thing} is written without quotes");
                self.problem(piece.at, what, format!("write `{word}`"));
            }
            _ => self.expected(piece, &format!("{thing}, such as `{}`", words[0].0)),
        }
        None
    }

    /// A word and the group after it, if any: `Window(X)`.
    pub fn variant<'p>(
        &mut self,
        piece: &'p Piece,
        thing: &str,
    ) -> Option<(&'p str, Option<&'p Piece>)> {
        match &piece.shape {
            ValueShape::Word(name, group) => Some((name, group.as_deref())),
            _ => {
                self.expected(piece, thing);
                None
            }
        }
    }

    /// Reports a group after a word that takes none.
    pub fn bare(&mut self, word: &str, group: Option<&Piece>) -> Option<()> {
        let Some(group) = group else {
            return Some(());
        };
        let what = format!("`{word}` takes nothing in brackets");
        self.problem(group.at, what, format!("write `{word}`"));
        None
    }

    /// Counts a reference that may be to a name whose definition was reported.
    pub fn count_excused(&mut self) {
        self.excused += 1;
    }

    /// Reports an unknown name, with the most similar known one. Says nothing about a
    /// [refused](Self::refuse) name, which has been reported.
    pub fn unknown<'n>(
        &mut self,
        at: ByteRange,
        thing: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        if self.refused.contains(name) {
            self.count_excused();
            return;
        }
        let bare = thing.strip_prefix("a ").or(thing.strip_prefix("an "));
        let thing = bare.unwrap_or(thing);
        let help = match self.is_guessing() {
            true => suggested(name, known),
            false => Help::default(),
        };
        self.problem(at, format!("unknown {thing} `{name}`"), help);
    }
}

impl<'p> Fields<'p> {
    /// The place of the whole group.
    pub fn place(&self) -> ByteRange {
        self.place
    }

    /// The place of the value of a field, if the field exists.
    pub fn place_of(&self, name: &str) -> Option<ByteRange> {
        let field = self.all.iter().find(|field| field.name == name)?;
        Some(field.value.at)
    }

    /// The piece of a field, if the field exists.
    pub fn piece(&mut self, name: &'static str) -> Option<&'p Piece> {
        self.asked.push(name);
        let nth = self.all.iter().position(|field| field.name == name)?;
        for (taken, field) in self.taken.iter_mut().zip(self.all) {
            *taken |= field.name == name;
        }
        Some(&self.all[nth].value)
    }

    /// Whether a field is missing, and no unused field looks like a misspelling of
    /// it.
    pub fn lacks(&self, name: &str) -> bool {
        // A misspelled field is reported as unknown, with this name as the
        // suggestion.
        let close = |field: &TreeField| suggested(&field.name, [name]).fix.is_some();
        let mut all = self.all.iter().zip(&self.taken);
        !all.any(|(field, taken)| field.name == name || (!taken && close(field)))
    }

    /// The piece of a required field. Reports it if it is missing.
    pub fn needed(&mut self, r: &mut Reader, name: &'static str) -> Option<&'p Piece> {
        let piece = self.piece(name);
        if self.lacks(name) {
            let at = self.place.start();
            r.problem(at, format!("{} needs the field `{name}`", self.thing), "");
        }
        piece
    }

    pub fn required<T>(
        &mut self,
        r: &mut Reader,
        name: &'static str,
        read: impl FnOnce(&mut Reader, &Piece) -> Option<T>,
    ) -> Option<T> {
        let piece = self.needed(r, name)?;
        read(r, piece)
    }

    /// The value of an optional field. `None` if it is missing, or could not be read,
    /// which is reported. Accepts RON's `Some(x)` and `None`.
    pub fn optional<T>(
        &mut self,
        r: &mut Reader,
        name: &'static str,
        read: impl FnOnce(&mut Reader, &Piece) -> Option<T>,
    ) -> Option<T> {
        let piece = self.piece(name)?;
        match &piece.shape {
            ValueShape::Word(word, None) if word == "None" => None,
            ValueShape::Word(word, Some(group)) if word == "Some" => match &group.shape {
                ValueShape::Tuple(items) if items.len() == 1 => read(r, &items[0]),
                _ => read(r, piece),
            },
            _ => read(r, piece),
        }
    }

    /// Reports every field that was not asked for.
    pub fn finish(self, r: &mut Reader) {
        if let Some(forms) = &mut r.forms {
            forms
                .entry(self.thing)
                .or_insert_with(|| self.asked.clone());
        }
        for (field, taken) in self.all.iter().zip(&self.taken) {
            if !taken {
                r.unknown(field.at, "field", &field.name, self.asked.iter().copied());
            }
        }
    }
}
