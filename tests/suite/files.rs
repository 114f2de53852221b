//! Files of the repository, for tests that go through all of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The files beneath a folder with an ending, by their path from the
/// repository's root, and their texts.
pub fn beneath(folder: &str, ending: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    let relative = |f: &PathBuf| f.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    found
        .iter()
        .map(|f| (relative(f), std::fs::read_to_string(f).unwrap()))
        .collect()
}

/// The RON examples of a page: the line where each begins, and its text.
pub fn code_blocks(page: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (n, line) in page.lines().enumerate() {
        match &mut open {
            None if line.trim() == "```ron" => open = Some((n + 2, String::new())),
            None => {}
            Some(_) if line.trim() == "```" => blocks.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    assert!(open.is_none(), "an example is never closed");
    blocks
}

/// What stands in files of the game at places where it matters.
pub const BITS: [&str; 37] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "//",
    "/*",
    "Some(",
    "None",
    "true",
    "-1",
    "0",
    "1",
    "255",
    "65536",
    "99999999999999999999",
    "1e308",
    "NaN",
    "\u{0}",
    "\u{202e}",
    "é",
    "😀",
    "\n",
    "#",
    "title",
    "map: [\"\"]",
    "=",
    "-",
    "9",
    "99999999999",
    "r#",
];

/// Reads a text cut short at many places, and with many small changes.
pub fn assert_no_panic(file: &str, text: &str, read: impl Fn(&str)) {
    let attempt = |text: &str| {
        let read = catch_unwind(AssertUnwindSafe(|| read(text)));
        assert!(read.is_ok(), "{file} as changed:\n{text}");
    };
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for at in places.iter().step_by(places.len() / 150 + 1) {
        attempt(&text[..*at]);
    }
    let mut dice = 0x9E37_79B9_7F4A_7C15_u64;
    let mut roll = |most: usize| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice % most as u64) as usize
    };
    for _ in 0..300 {
        let mut changed = text.to_string();
        for _ in 0..=roll(3) {
            let places: Vec<usize> = changed.char_indices().map(|(at, _)| at).collect();
            let from = places[roll(places.len())];
            let long = roll(6);
            let to = places
                .iter()
                .copied()
                .find(|p| *p >= from + long)
                .unwrap_or(from);
            changed.replace_range(from..to, BITS[roll(BITS.len())]);
        }
        attempt(&changed);
    }
}

/// Every type that the glossary names is there.
#[test]
fn the_glossary_names_what_is_there() {
    let pages = beneath("docs", "md");
    let page = pages.iter().find(|p| p.0.ends_with("glossary.md"));
    let (_, page) = page.expect("there is a glossary");
    let code: String = beneath("src", "rs").into_iter().map(|f| f.1).collect();
    let is_type = |word: &&str| {
        word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric)
    };
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_type).collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        let is_there = ["struct", "enum", "trait", "type"].iter().any(|kind| {
            let head = format!("{kind} {name}");
            let mut found = code.match_indices(&head);
            found.any(|(at, _)| !code[at + head.len()..].starts_with(char::is_alphanumeric))
        });
        assert!(is_there, "docs/glossary.md: there is no {name}");
    }
}
