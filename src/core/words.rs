//! Text for people: safe to print in a terminal, with correct plurals and without overlong names.

use std::borrow::Cow;

/// The text with control characters and direction marks escaped, as `\u{202e}`. Line breaks and
/// tabs stay.
pub fn shown(text: &str) -> Cow<'_, str> {
    written_out(text, |c| is_unseen(c) && !matches!(c, '\n' | '\t'))
}

/// The text with every run of line breaks, indents and spaces as one space.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text in lower case with single spaces, to compare orders.
pub fn plain(text: &str) -> String {
    unwrapped(text).to_lowercase()
}

/// The text on one line: like [`shown`], but line breaks and tabs are escaped too.
pub fn shown_line(text: &str) -> Cow<'_, str> {
    written_out(text, is_unseen)
}

fn written_out(text: &str, is_odd: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !is_odd(c) => out.push(c),
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            c => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

/// JSON with such characters as JSON escapes, so that it stays valid.
pub fn shown_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_unseen) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unseen(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character controls a terminal, changes the text direction or is invisible.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// A number with its noun: "1 error", "3 errors".
pub fn count(n: usize, one: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{n} {one}s")
    }
}

/// "round 3"; "the surprise round" for 0.
pub fn round(n: u16) -> String {
    match n {
        0 => String::from("the surprise round"),
        n => format!("round {n}"),
    }
}

/// A list in a sentence: "ann", "ann and bob", "ann, bob and cid".
pub fn list(parts: impl IntoIterator<Item = String>, last: &str) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    match parts.pop() {
        None => String::new(),
        Some(end) if parts.is_empty() => end,
        Some(end) => format!("{} {last} {end}", parts.join(", ")),
    }
}

/// "goblin 2" as "Goblin 2".
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// "The party" as "the party", for use within a sentence.
pub fn in_sentence(name: &str) -> String {
    match name.strip_prefix("The ") {
        Some(rest) => format!("the {rest}"),
        None => name.to_owned(),
    }
}

/// "Shoot at goblin 1" as "shoot at goblin 1"; "HIGH" stays.
pub fn uncapitalised(words: &str) -> String {
    let mut chars = words.chars();
    let (first, rest) = (chars.next(), chars.as_str());
    match first {
        Some(first) if rest.starts_with(char::is_lowercase) => {
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => words.to_owned(),
    }
}

/// The possessive form: "Mara's", "the goblins'".
pub fn possessive(name: &str) -> String {
    match name.ends_with('s') {
        true => format!("{name}'"),
        false => format!("{name}'s"),
    }
}

/// The maximum length of a text or quoted name that a message shows uncut, in characters.
const LONGEST: usize = 80;

/// A message with its quoted parts, in backticks or double quotes, shortened in the middle if
/// they are too long.
pub fn with_short_names(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find(['`', '"']) {
        let mark = rest.as_bytes()[open] as char;
        let (before, quoted) = rest.split_at(open + 1);
        out.push_str(before);
        let end = quoted.find(mark).unwrap_or(quoted.len());
        out.push_str(&cut(&quoted[..end]));
        rest = &quoted[end..];
        if let Some(after) = rest.strip_prefix(mark) {
            out.push(mark);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A name, shortened in the middle if it is too long.
fn cut(name: &str) -> Cow<'_, str> {
    let Some((head, _)) = name.char_indices().nth(LONGEST - 20) else {
        return Cow::Borrowed(name);
    };
    let tail = name.char_indices().nth_back(9).map_or(head, |(at, _)| at);
    if name[head..].chars().nth(20).is_none() {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("{}…{}", &name[..head], &name[tail..]))
}

/// A number: `3`, `−2`.
pub fn numeral(n: i32) -> String {
    match n {
        0.. => n.to_string(),
        _ => signed(n),
    }
}

/// A text of at most `most` characters; a longer one is cut and ends with "…".
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// A number with its sign: `+3`, `−2`, `+0`.
pub fn signed(n: impl Into<i32>) -> String {
    let n = n.into();
    if n < 0 {
        format!("−{}", -n)
    } else {
        format!("+{n}")
    }
}

/// Text escaped for HTML.
pub fn escaped(text: &str) -> String {
    let text = shown(text);
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
