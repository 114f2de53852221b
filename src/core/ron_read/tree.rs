//! Parses a file into a tree of pieces with their places.

/// Deeper nesting is rejected.
const DEEPEST: usize = 60;
/// After this many syntax errors, the rest is not reported.
const SLIPS: usize = 30;
/// The most bytes to search for the cause of a syntax error.
const FAR: usize = 1000;
/// The most brackets to try as the surplus one.
const TRIED: usize = 20;
/// In files longer than this many bytes, no surplus bracket is searched for.
const TRIED_IN: usize = 1 << 20;
const OPENERS: &[u8] = b"([{";
const CLOSERS: &[u8] = b")]}";

/// Advice for a name or a key without a value.
const NO_VALUE: &str = "write `name: value`";

/// Quotes that word processors insert instead of plain ones.
const CURLY: &str = "“”„‟«»‘’‚‹›";
const CURLY_ENDS: [char; 5] = ['”', '“', '»', '«', '’'];

/// A range of bytes of the file: from, and up to (exclusive).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteRange {
    pub from: usize,
    pub to: usize,
}

impl ByteRange {
    pub fn new(from: usize, to: usize) -> Self {
        Self { from, to }
    }

    /// The empty range before a byte.
    pub fn before(at: usize) -> Self {
        Self { from: at, to: at }
    }

    /// The empty range at the start of this one.
    pub fn start(self) -> Self {
        Self::before(self.from)
    }
}

