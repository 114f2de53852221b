//! Where to insert or remove text so that the result reads as if written by hand.

use crate::ron_read::{ByteRange, Piece, ValueShape};

/// A place in the text, and the text that replaces it.
pub(super) type Splice = (ByteRange, String);

/// The text with the splices applied. Their places must not overlap.
pub(super) fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|(place, _)| std::cmp::Reverse((place.from, place.to)));
    let mut all = text.to_string();
    for (place, with) in splices {
        all.replace_range(place.from..place.to, &with);
    }
    all
}

/// The places of the items between the brackets of a piece: fields with their names,
/// map entries with their keys.
pub(super) fn items(piece: &Piece) -> Vec<ByteRange> {
    match &piece.shape {
        ValueShape::Fields(fields) => {
            let place = |f: &crate::ron_read::TreeField| ByteRange::new(f.at.from, f.value.at.to);
            fields.iter().map(place).collect()
        }
        ValueShape::List(items) | ValueShape::Tuple(items) => items.iter().map(|p| p.at).collect(),
        ValueShape::Map(entries) => {
            let place = |(key, value): &(Piece, Piece)| ByteRange::new(key.at.from, value.at.to);
            entries.iter().map(place).collect()
        }
        _ => vec![],
    }
}

/// The text of a file, with helpers to find its lines and blanks.
pub(super) struct Sheet<'t> {
    text: &'t str,
    /// The line ending of the file.
    newline: &'static str,
}

