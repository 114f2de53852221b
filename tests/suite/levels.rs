//! Levels: the shipped ones, and every mistake that can be made in one.

use fivefoot::levels::check_file;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every level that ships, by its path from the repository's root.
fn shipped() -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["levels", "levels/bench"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        files.extend(entries.map(|e| e.unwrap().path()));
    }
    files.retain(|f| f.extension().is_some_and(|e| e == "ron"));
    files.sort();
    let relative = |f: &PathBuf| {
        f.strip_prefix(root())
            .unwrap()
            .to_string_lossy()
            .into_owned()
    };
    files
        .iter()
        .map(|f| (relative(f), std::fs::read_to_string(f).unwrap()))
        .collect()
}

#[test]
fn every_shipped_level_checks_clean() {
    let mut wrong = Vec::new();
    for (file, text) in shipped() {
        match check_file(&file, &text) {
            Ok((_, hints)) => wrong.extend(hints),
            Err(problems) => wrong.extend(problems),
        }
    }
    let lines: Vec<_> = wrong.iter().map(|p| p.to_string()).collect();
    assert!(wrong.is_empty(), "{}", lines.join("\n"));
}