/// A value as written in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    pub at: ByteRange,
    pub shape: ValueShape,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ValueShape {
    /// `Wall`, `true`, `Window(X)`: a word, and the group after it if there is one
    /// (with shape `Fields` or `Tuple`).
    Word(String, Option<Box<Piece>>),
    /// A number, not yet parsed.
    Number(String),
    /// A string, with escapes resolved.
    Text(String),
    Char(char),
    /// `(name: value, …)`
    Fields(Vec<TreeField>),
    /// `(value, …)`, also `()`.
    Tuple(Vec<Piece>),
    /// `[value, …]`
    List(Vec<Piece>),
    /// `{key: value, …}`
    Map(Vec<(Piece, Piece)>),
    /// Not readable; already reported.
    Broken,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TreeField {
    pub name: String,
    pub at: ByteRange,
    pub value: Piece,
}

/// A syntax error.
pub(super) struct SyntaxError {
    pub at: ByteRange,
    pub what: String,
    pub help: String,
}

pub(super) struct Tree {
    /// `None` if nothing of the tree can be trusted.
    pub root: Option<Piece>,
    pub slips: Vec<SyntaxError>,
}

/// Parses a file. After an error that leaves no doubt about the rest, such as a
/// missing comma, the tree is still complete.
pub(super) fn grow(text: &str) -> Tree {
    let ron = ron::value::RawValue::from_ron(text);
    let mut grower = Grower::new(text, ron.is_ok());
    let root = grower.file();
    if let Some((at, brackets)) = grower.unmatched
        && let Some(surplus) = surplus_bracket(text, at, brackets)
    {
        grower.slips.pop();
        let what = format!("this `{}` is one too many", &text[surplus.from..surplus.to]);
        let (at, help) = (surplus, String::from("leave it out"));
        grower.slips.push(SyntaxError { at, what, help });
    }
    if grower.slips.is_empty()
        && let Err(error) = ron
    {
        // Even if this parser accepts the text, it must be valid RON for other
        // programs.
        let from = byte_of(text, error.span.end.line, error.span.end.col);
        let what = format!("this is not RON: {}", error.code);
        grower.lose(ByteRange::before(from), what, "");
    }
    let is_clear = !grower.lost && grower.too_many == 0;
    Tree {
        root: is_clear.then_some(root),
        slips: grower.slips,
    }
}

/// The bracket, one of `brackets`, without which the whole text is valid RON: the last
/// such bracket up to the point where the text makes no sense.
fn surplus_bracket(text: &str, unmatched: usize, brackets: &[u8]) -> Option<ByteRange> {
    if text.len() > TRIED_IN {
        return None;
    }
    let is_bracket = |(_, byte): &(usize, u8)| brackets.contains(byte);
    let upto = text.bytes().take(unmatched + 1).enumerate();
    let found: Vec<usize> = upto.filter(is_bracket).map(|(at, _)| at).collect();
    let is_surplus = |at: &usize| {
        let without = [&text[..*at], &text[at + 1..]].concat();
        ron::value::RawValue::from_ron(&without).is_ok()
    };
    let mut last = found.into_iter().rev().take(TRIED);
    let from = last.find(is_surplus)?;
    Some(ByteRange { from, to: from + 1 })
}

/// Recognises the start of a file in another format that is often confused with RON.
/// Returns what it is and what to do about it.
fn other_format(start: &str) -> Option<(String, &'static str)> {
    const GROUP: &str = "a file is one group in RON, `(name: value, …)`";
    let line = start.lines().next().unwrap_or_default();
    let bare = line.trim_end();
    let name = bare.find(|c: char| !(c.is_alphanumeric() || "_-".contains(c)));
    let name = name.map(|end| line.split_at(end));
    let name = name.filter(|(name, _)| !name.is_empty());
    let found = |what: &str| Some((format!("this is {what}, not RON"), GROUP));
    if start.starts_with('<') {
        return found("XML or HTML");
    }
    if start.starts_with("---") || start.starts_with("%YAML") {
        return found("YAML");
    }
    if let Some(inside) = start.strip_prefix('{')
        && inside.trim_start().starts_with(['"', '}'])
    {
        let help = "write `(name: value)` where JSON has `{\"name\": value}`";
        return Some((String::from("this is JSON, not RON"), help));
    }
    if start.starts_with('#') {
        return Some((
            String::from("expected `(`, found `#`"),
            "a comment begins with `//`, and a file is one group `(name: value, …)`",
        ));
    }
    match name {
        Some((name, rest)) if rest.starts_with(':') => Some((
            format!("expected `(`, found `{name}:`"),
            "put `(` before the first field and `)` after the last; YAML is not read",
        )),
        Some((name, rest)) if rest.trim_start().starts_with('=') => Some((
            format!("expected `(`, found `{name} =`"),
            "a file is one group `(name: value, …)`; TOML is not read",
        )),
        _ => None,
    }
}

/// The byte of a line and a column in characters, both from 1.
pub fn byte_of(text: &str, line: usize, col: usize) -> usize {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let rest = &text[start..];
    let nth = rest.char_indices().nth(col.saturating_sub(1));
    start + nth.map_or(rest.len(), |(at, _)| at)
}

struct Grower<'t> {
    text: &'t str,
    /// The `ron` crate accepts the text.
    is_ron: bool,
    at: usize,
    /// The closing brackets that are expected, the innermost last.
    open: Vec<char>,
    slips: Vec<SyntaxError>,
    /// The number of errors beyond those that are reported.
    too_many: usize,
    /// Nothing from here on can be trusted.
    lost: bool,
    /// The byte at which brackets were found not to match, and the brackets of which one
    /// may be too many.
    unmatched: Option<(usize, &'static [u8])>,
}

impl<'t> Grower<'t> {
    fn new(text: &'t str, is_ron: bool) -> Self {
        Self {
            text,
            is_ron,
            at: 0,
            open: Vec::new(),
            slips: Vec::new(),
            too_many: 0,
            lost: false,
            unmatched: None,
        }
    }

    fn file(&mut self) -> Piece {
        if !self.is_ron && self.text.contains('\r') && !self.text.contains('\n') {
            // A comment would run to the end of the file.
            let help = "save the file with LF or CRLF as line ends";
            self.lose(self.here(), "lines end with CR only", help);
        }
        self.blanks();
        if self.rest().starts_with('\u{feff}') {
            let help = "save the file as UTF-8 without one";
            self.lose(self.here(), "an invisible byte-order mark", help);
        } else if self.rest().is_empty() {
            let help = "a file is one group `(name: value, …)`; docs/levels.md has a whole level";
            self.lose(self.here(), "there is nothing in this file", help);
        } else if self.rest().starts_with("#!") {
            self.lose(
                self.here(),
                "`#![…]` is not used here",
                "leave this line out",
            );
        } else if (!self.is_ron || self.peek() == Some('{'))
            && let Some((what, help)) = other_format(self.rest())
        {
            self.lose(self.here(), what, help);
        }
        let root = self.value();
        self.blanks();
        if !self.lost && !self.rest().is_empty() {
            let what = format!("{} follows the bracket that ends the file", self.found());
            let help = "delete what follows, or move that bracket to the end";
            self.unmatched = Some((self.at, CLOSERS));
            self.lose(self.here(), what, help);
        }
        root
    }

    fn value(&mut self) -> Piece {
        let from = self.at;
        if self.open.len() > DEEPEST {
            self.lose(self.here(), "too many brackets inside each other", "");
        }
        if self.lost {
            return Piece {
                at: ByteRange::before(from),
                shape: ValueShape::Broken,
            };
        }
        let shape = match self.peek() {
            Some('(') => self.group(from),
            Some('[') => ValueShape::List(self.items(from, ']', |g| Some(g.value()))),
            Some('{') => self.map(from),
            Some('"') => self.string(from, 0),
            Some('r') if self.rest().starts_with("r\"") || self.rest().starts_with("r#") => {
                self.raw_string(from)
            }
            Some('\'') => self.char(from),
            Some(c) if c.is_ascii_digit() || "+-.".contains(c) => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.word(),
            Some(c) if CURLY.contains(c) => self.curly(c),
            _ => {
                let what = format!("expected a value, found {}", self.found());
                self.slip(self.here(), what, "");
                // The enclosing piece may still need a comma or a bracket.
                if !matches!(self.peek(), None | Some(',' | ')' | ']' | '}')) {
                    self.skip_odd();
                }
                ValueShape::Broken
            }
        };
        Piece {
            at: ByteRange { from, to: self.at },
            shape,
        }
    }

    /// `(…)`: fields if it starts with a name and a colon.
    fn group(&mut self, from: usize) -> ValueShape {
        let mark = self.at;
        self.at += 1;
        self.blanks();
        let name = self.name();
        self.blanks();
        // A name followed by a value is a field without its colon.
        let fields = name.is_some() && matches!(self.peek(), Some(':' | '=' | '"' | '[' | '{'));
        let quoted = self.quoted_field().is_some();
        self.at = mark;
        if fields || quoted {
            ValueShape::Fields(self.items(from, ')', Self::field))
        } else {
            ValueShape::Tuple(self.items(from, ')', |g| Some(g.value())))
        }
    }

    /// `{…}`: keys and values. A list in the wrong brackets is reported once.
    fn map(&mut self, from: usize) -> ValueShape {
        let before = self.slips.len();
        let entries = self.items(from, '}', Self::entry);
        let is_list = entries.is_empty() && self.slips.len() > before && !self.lost;
        let lacks_value = |slip: &SyntaxError| slip.help == NO_VALUE;
        if is_list && self.slips[before..].iter().all(lacks_value) {
            self.slips.truncate(before);
            let place = ByteRange { from, to: from + 1 };
            let help = "write a list with `[` and `]`";
            self.slip(place, "`{…}` has keys and values, `key: value`", help);
            return ValueShape::Broken;
        }
        ValueShape::Map(entries)
    }

    /// The items between an opening bracket, which is next, and `close`.
    fn items<T>(
        &mut self,
        from: usize,
        close: char,
        item: impl Fn(&mut Self) -> Option<T>,
    ) -> Vec<T> {
        let opening = ByteRange { from, to: from + 1 };
        let bracket = &self.text[self.at..=self.at];
        let unclosed = format!("this `{bracket}` is never closed");
        let help = format!("put `{close}` where it ends");
        self.at += 1;
        self.open.push(close);
        let mut items = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                _ if self.lost => break,
                None => {
                    // If the outermost bracket lacks its end, another may have taken it.
                    let first = self.slips.iter().find(|slip| slip.at.from > from);
                    if self.open.len() == 1
                        && let Some(slip) = first
                    {
                        self.unmatched = Some((slip.at.from, OPENERS));
                    }
                    self.never_closed(opening, unclosed, help);
                    break;
                }
                Some(c) if c == close => {
                    self.at += 1;
                    break;
                }
                Some(c @ (')' | ']' | '}')) => {
                    self.unmatched = Some((self.at, CLOSERS));
                    if self.open.contains(&c) {
                        self.never_closed(opening, unclosed, help);
                    } else {
                        let what = format!("this `{c}` closes nothing");
                        self.lose(self.here(), what, "leave it out");
                    }
                    break;
                }
                Some(',') => {
                    let what = "expected a value, found `,`";
                    self.slip(self.here(), what, "leave one comma out");
                    self.at += 1;
                    continue;
                }
                Some(_) => items.extend(item(self)),
            }
            let end = self.at;
            self.blanks();
            match self.peek() {
                _ if self.lost => break,
                Some(',') => self.at += 1,
                None | Some(')' | ']' | '}') => {}
                Some(';') => {
                    self.slip(self.here(), "expected `,`, found `;`", "write `,`");
                    self.at += 1;
                }
                Some(':') => {
                    let help = "put the text in double quotes, or `(name: value)` in brackets";
                    self.slip(self.here(), "expected `,`, found `:`", help);
                    self.at += 1;
                    self.blanks();
                    if !matches!(self.peek(), None | Some(',' | ')' | ']' | '}')) {
                        self.value();
                    }
                    self.blanks();
                    if self.peek() == Some(',') {
                        self.at += 1;
                    }
                }
                Some(_) => self.slip(ByteRange::before(end), "a comma is missing here", ""),
            }
        }
        self.open.pop();
        items
    }

    fn field(&mut self) -> Option<TreeField> {
        let from = self.at;
        let quoted = self.quoted_field();
        if let Some([open, _]) = quoted {
            let place = ByteRange { from, to: from + 1 };
            self.slip(place, "the name of a field is written without quotes", "");
            self.at += open;
        }
        let Some(name) = self.name() else {
            let (found, place) = (self.found(), self.here());
            self.slip(place, format!("expected `name: value`, found {found}"), "");
            let reported = self.slips.len();
            self.value();
            // Do not also report that the item is not a value.
            let later = self.slips.split_off(reported.min(self.slips.len()));
            let other = later.into_iter().filter(|slip| slip.at != place);
            self.slips.extend(other);
            return None;
        };
        let at = ByteRange { from, to: self.at };
        if let Some([_, close]) = quoted {
            self.at += close;
        }
        self.colon(&name, at)?;
        let value = self.value();
        Some(TreeField { name, at, value })
    }

    fn entry(&mut self) -> Option<(Piece, Piece)> {
        let key = self.value();
        let key_text = self.text[key.at.from..key.at.to].to_string();
        self.colon(&key_text, key.at)?;
        let value = self.value();
        Some((key, value))
    }

    /// The colon after a name or a key. `None` if the value is missing as well.
    fn colon(&mut self, after: &str, at: ByteRange) -> Option<()> {
        self.blanks();
        match self.peek() {
            Some(':') => self.at += 1,
            Some('=') => {
                let what = format!("expected `:` after `{after}`, found `=`");
                self.slip(self.here(), what, "");
                self.at += 1;
            }
            None | Some(',' | ')' | ']' | '}') => {
                if !self.lost {
                    self.slip(at, format!("`{after}` has no value"), NO_VALUE);
                }
                return None;
            }
            Some(_) => {
                let place = ByteRange::before(at.to);
                self.slip(place, format!("a colon is missing after `{after}`"), "");
            }
        }
        self.blanks();
        Some(())
    }

    /// The lengths of the two quotes of `"name":`, a common mistake of people who
    /// know JSON. The quotes may be curly.
    fn quoted_field(&self) -> Option<[usize; 2]> {
        let is_quote = |c: &char| *c == '"' || CURLY.contains(*c);
        let open = self.peek().filter(is_quote)?.len_utf8();
        let rest = &self.rest()[open..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let close = rest[end..].chars().next().filter(is_quote)?.len_utf8();
        let first = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let after = rest[end + close..].trim_start();
        (first && after.starts_with(':')).then_some([open, close])
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let end = end.unwrap_or(rest.len());
        let name = rest[..end].to_string();
        self.at += end;
        Some(name)
    }

    fn word(&mut self) -> ValueShape {
        let name = self.name().unwrap_or_default();
        let end = self.at;
        self.blanks();
        if self.peek() != Some('(') {
            self.at = end;
            if name == "Some" {
                let place = ByteRange::new(end - name.len(), end);
                self.slip(place, "`Some` has no value", "write the value alone");
                return ValueShape::Broken;
            }
            return ValueShape::Word(name, None);
        }
        let from = self.at;
        let shape = self.group(from);
        let group = Piece {
            at: ByteRange { from, to: self.at },
            shape,
        };
        ValueShape::Word(name, Some(Box::new(group)))
    }

    fn number(&mut self) -> ValueShape {
        let rest = self.rest();
        let odd = |c: char| !c.is_ascii_alphanumeric() && !"+-._".contains(c);
        let digits = rest[..rest.find(odd).unwrap_or(rest.len())].to_string();
        let place = ByteRange::new(self.at, self.at + digits.len());
        self.at = place.to;
        let whole = ron::from_str::<i64>(&digits).is_ok();
        if whole || ron::from_str::<f64>(&digits).is_ok_and(f64::is_finite) {
            return ValueShape::Number(digits);
        }
        let what = format!("`{digits}` is no number that can be read");
        self.slip(place, what, "");
        ValueShape::Broken
    }

    fn string(&mut self, from: usize, hashes: usize) -> ValueShape {
        let start = self.at + 1;
        let raw = from != self.at;
        let closing = format!("\"{}", "#".repeat(hashes));
        let mut escaped = false;
        for (at, c) in self.text[start..].char_indices() {
            let at = start + at;
            if escaped {
                escaped = false;
            } else if c == '\\' && !raw {
                escaped = true;
            } else if self.text[at..].starts_with(&closing) {
                self.at = at + closing.len();
                if self.ran_into_another(start, at) {
                    break;
                }
                return self.literal(from, ValueShape::Text);
            }
        }
        let line = self.text[start..].lines().next().unwrap_or_default();
        let help = match line.contains(CURLY_ENDS) {
            true => "it ends in a curly quote: write `\"`",
            false => "put `\"` at its end",
        };
        let opening = ByteRange { from, to: from + 1 };
        self.never_closed(opening, "this string is never closed".into(), help.into());
        ValueShape::Broken
    }

    /// Whether a string has swallowed everything up to the opening quote of the next
    /// one: what follows makes no sense, or its quotes do not match. Never true for
    /// valid RON.
    fn ran_into_another(&self, start: usize, end: usize) -> bool {
        if self.is_ron {
            return false;
        }
        let rest = self.rest();
        let is_sound = |c: char| ",;)]}:/".contains(c);
        let mut line = rest.chars().take(FAR).take_while(|c| *c != '\n');
        let next = rest.chars().next();
        let touches = next.is_some_and(|c| !c.is_whitespace() && !is_sound(c) && c != '"');
        let is_long = self.text[start..end].contains('\n');
        let mut quotes = 0;
        while let Some(c) = line.next() {
            match c {
                '\\' => drop(line.next()),
                '"' => quotes += 1,
                _ => {}
            }
        }
        let after = rest.trim_start();
        let unsound = !after.is_empty() && !after.starts_with(is_sound);
        touches || (is_long && (unsound || quotes % 2 == 1))
    }

    /// A text in curly quotes: reports it once and skips to its likely end.
    fn curly(&mut self, quote: char) -> ValueShape {
        let help = "text stands in plain quotes: `\"like this\"`";
        let what = format!("expected a value, found the curly quote `{quote}`");
        self.slip(self.here(), what, help);
        let rest = &self.rest()[quote.len_utf8()..];
        let line = rest.char_indices().take(FAR);
        let mut line = line.take_while(|(_, c)| *c != '\n');
        let ends = |(at, c): &(usize, char)| {
            let after = rest[at + c.len_utf8()..].trim_start_matches([' ', '\t']);
            let ends = after.is_empty() || after.starts_with(|c| ",)]}:/\r\n".contains(c));
            ends && (*c == '"' || CURLY.contains(*c))
        };
        match line.find(ends) {
            Some((at, c)) => self.at += quote.len_utf8() + at + c.len_utf8(),
            None => self.skip_odd(),
        }
        ValueShape::Broken
    }

    fn raw_string(&mut self, from: usize) -> ValueShape {
        let hashes = self.rest()[1..].len() - self.rest()[1..].trim_start_matches('#').len();
        self.at += 1 + hashes;
        if self.peek() == Some('"') {
            return self.string(from, hashes);
        }
        let place = ByteRange { from, to: self.at };
        self.slip(place, "expected `\"` after `r#`", "");
        ValueShape::Broken
    }

    fn char(&mut self, from: usize) -> ValueShape {
        let rest = &self.text[from + 1..];
        let body = match rest.strip_prefix('\\') {
            // The first character after a backslash never closes the literal.
            Some(more) => {
                let first = more.chars().next().map_or(0, char::len_utf8);
                1 + first + more[first..].find('\'').unwrap_or(more.len() - first)
            }
            None => rest.chars().next().map_or(0, char::len_utf8),
        };
        if body <= 12 && rest[body..].starts_with('\'') {
            self.at = from + body + 2;
            return self.literal(from, ValueShape::Char);
        }
        // Continue after the intended closing quote, if there is one.
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at = from + 1 + line.find('\'').map_or(0, |at| at + 1);
        let is_key = self.rest().trim_start().starts_with(':');
        let help = match is_key {
            true => "a legend has an entry for each character; other text stands in double quotes",
            false => "text stands in double quotes",
        };
        let what = "single quotes hold one character, such as '#'";
        self.slip(ByteRange { from, to: from + 1 }, what, help);
        ValueShape::Broken
    }

    /// Lets `ron` parse the literal between `from` and the current position.
    fn literal<T: serde::de::DeserializeOwned>(
        &mut self,
        from: usize,
        shape: impl Fn(T) -> ValueShape,
    ) -> ValueShape {
        match ron::from_str::<T>(&self.text[from..self.at]) {
            Ok(value) => shape(value),
            Err(error) => {
                let mut place = ByteRange { from, to: self.at };
                let mut help = "";
                if let ron::Error::InvalidEscape(_) = error.code {
                    help = "write `\\\\` for a backslash";
                    let text = &self.text[from..self.at];
                    let end = byte_of(text, error.span.end.line, error.span.end.col);
                    if let Some(backslash) = text[..end].rfind('\\') {
                        place = ByteRange::new(from + backslash, from + end);
                    }
                }
                self.slip(place, format!("this cannot be read: {}", error.code), help);
                ValueShape::Broken
            }
        }
    }

    /// Skips white space and comments.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let white = rest.len() - rest.trim_start().len();
            if white > 0 {
                self.at += white;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.block_comment();
            } else {
                break;
            }
        }
    }

    fn block_comment(&mut self) {
        let from = self.at;
        let mut depth = 0;
        while !self.rest().is_empty() {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.at += self.peek().map_or(1, char::len_utf8);
            }
        }
        let place = ByteRange { from, to: from + 2 };
        self.lose(place, "this comment is never closed", "put `*/` at its end");
    }

    /// Skips nonsense up to something that may make sense.
    fn skip_odd(&mut self) {
        let rest = self.rest();
        let stop = |c: char| c.is_whitespace() || ",)]}\"'".contains(c);
        let first = rest.chars().next().map_or(0, char::len_utf8);
        self.at += first + rest[first..].find(stop).unwrap_or(rest.len() - first);
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn here(&self) -> ByteRange {
        ByteRange::before(self.at)
    }

    fn found(&self) -> String {
        match self.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end of the file".to_string(),
        }
    }

    /// Records an error after which parsing continues.
    fn slip(&mut self, at: ByteRange, what: impl Into<String>, help: impl Into<String>) {
        if self.lost {
            return;
        }
        if self.slips.len() >= SLIPS {
            self.too_many += 1;
            self.lost = self.too_many > FAR;
            return;
        }
        self.slips.push(SyntaxError {
            at,
            what: what.into(),
            help: help.into(),
        });
    }

    /// Reports an opening that is never closed, instead of the errors after it, which
    /// are its consequences.
    fn never_closed(&mut self, opening: ByteRange, what: String, help: String) {
        if !self.lost {
            self.slips.retain(|slip| slip.at.from < opening.from);
            self.lose(opening, what, help);
        }
    }

    /// Records an error after which nothing can be trusted.
    fn lose(&mut self, at: ByteRange, what: impl Into<String>, help: impl Into<String>) {
        self.slip(at, what, help);
        self.lost = true;
    }
}
