//! `fivefoot check`

use super::{CheckArgs, Failure, Outcome, problems::Sources, say};
use fivefoot_core::{
    content,
    control::{FileKind, positions, scenario},
    levels::{self, pack},
    ron_read::{self, Problem},
    words::count,
};
use std::path::{Path, PathBuf};

pub fn run(args: &CheckArgs) -> Outcome {
    let (files, missing) = ron_files(&args.paths);
    missing.iter().for_each(say);
    let (mut errors, mut warnings) = (missing.len(), 0);
    for path in &files {
        let (sources, (wrong, odd)) = if pack::is_pack(path) {
            let (sources, pack) = Sources::of_pack(path);
            (sources, split(pack))
        } else {
            let name = path.display().to_string();
            match ron_read::file_text(path) {
                Ok(text) => (Sources::of(&name, &text), check(&name, &text)),
                Err(problem) => (Sources::default(), (vec![problem], vec![])),
            }
        };
        errors += wrong.len();
        warnings += odd.len();
        sources.report(&wrong, odd);
    }
    let files = count(files.len() + missing.len(), "file");
    let warned = match warnings {
        0 => String::new(),
        n => format!(", {}", count(n, "warning")),
    };
    if errors > 0 {
        return Err(Failure::new(format!(
            "{} in {files}{warned}",
            count(errors, "error")
        )));
    }
    if args.strict && warnings > 0 {
        return Err(Failure::new(format!("{files}{warned} (--strict)")));
    }
    say(format!("{files}, no errors{warned}"));
    Ok(())
}

/// The errors and hints of what was read.
fn split<T>(read: ron_read::Outcome<T>) -> (Vec<Problem>, Vec<Problem>) {
    match read {
        Ok((_, hints)) => (vec![], hints),
        Err(errors) => (errors, vec![]),
    }
}

/// The errors and hints of one file, whatever it is: its fields tell.
fn check(name: &str, text: &str) -> (Vec<Problem>, Vec<Problem>) {
    // What is none of the game's is taken for a level.
    match FileKind::of(text).unwrap_or(FileKind::Level) {
        FileKind::Content => split(content::check_file(
            name,
            text,
            content::Content::built_in(),
        )),
        FileKind::Codex => split(content::codex::Codex::built_in().check_file(name, text)),
        FileKind::Tables(tables) => (Vec::from_iter((tables.check)(name, text)), vec![]),
        FileKind::Scenario => match scenario::check_file(name, text) {
            Ok((scenario, hints)) => (scenario.open_end().into_iter().collect(), hints),
            Err(errors) => (errors, vec![]),
        },
        FileKind::Position => match positions::check_file(name, text) {
            Ok((position, hints)) => (position.illegal(), hints),
            Err(errors) => (errors, vec![]),
        },
        FileKind::Recording => {
            let what = "this is a recording";
            let help = FileKind::Recording.remedy(name);
            (vec![problem(Path::new(name), what, &help)], vec![])
        }
        FileKind::Level => split(levels::check_file(name, text)),
    }
}

/// The files and packs named, and all `.ron` files and packs in the folders named, in
/// order; and what cannot be read.
pub fn ron_files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Problem>) {
    let (mut found, mut missing) = (vec![], vec![]);
    for path in paths {
        if pack::is_pack(path) {
            found.push(path.clone());
        } else if path.is_dir() {
            let (before, wrong) = (found.len(), missing.len());
            collect(path, &mut found, &mut missing);
            found[before..].sort();
            if found.len() == before && missing.len() == wrong {
                missing.push(problem(path, "contains no .ron files", ""));
            }
        } else if path.exists() {
            found.push(path.clone());
        } else {
            missing.push(problem(path, "there is no such file", ""));
        }
    }
    (found, missing)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>, missing: &mut Vec<Problem>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) => {
            missing.push(problem(folder, &format!("cannot be read: {e}"), ""));
            return;
        }
    };
    for entry in entries {
        let (path, kind) = match entry.and_then(|e| Ok((e.path(), e.file_type()?))) {
            Ok(entry) => entry,
            Err(e) => {
                missing.push(problem(folder, &format!("cannot be read: {e}"), ""));
                continue;
            }
        };
        // A link to a folder may lead round in a ring, and a pipe never ends.
        let is_ron = path.extension().is_some_and(|e| e == "ron");
        if pack::is_pack(&path) {
            found.push(path);
        } else if kind.is_dir() {
            collect(&path, found, missing);
        } else if is_ron && (path.is_file() || !path.exists()) {
            found.push(path);
        } else if is_ron {
            missing.push(problem(&path, "is not a file", ""));
        }
    }
}

fn problem(path: &Path, what: &str, help: &str) -> Problem {
    Problem {
        file: path.display().to_string(),
        line: 1,
        col: 1,
        what: what.into(),
        help: help.into(),
    }
}
