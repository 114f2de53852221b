//! The codex: every rule of the game in a few plain sentences, for the player
//! who clicks a rule's id or asks `fivefoot rules`.
//!
//! The texts are data, one file for the grid and one for each ruleset:
//!
//! ```ron
//! (
//!     codex: {
//!         "SK-17": (title: "Total defense", text: "An Instant: …"),
//!     },
//! )
//! ```

use crate::ron_read::{self, Outcome, Piece, Place, Reader};
use std::sync::LazyLock;

/// One rule in the game's own words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleEntry {
    /// The rule's name everywhere: "SK-17".
    pub id: String,
    /// In a few words: "Total defense".
    pub title: String,
    /// A few sentences without line breaks. Other rules stand in it by their
    /// ids, and all of them exist.
    pub text: String,
}

/// Rules in order: those of the grid first, then each ruleset's by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Codex {
    rules: Vec<RuleEntry>,
}

/// The files that are compiled in.
pub const BUILT_IN: [(&str, &str); 6] = [
    (
        "assets/codex/grid.ron",
        include_str!("../../assets/codex/grid.ron"),
    ),
    (
        "assets/codex/skirmish.ron",
        include_str!("../../assets/codex/skirmish.ron"),
    ),
    (
        "assets/codex/activity.ron",
        include_str!("../../assets/codex/activity.ron"),
    ),
    (
        "assets/codex/segments.ron",
        include_str!("../../assets/codex/segments.ron"),
    ),
    (
        "assets/codex/phased.ron",
        include_str!("../../assets/codex/phased.ron"),
    ),
    (
        "assets/codex/speed.ron",
        include_str!("../../assets/codex/speed.ron"),
    ),
];

/// With what the ids of a rule book begin, in the order of the books: the
/// grid, then Skirmish, Segments, Phased, Speed, Activity.
const BOOKS: [&str; 6] = ["GR", "SK", "SE", "PH", "SP", "AC"];

static CODEX: LazyLock<Codex> = LazyLock::new(|| {
    let mut codex = Codex::default();
    for (file, text) in BUILT_IN {
        let read = ron_read::read(file, text, |r, root| Some(made(&pages(r, root)?)));
        match read {
            Ok((more, _)) => codex.rules.extend(more.rules),
            // A broken build, which the tests would not let pass.
            Err(problems) => panic!("{}", problems[0]),
        }
    }
    codex.rules.sort_by(in_order);
    codex
});

