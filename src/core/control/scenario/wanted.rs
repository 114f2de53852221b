//! Lines that the log must have, or must not.

use super::Spot;
use crate::battle::{Event, Line, Names, log_lines};

/// A line of the log: the rule that it names, and its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub rule: &'static str,
    pub text: String,
}

/// A line as a scenario asks for it: `"SK-17: alice takes total defense"`.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub at: Spot,
    /// As it was written.
    pub text: String,
    /// The rule that it must name, if any.
    rule: Option<String>,
    /// What its words must hold, in plain letters.
    part: String,
    /// It must not be there, up to the next one that must.
    pub not: bool,
}

/// The lines of a battle's log.
pub(super) fn lines(events: &[Event], names: &Names) -> Vec<Said> {
    let said = |(event, line): (&Event, Line)| Said {
        rule: event.rule,
        text: line.text,
    };
    log_lines(events, names).into_iter().map(said).collect()
}

impl Wanted {
    pub fn new(at: Spot, text: &str, not: bool) -> Self {
        let named = text
            .split_once(':')
            .filter(|(rule, _)| is_rule(rule.trim()));
        let (rule, part) = match named {
            Some((rule, part)) => (Some(rule.trim().to_owned()), part),
            None => (None, text),
        };
        let (text, part) = (text.to_owned(), plain(part));
        Self {
            at,
            text,
            rule,
            part,
            not,
        }
    }

    pub fn is(&self, said: &Said) -> bool {
        self.rule.as_ref().is_none_or(|rule| *rule == said.rule) && self.has_words(said)
    }

    fn has_words(&self, said: &Said) -> bool {
        plain(&said.text).contains(&self.part)
    }
}

/// The first thing that is wrong with the order of lines: what, and a remark
/// that may help.
pub(super) fn compare<'w>(
    wanted: &'w [Wanted],
    log: &[Said],
) -> Option<(&'w Wanted, String, String)> {
    let mut from = 0;
    let mut barred: Vec<&Wanted> = vec![];
    let mut last: Option<&Wanted> = None;
    for line in wanted {
        if line.not {
            barred.push(line);
            continue;
        }
        let Some(n) = log[from..].iter().position(|said| line.is(said)) else {
            let after = last.map_or(String::new(), |l| format!(" after `{}`", l.text));
            let what = format!("the log has no line `{}`{after}", line.text);
            return Some((line, what, remark(line, log, from)));
        };
        if let Some(found) = intruder(&barred, &log[from..from + n]) {
            return Some(found);
        }
        barred.clear();
        from += n + 1;
        last = Some(line);
    }
    intruder(&barred, &log[from..])
}

/// A line that must not be where it is.
pub(super) fn intruder<'w>(
    barred: &[&'w Wanted],
    log: &[Said],
) -> Option<(&'w Wanted, String, String)> {
    barred.iter().find_map(|line| {
        let said = log.iter().find(|said| line.is(said))?;
        let what = format!("the log has `{}`, which must not be there", said.text);
        Some((*line, what, String::new()))
    })
}

fn remark(line: &Wanted, log: &[Said], from: usize) -> String {
    if log[..from].iter().any(|said| line.is(said)) {
        return String::from("it is there, but too early");
    }
    match log.iter().find(|said| line.has_words(said)) {
        Some(said) => format!("the line is there, but by {}", said.rule),
        None => String::new(),
    }
}

/// Whether a text is the id of a rule: `SK-17`, `GR-20a`.
fn is_rule(text: &str) -> bool {
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

/// Without what does not matter: capitals, double spaces, which minus it is.
fn plain(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.map(|w| w.to_lowercase().replace('−', "-"));
    words.collect::<Vec<_>>().join(" ")
}
