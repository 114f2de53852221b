//! Lines that the log must or must not have.

use super::FilePosition;
use crate::{
    battle::{Event, Line, Names, log_lines},
    words,
};

/// A line of the log: its rule and its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LogEntry {
    pub rule: &'static str,
    pub text: String,
}

/// A line that a scenario expects: `"SK-17: alice takes total defense"`.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub at: FilePosition,
    /// The text as written in the file.
    pub text: String,
    /// The rule that the line must have. `None` accepts any.
    rule: Option<String>,
    /// Texts that the line must contain, all of them, in normalized spelling.
    parts: Vec<String>,
    pub presence: Presence,
}

/// Whether a line must be in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    There,
    /// The line must not come before the next required line.
    Not,
    /// The line must not come before the next required line, and its absence counts as showing
    /// its rule.
    Absent,
}

/// The lines of a battle's log.
pub(super) fn lines(events: &[Event], names: &Names) -> Vec<LogEntry> {
    let entry = |(event, line): (&Event, Line)| LogEntry {
        rule: event.rule,
        text: line.text,
    };
    log_lines(events, names).into_iter().map(entry).collect()
}

impl Wanted {
    /// Texts that must all be in one line. The first may begin with a rule id and a colon, or
    /// be only a rule id.
    pub fn new(at: FilePosition, texts: &[String], presence: Presence) -> Self {
        let (first, more) = texts.split_first().map_or(("", texts), |(f, m)| (f, m));
        let (rule, part) = match first.split_once(':') {
            Some((rule, part)) if is_rule(rule.trim()) => (Some(rule.trim()), part),
            None if is_rule(first.trim()) => (Some(first.trim()), ""),
            _ => (None, first),
        };
        let parts = [part].into_iter().chain(more.iter().map(String::as_str));
        Self {
            at,
            text: texts.join("` … `"),
            rule: rule.map(str::to_owned),
            parts: parts.map(plain).collect(),
            presence,
        }
    }

    /// The rule that the line must have, if any.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    pub fn is(&self, entry: &LogEntry) -> bool {
        self.rule.as_ref().is_none_or(|rule| *rule == entry.rule) && self.has_words(entry)
    }

    fn has_words(&self, entry: &LogEntry) -> bool {
        let words = plain(&entry.text);
        self.parts.iter().all(|part| words.contains(part))
    }

    /// The line of the log that contains most but not all of the texts, and the first missing
    /// one. `None` if no line contains any.
    fn best_partial_match<'l>(&self, log: &'l [LogEntry]) -> Option<(&'l LogEntry, &str)> {
        let had = |entry: &LogEntry| {
            let words = plain(&entry.text);
            let parts = self.parts.iter().filter(|part| words.contains(*part));
            parts.count()
        };
        let nearest = log.iter().rev().max_by_key(|entry| had(entry))?;
        let words = plain(&nearest.text);
        let missing = self.parts.iter().find(|part| !words.contains(*part))?;
        (had(nearest) > 0).then_some((nearest, missing))
    }
}

/// The first problem with the order of lines: the line, the problem, and a hint that may be
/// empty.
pub(super) fn compare<'w>(
    wanted: &'w [Wanted],
    log: &[LogEntry],
) -> Option<(&'w Wanted, String, String)> {
    let mut from = 0;
    let mut forbidden: Vec<&Wanted> = vec![];
    let mut last: Option<&Wanted> = None;
    for line in wanted {
        if line.presence != Presence::There {
            forbidden.push(line);
            continue;
        }
        let Some(n) = log[from..].iter().position(|entry| line.is(entry)) else {
            let after = last.map_or(String::new(), |l| format!(" after `{}`", l.text));
            let what = format!("the log has no line `{}`{after}", line.text);
            return Some((line, what, hint(line, log, from)));
        };
        if let Some(found) = forbidden_line(&forbidden, &log[from..from + n]) {
            return Some(found);
        }
        forbidden.clear();
        from += n + 1;
        last = Some(line);
    }
    forbidden_line(&forbidden, &log[from..])
}

/// The first line that must not be in this part of the log.
pub(super) fn forbidden_line<'w>(
    forbidden: &[&'w Wanted],
    log: &[LogEntry],
) -> Option<(&'w Wanted, String, String)> {
    forbidden.iter().find_map(|line| {
        let entry = log.iter().find(|entry| line.is(entry))?;
        let what = format!("the log has `{}`, which must not be there", entry.text);
        Some((*line, what, String::new()))
    })
}

fn hint(line: &Wanted, log: &[LogEntry], from: usize) -> String {
    if log[..from].iter().any(|entry| line.is(entry)) {
        return String::from("it is there, but too early");
    }
    if let Some(entry) = log.iter().find(|entry| line.has_words(entry)) {
        return format!("the line is there, but by {}", entry.rule);
    }
    match line.best_partial_match(log) {
        Some((entry, part)) => format!("`{}` has no `{part}` in it", entry.text),
        None => String::new(),
    }
}

/// Whether a text is a rule id: `SK-17`, `GR-20a`.
pub(super) fn is_rule(text: &str) -> bool {
    let Some((book, number)) = text.split_once('-') else {
        return false;
    };
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    book.len() == 2
        && book.bytes().all(|b| b.is_ascii_uppercase())
        && digits.len() >= 2
        && number.len() <= digits.len() + 1
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The text in normalized spelling: lower case, single spaces, plain minus signs.
pub(super) fn plain(text: &str) -> String {
    words::plain(text).replace('−', "-")
}
