//! The codex: every rule of the game in a few sentences, for players who click a rule id or run
//! `fivefoot rules`.
//!
//! The texts are data: one file for the grid, one for each ruleset, defined by the ruleset:
//!
//! ```ron
//! (
//!     codex: {
//!         "SK-17": (title: "Total defense", text: "An Instant: …"),
//!     },
//! )
//! ```

use crate::ron_read::{self, ByteRange, Outcome, Piece, Reader};
use crate::words::unwrapped;

/// The text of one rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleEntry {
    /// The rule id: "SK-17".
    pub id: String,
    /// A short title: "Total defense".
    pub title: String,
    /// A few sentences without line breaks. They refer to other rules by ids, which all exist.
    pub text: String,
}

impl RuleEntry {
    /// Whether the entry contains all of these words.
    pub fn has_words(&self, words: &str) -> bool {
        let whole = format!("{} {} {}", self.id, self.title, self.text).to_lowercase();
        let words = words.to_lowercase();
        words.split_whitespace().all(|word| whole.contains(word))
    }
}

/// Rules in order: those of the grid first, then each ruleset's by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Codex {
    rules: Vec<RuleEntry>,
    /// The number of listed rules, which come first. The others are found only by id.
    listed: usize,
    /// The prefix of each rule book's ids, in the order of the books.
    books: Vec<&'static str>,
}

/// A rule book: the prefix of its ids, its file name and its text.
pub type RuleBook = (&'static str, (&'static str, &'static str));

/// The prefix of rule ids that a level defines.
pub const OF_LEVELS: &str = "LV";

/// The rules of the grid.
pub const GRID: RuleBook = ("GR", shipped!("assets/codex/grid.ron"));

/// The rules about opponents.
pub const OPPONENTS: RuleBook = ("OP", shipped!("assets/codex/opponents.ron"));

impl Codex {
    /// The rules of some books, in order. Those of the first `listed` books are listed.
    ///
    /// # Panics
    /// If a book has an error: only for books that ship with the game.
    pub fn of_books(books: impl IntoIterator<Item = RuleBook>, listed: usize) -> Self {
        let mut codex = Self::default();
        let books: Vec<RuleBook> = books.into_iter().collect();
        codex.books = books.iter().map(|book| book.0).collect();
        for (_, (file, text)) in books {
            let read = |r: &mut Reader, root: &Piece| Some(whole(&codex.pages(r, root)?));
            match ron_read::read(file, text, read) {
                Ok((more, _)) => codex.rules.extend(more),
                Err(problems) => panic!("{}", problems[0]),
            }
        }
        let mut codex = codex.sorted();
        let is_listed = |rule: &RuleEntry| codex.number(&rule.id).is_some_and(|n| n.0 < listed);
        codex.listed = codex.rules.partition_point(is_listed);
        codex
    }

    /// A rule by its id, ignoring case.
    pub fn rule(&self, id: &str) -> Option<&RuleEntry> {
        let id = id.trim();
        self.rules.iter().find(|r| r.id.eq_ignore_ascii_case(id))
    }

    /// All listed rules, in order.
    pub fn rules(&self) -> impl DoubleEndedIterator<Item = &RuleEntry> + ExactSizeIterator {
        self.rules[..self.listed].iter()
    }

    /// The rules that contain all of these words. First those whose id or title begins with them,
    /// then those with them in the title, then the others. Without words, all rules.
    pub fn search(&self, words: &str) -> Vec<&RuleEntry> {
        let whole = words.trim().to_lowercase();
        let words: Vec<&str> = whole.split_whitespace().collect();
        let rank = |rule: &RuleEntry| {
            let (id, title) = (rule.id.to_lowercase(), rule.title.to_lowercase());
            let has_all = |of: &str| words.iter().all(|word| of.contains(word));
            match () {
                _ if id.starts_with(&whole) || title.starts_with(&whole) => Some(0),
                _ if has_all(&title) => Some(1),
                _ if has_all(&format!("{id} {title} {}", rule.text.to_lowercase())) => Some(2),
                _ => None,
            }
        };
        let ranked = self.rules().filter_map(|r| Some((rank(r)?, r)));
        let mut found: Vec<_> = ranked.collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, rule)| rule).collect()
    }

    /// Splits a text at the rules that it mentions.
    pub fn parts<'c, 't>(&'c self, text: &'t str) -> Vec<TextPart<'c, 't>> {
        let (mut parts, mut done) = (vec![], 0);
        for (nth, name) in references(text) {
            let Some(rule) = self.rule(&name) else {
                continue;
            };
            let from = text.char_indices().nth(nth).map_or(0, |(at, _)| at);
            if from > done {
                parts.push(TextPart::Words(&text[done..from]));
            }
            parts.push(TextPart::Rule(rule));
            done = from + name.len();
        }
        if done < text.len() {
            parts.push(TextPart::Words(&text[done..]));
        }
        parts
    }

    /// The rules that a text mentions.
    pub fn rules_in(&self, text: &str) -> impl DoubleEndedIterator<Item = &RuleEntry> {
        let names = references(text).into_iter();
        names.filter_map(|(_, name)| self.rule(&name))
    }

    /// The rules whose text mentions this one.
    pub fn that_name(&self, id: &str) -> Vec<&RuleEntry> {
        let names = |r: &&RuleEntry| references(&r.text).iter().any(|(_, name)| name == id);
        self.rules().filter(names).collect()
    }
}

