//! The repository's files, for tests that check all of them, and random changes to their texts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;

/// All files in a folder and its subfolders with an extension: their paths from the repository's
/// root, and their texts.
pub fn beneath(folder: &str, ending: &str) -> Vec<(String, String)> {
    let root = super::root();
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

/// The text of a file, by its path from the repository's root.
///
/// # Panics
/// If the file cannot be read.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(super::root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The RON examples of a Markdown page: the line number where each begins, and its text.
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

/// Snippets with a meaning in the game's files, to insert into texts.
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

/// Asserts that `read` never panics on a text that is cut off at many places or has small changes.
pub fn assert_no_panic(file: &str, text: &str, read: impl Fn(&str)) {
    let attempt = |text: &str| {
        let read = catch_unwind(AssertUnwindSafe(|| read(text)));
        assert!(read.is_ok(), "{file} as changed:\n{text}");
    };
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for at in places
        .iter()
        .step_by(places.len() / crate::sample(40, 150) + 1)
    {
        attempt(&text[..*at]);
    }
    let mut dice = 0x9E37_79B9_7F4A_7C15_u64;
    let mut roll = |most: usize| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice % most as u64) as usize
    };
    for _ in 0..crate::sample(80, 300) {
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

/// The texts of files to change, read once.
pub type Files = OnceLock<Vec<String>>;

/// One of the files with changes chosen by `bytes`: the first two select the file, and every six
/// after that make one change.
pub fn changed(bytes: &[u8], (folders, ending): (&[&str], &str), files: &'static Files) -> String {
    let files = files.get_or_init(|| {
        let all = folders.iter().flat_map(|folder| beneath(folder, ending));
        all.map(|(_, text)| text).collect()
    });
    let number = |at: usize| bytes.get(at).copied().map_or(0, usize::from);
    let mut text = files[(number(0) * 256 + number(1)) % files.len()].clone();
    for edit in bytes.get(2..).unwrap_or_default().chunks_exact(6) {
        let word = |at: usize| usize::from(edit[at]) * 256 + usize::from(edit[at + 1]);
        let whole = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let from = whole(word(0) % (text.len() + 1));
        let to = whole(from + usize::from(edit[2] % 64));
        match edit[3] % 5 {
            0 => text.replace_range(from..to, ""),
            1 => text.insert_str(from, BITS[word(4) % BITS.len()]),
            2 => text.replace_range(from..to, BITS[word(4) % BITS.len()]),
            3 => {
                let other = whole(word(4) % (text.len() + 1));
                let part = text[from..to].to_owned();
                text.insert_str(other, &part);
            }
            // Replace a digit, the most common mistake that still parses.
            _ => {
                let digit = text[from..].find(|c: char| c.is_ascii_digit());
                if let Some(at) = digit.map(|n| from + n) {
                    let other = char::from(b'0' + edit[4] % 10).to_string();
                    text.replace_range(at..=at, &other);
                }
            }
        }
    }
    text
}