impl<'t> Sheet<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Self { text, newline }
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |nl| nl + 1)
    }

    /// The end of the line, before its line break.
    fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        let line = rest.find('\n').map_or(rest, |nl| &rest[..nl]);
        at + line.trim_end_matches('\r').len()
    }

    /// The start of the next line.
    fn next_line(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        rest.find('\n').map_or(self.text.len(), |nl| at + nl + 1)
    }

    /// The indentation before a byte. `None` if anything else precedes it on its
    /// line.
    fn indent(&self, at: usize) -> Option<&'t str> {
        let before = &self.text[self.line_start(at)..at];
        before.trim().is_empty().then_some(before)
    }

    /// The comma after an item, past blanks and comments.
    fn comma(&self, from: usize) -> Option<usize> {
        let at = self.past_blanks(from);
        self.text[at..].starts_with(',').then_some(at)
    }

    fn past_blanks(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.text[at..];
            let bare = rest.trim_start();
            at += rest.len() - bare.len();
            if bare.starts_with("//") {
                at = self.next_line(at);
            } else if bare.starts_with("/*") {
                at = self.past_comment(at);
            } else {
                return at;
            }
        }
    }

    /// Skips a block comment, including nested ones.
    fn past_comment(&self, from: usize) -> usize {
        let (mut at, mut deep) = (from, 0usize);
        while at < self.text.len() {
            let rest = &self.text[at..];
            if rest.starts_with("/*") {
                (at, deep) = (at + 2, deep + 1);
            } else if rest.starts_with("*/") {
                (at, deep) = (at + 2, deep - 1);
                if deep == 0 {
                    break;
                }
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        at
    }

    /// Whether the rest of the line has only blanks and a comment.
    fn line_is_over(&self, at: usize) -> bool {
        let rest = self.text[at..self.line_end(at)].trim();
        let is_closed = rest.starts_with("/*") && rest.ends_with("*/");
        rest.is_empty() || rest.starts_with("//") || is_closed
    }

    /// Inserts an item before the piece's item `index`, or after the last one if
    /// `index` is their number.
    pub(super) fn insert(&self, piece: &Piece, index: usize, item: &str) -> Vec<Splice> {
        let all = items(piece);
        let point = ByteRange::before;
        let Some(first) = all.first() else {
            return self.insert_only(piece, item);
        };
        let Some(prev) = index.checked_sub(1).and_then(|n| all.get(n)) else {
            let open = self.line_end(piece.at.from + 1);
            let opens_line = self.line_is_over(piece.at.from + 1);
            return match self.indent(first.from) {
                Some(indent) if opens_line => {
                    vec![(point(open), format!("{}{indent}{item},", self.newline))]
                }
                Some(indent) => {
                    let line = format!("{item},{}{indent}", self.newline);
                    vec![(point(first.from), line)]
                }
                None => vec![(point(first.from), format!("{item}, "))],
            };
        };
        let Some(indent) = self.indent(prev.from) else {
            return vec![(point(prev.to), format!(", {item}"))];
        };
        let next = all.get(index);
        let shares_line = next.is_some_and(|n| !self.text[prev.to..n.from].contains('\n'));
        if shares_line {
            return vec![(point(prev.to), format!(", {item}"))];
        }
        // Sections of a level are separated by empty lines.
        let is_group = matches!(piece.shape, ValueShape::Fields(_));
        let apart = next.is_some_and(|n| {
            let between = self.text[prev.to..n.from].replace([' ', '\t', '\r'], "");
            is_group && between.contains("\n\n")
        });
        let gap = if apart { self.newline } else { "" };
        let newline = self.newline;
        match self.comma(prev.to) {
            Some(comma) if self.line_is_over(comma + 1) => {
                let at = self.line_end(comma + 1);
                vec![(point(at), format!("{newline}{gap}{indent}{item},"))]
            }
            None if self.line_is_over(prev.to) => {
                let at = self.line_end(prev.to);
                let line = format!("{newline}{gap}{indent}{item}");
                if at == prev.to {
                    return vec![(point(at), format!(",{line}"))];
                }
                vec![(point(prev.to), ",".into()), (point(at), line)]
            }
            // The closing bracket is on the same line.
            _ => vec![(point(prev.to), format!(",{newline}{indent}{item}"))],
        }
    }

    /// Inserts the first item between empty brackets.
    fn insert_only(&self, piece: &Piece, item: &str) -> Vec<Splice> {
        let (open, close) = (piece.at.from + 1, piece.at.to - 1);
        let inner = &self.text[open..close];
        let point = ByteRange::before;
        match self.indent(close) {
            Some(indent) if inner.contains('\n') => {
                let line = format!("{indent}    {item},{}", self.newline);
                vec![(point(self.line_start(close)), line)]
            }
            _ if inner.trim().is_empty() => {
                let place = ByteRange::new(open, close);
                vec![(place, item.into())]
            }
            _ => vec![(point(close), item.into())],
        }
    }

    /// Removes the nth item with its comma, and whole lines if nothing else is on
    /// them.
    pub(super) fn remove(&self, piece: &Piece, nth: usize) -> Vec<Splice> {
        let all = items(piece);
        let Some(item) = all.get(nth) else {
            return vec![];
        };
        let comma = self.comma(item.to);
        let to = comma.map_or(item.to, |comma| comma + 1);
        let is_alone = self.indent(item.from).is_some() && self.line_is_over(to);
        if is_alone {
            let mut from = self.line_start(item.from);
            let to = self.next_line(to);
            // Remove the empty line before a section together with the section.
            let before = &self.text[..from];
            let bare = before.trim_end_matches([' ', '\t', '\r', '\n']);
            let is_blank = |text: &str| text.matches('\n').count() > 1;
            let after = &self.text[to..];
            let follows = after.trim_start_matches([' ', '\t', '\r']);
            if is_blank(&before[bare.len()..])
                && (follows.starts_with('\n') || follows.starts_with([')', ']', '}']))
            {
                from = bare.len() + self.text[bare.len()..].find('\n').map_or(0, |nl| nl + 1);
            }
            return vec![(ByteRange { from, to }, String::new())];
        }
        let place = match (nth.checked_sub(1).map(|n| all[n]), all.get(nth + 1)) {
            (Some(prev), _) if self.is_plain(prev.to, item.from) => {
                ByteRange::new(prev.to, item.to)
            }
            (_, Some(next)) if self.is_plain(to, next.from) => ByteRange::new(item.from, next.from),
            _ => ByteRange::new(item.from, to),
        };
        vec![(place, String::new())]
    }

    /// Whether there are only commas and blanks, and no line break.
    fn is_plain(&self, from: usize, to: usize) -> bool {
        let between = &self.text[from..to];
        !between.contains('\n') && between.chars().all(|c| c == ',' || c.is_whitespace())
    }
}
