//! Suggestions for unknown names: "did you mean …?"

use super::{Fix, Help};
use std::collections::HashSet;

/// Up to this many names are listed in full.
const LISTED: usize = 14;

/// Help text for a word that is not one of `known`: the most similar name, or else
/// the list of names.
pub fn suggestion<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    suggested(wrong, known).text
}

/// A [`suggestion`] with its fix: the most similar name.
pub fn suggested<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Help {
    let names: Vec<&str> = known.into_iter().collect();
    match similar(wrong, names.iter().copied()) {
        Some(name) => {
            let fix = Fix::Rename(name.to_owned());
            Help::fix(format!("did you mean `{name}`?"), fix)
        }
        None => self::known(names).into(),
    }
}

/// "known are `a`, `b`". Empty if there are no names.
pub fn known<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.into_iter().collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(*name));
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(LISTED);
    let shown = names.iter().take(LISTED).map(|n| format!("`{n}`"));
    let shown: Vec<String> = shown.collect();
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("known are {}{tail}", shown.join(", "))
}

/// Names longer than this many bytes were not written by people, and are not
/// compared.
const LONGEST: usize = 200;

/// The known name that is most similar to a wrong one. `None` if none is similar.
pub fn similar<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > LONGEST {
        return None;
    }
    let names: Vec<&str> = known.into_iter().collect();
    let names = || names.iter().filter(|n| n.len() <= LONGEST);
    let plain = |s: &str| s.to_lowercase().replace(['-', ' '], "_");
    let wrong = plain(wrong);
    let allowed = (wrong.chars().count() / 3).max(1);
    let scored = names().map(|n| (strsim::damerau_levenshtein(&wrong, &plain(n)), *n));
    let near = scored.filter(|(d, _)| *d <= allowed);
    let best = near.min_by_key(|(d, _)| *d);
    // One word may also contain the other: "archer" for "goblin_archer".
    let inside = || {
        let holds = |n: &&&str| {
            let n = plain(n);
            wrong.len() >= 4 && n.len() >= 3 && (n.contains(&wrong) || wrong.contains(&n))
        };
        names().find(holds).copied()
    };
    best.map(|(_, name)| name).or_else(inside)
}