/// A part of a text: words, or a mentioned rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextPart<'c, 't> {
    Words(&'t str),
    Rule(&'c RuleEntry),
}

impl Codex {
    /// Reads one codex file. It can mention rules of other books, which must be in this codex. If
    /// it defines rules of a book, it must define all rules of that book that it mentions.
    pub fn check_file(&self, file: &str, text: &str) -> Outcome<Self> {
        ron_read::read(file, text, |r, root| {
            let pages = self.pages(r, root)?;
            self.check_references(r, &pages);
            let (rules, books) = (whole(&pages), self.books.clone());
            let listed = rules.len();
            let codex = Self {
                rules,
                listed,
                books,
            };
            Some(codex.sorted())
        })
    }

    /// Reads the codex of a level: rules of the book [`OF_LEVELS`], which can mention the game's
    /// rules.
    pub fn check_own(&self, file: &str, text: &str) -> Outcome<Vec<RuleEntry>> {
        ron_read::read(file, text, |r, root| self.own(r, root))
    }

    /// Reads the codex of a level from a part of its file.
    pub(crate) fn own(&self, r: &mut Reader, root: &Piece) -> Option<Vec<RuleEntry>> {
        let book = Self {
            books: vec![OF_LEVELS],
            ..self.clone()
        };
        let pages = book.pages(r, root)?;
        self.check_references(r, &pages);
        let mut rules = whole(&pages);
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        Some(rules)
    }

    fn pages<'p>(&self, r: &mut Reader, root: &'p Piece) -> Option<Vec<Page<'p>>> {
        let mut f = r.fields(root, "a codex")?;
        let codex = f.needed(r, "codex");
        f.finish(r);
        let codex = codex?;
        let entries = r.entries(codex)?;
        if entries.is_empty() {
            let what = "there is no rule in this codex";
            r.problem(codex.at, what, "add one, or delete it");
        }
        let mut pages: Vec<Page> = Vec::new();
        for (key, value) in entries {
            let id = self.rule_id(r, key);
            let Some(mut f) = r.fields(value, "a rule") else {
                continue;
            };
            let title = f.required(r, "title", Reader::filled_text);
            let at = f.needed(r, "text");
            let text = at.and_then(|piece| r.filled_text(piece));
            f.finish(r);
            let Some(id) = id else { continue };
            if pages.iter().any(|page| page.id == id) {
                r.problem(key.at, format!("`{id}` is here twice"), "keep one");
                continue;
            }
            pages.push(Page {
                id,
                title,
                text,
                at,
            });
        }
        Some(pages)
    }

    /// Reads the key of an entry: "SK-17", "GR-20a".
    fn rule_id(&self, r: &mut Reader, key: &Piece) -> Option<String> {
        let id = r.text(key)?;
        if self.number(&id).is_some() {
            return Some(id);
        }
        match has_shape(&id) {
            true => r.unknown(key.at, "a rule book", &id[..2], self.books.iter().copied()),
            false => {
                let help = "two capitals, a dash and two digits, as in `SK-07`";
                r.problem(key.at, format!("{id:?} cannot be a rule's id"), help);
            }
        }
        None
    }

    /// The sort key of an id: its book, then number and letter. `None` if it is not a valid id.
    fn number<'i>(&self, id: &'i str) -> Option<(usize, &'i str)> {
        let book = self.books.iter().position(|book| id.starts_with(book))?;
        has_shape(id).then(|| (book, &id[3..]))
    }

    /// Sorts the rules: grid first, then book by book.
    fn sorted(mut self) -> Self {
        let mut rules = std::mem::take(&mut self.rules);
        rules.sort_by(|a, b| self.number(&a.id).cmp(&self.number(&b.id)));
        Self { rules, ..self }
    }

    /// Reports every mentioned rule that does not exist.
    fn check_references(&self, r: &mut Reader, pages: &[Page]) {
        let books: Vec<&str> = pages.iter().map(|page| &page.id[..2]).collect();
        let rules = self.rules.iter();
        let others = rules.filter(|rule| !books.contains(&&rule.id[..2]));
        let own = pages.iter().map(|page| page.id.as_str());
        let known: Vec<&str> = own.chain(others.map(|rule| rule.id.as_str())).collect();
        for page in pages {
            let (Some(text), Some(piece)) = (&page.text, page.at) else {
                continue;
            };
            for (nth, name) in references(text) {
                if !known.contains(&name.as_str()) {
                    let ByteRange { from, .. } = r.char_of_text(piece, nth);
                    let at = ByteRange::new(from, from + name.len());
                    r.unknown(at, "a rule", &name, known.iter().copied());
                }
            }
        }
    }
}