impl Codex {
    /// What comes with the game, from `assets/codex`.
    pub fn built_in() -> &'static Self {
        &CODEX
    }

    /// A rule by its id; capitals do not matter.
    pub fn rule(&self, id: &str) -> Option<&RuleEntry> {
        let id = id.trim();
        self.rules.iter().find(|r| r.id.eq_ignore_ascii_case(id))
    }

    /// All rules in their order.
    pub fn rules(&self) -> impl DoubleEndedIterator<Item = &RuleEntry> + ExactSizeIterator {
        self.rules.iter()
    }

    /// The rules in which all of these words stand, those first whose id or
    /// title begins with them, then those that have them in the title. Without
    /// words, all.
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
        let ranked = self.rules.iter().filter_map(|r| Some((rank(r)?, r)));
        let mut found: Vec<_> = ranked.collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, rule)| rule).collect()
    }

    /// A text cut at the rules that it names.
    pub fn parts<'c, 't>(&'c self, text: &'t str) -> Vec<Part<'c, 't>> {
        let (mut parts, mut done) = (vec![], 0);
        for (nth, name) in references(text) {
            let Some(rule) = self.rule(&name) else {
                continue;
            };
            let from = text.char_indices().nth(nth).map_or(0, |(at, _)| at);
            if from > done {
                parts.push(Part::Words(&text[done..from]));
            }
            parts.push(Part::Rule(rule));
            done = from + name.len();
        }
        if done < text.len() {
            parts.push(Part::Words(&text[done..]));
        }
        parts
    }

    /// The rules that a text names.
    pub fn rules_in(&self, text: &str) -> impl DoubleEndedIterator<Item = &RuleEntry> {
        let names = references(text).into_iter();
        names.filter_map(|(_, name)| self.rule(&name))
    }

    /// The rules whose text names this one.
    pub fn that_name(&self, id: &str) -> Vec<&RuleEntry> {
        let names = |r: &&RuleEntry| references(&r.text).iter().any(|(_, name)| name == id);
        self.rules.iter().filter(names).collect()
    }
}

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'c, 't> {
    Words(&'t str),
    Rule(&'c RuleEntry),
}

/// Reads one codex file. It may name the rules of other books, which are those
/// of the game; of a book that it has rules of, it has to have all.
pub fn check_file(file: &str, text: &str) -> Outcome<Codex> {
    ron_read::read(file, text, |r, root| {
        let pages = pages(r, root)?;
        check_references(r, &pages);
        Some(made(&pages))
    })
}

/// An entry of the file. What could not be read of it has been reported.
struct Page<'p> {
    id: String,
    title: Option<String>,
    text: Option<String>,
    /// Where the text stands.
    at: Option<&'p Piece>,
}

fn pages<'p>(r: &mut Reader, root: &'p Piece) -> Option<Vec<Page<'p>>> {
    let mut f = r.fields(root, "a codex")?;
    let codex = f.needed(r, "codex");
    f.finish(r);
    let codex = codex?;
    let entries = r.entries(codex)?;
    if entries.is_empty() {
        r.problem(codex.at, "there is no rule in this codex", "");
    }
    let mut pages: Vec<Page> = Vec::new();
    for (key, value) in entries {
        let id = rule_id(r, key);
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

/// The key of an entry: "SK-17", "GR-20a".
fn rule_id(r: &mut Reader, key: &Piece) -> Option<String> {
    let id = r.text(key)?;
    if number(&id).is_some() {
        return Some(id);
    }
    match has_shape(&id) {
        true => r.unknown(key.at, "a rule book", &id[..2], BOOKS),
        false => {
            let help = "two capitals, a dash and two digits, as in `SK-07`";
            r.problem(key.at, format!("{id:?} cannot be a rule's id"), help);
        }
    }
    None
}

/// Two capitals, a dash, two digits, and perhaps a small letter.
fn has_shape(id: &str) -> bool {
    let is = |nth: usize, kind: fn(&u8) -> bool| id.as_bytes().get(nth).is_some_and(kind);
    is(0, u8::is_ascii_uppercase)
        && is(1, u8::is_ascii_uppercase)
        && is(2, |b| *b == b'-')
        && is(3, u8::is_ascii_digit)
        && is(4, u8::is_ascii_digit)
        && (id.len() == 5 || id.len() == 6 && is(5, u8::is_ascii_lowercase))
}

/// An id's place among all, by book, number and letter; none if it cannot be
/// an id.
fn number(id: &str) -> Option<(usize, &str)> {
    let book = BOOKS.iter().position(|book| id.starts_with(book))?;
    has_shape(id).then(|| (book, &id[3..]))
}

/// Grid first, then book by book.
fn in_order(a: &RuleEntry, b: &RuleEntry) -> std::cmp::Ordering {
    number(&a.id).cmp(&number(&b.id))
}

fn made(pages: &[Page]) -> Codex {
    let whole = |page: &Page| {
        Some(RuleEntry {
            id: page.id.clone(),
            title: one_line(page.title.as_ref()?),
            text: one_line(page.text.as_ref()?),
        })
    };
    let mut rules: Vec<RuleEntry> = pages.iter().filter_map(whole).collect();
    rules.sort_by(in_order);
    Codex { rules }
}

/// Line breaks and indents become single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reports every rule that a text names and that there is not.
fn check_references(r: &mut Reader, pages: &[Page]) {
    let books: Vec<&str> = pages.iter().map(|page| &page.id[..2]).collect();
    let other = |rule: &&RuleEntry| !books.contains(&&rule.id[..2]);
    let known: Vec<&str> = pages
        .iter()
        .map(|page| page.id.as_str())
        .chain(
            Codex::built_in()
                .rules()
                .filter(other)
                .map(|r| r.id.as_str()),
        )
        .collect();
    for page in pages {
        let (Some(text), Some(piece)) = (&page.text, page.at) else {
            continue;
        };
        for (nth, name) in references(text) {
            if !known.contains(&name.as_str()) {
                let Place { from, .. } = r.char_of_text(piece, nth);
                let at = Place {
                    from,
                    to: from + name.len(),
                };
                r.unknown(at, "a rule", &name, known.iter().copied());
            }
        }
    }
}

/// What looks like a rule's id in a text, each with the number of its first
/// character.
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