/// An entry of the file. Parts that could not be read have been reported.
struct Page<'p> {
    id: String,
    title: Option<String>,
    text: Option<String>,
    /// The piece of the file with the text.
    at: Option<&'p Piece>,
}

/// Two capitals, a dash, two digits, and possibly a lower-case letter.
fn has_shape(id: &str) -> bool {
    let is = |nth: usize, kind: fn(&u8) -> bool| id.as_bytes().get(nth).is_some_and(kind);
    is(0, u8::is_ascii_uppercase)
        && is(1, u8::is_ascii_uppercase)
        && is(2, |b| *b == b'-')
        && is(3, u8::is_ascii_digit)
        && is(4, u8::is_ascii_digit)
        && (id.len() == 5 || id.len() == 6 && is(5, u8::is_ascii_lowercase))
}

/// The complete rules of these pages.
fn whole(pages: &[Page]) -> Vec<RuleEntry> {
    let whole = |page: &Page| {
        Some(RuleEntry {
            id: page.id.clone(),
            title: unwrapped(page.title.as_ref()?),
            text: unwrapped(page.text.as_ref()?),
        })
    };
    pages.iter().filter_map(whole).collect()
}

/// Everything in a text that looks like a rule id, with the index of its first character.
fn references(text: &str) -> Vec<(usize, String)> {
    let chars: Vec<char> = text.chars().collect();
    let begins = |at: usize| {
        let is = |nth: usize, kind: fn(&char) -> bool| chars.get(at + nth).is_some_and(kind);
        (at == 0 || !chars[at - 1].is_alphanumeric())
            && is(0, char::is_ascii_uppercase)
            && is(1, char::is_ascii_uppercase)
            && is(2, |c| *c == '-')
            && is(3, char::is_ascii_digit)
    };
    let name = |at: usize| {
        let tail = chars[at + 3..].iter();
        let tail = tail.take_while(|c| c.is_ascii_alphanumeric());
        chars[at..at + 3].iter().chain(tail).collect()
    };
    let starts = (0..chars.len()).filter(|at| begins(*at));
    starts.map(|at| (at, name(at))).collect()
}
