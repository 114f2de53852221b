//! `fivefoot check`

use super::{CheckArgs, Failure, Outcome, battles, say};
use crate::{
    content,
    control::scenario,
    levels,
    ron_read::Problem,
    rulesets::{activity, speed},
};
use std::path::{Path, PathBuf};

pub fn run(args: &CheckArgs) -> Outcome {
    let mut wrong = 0;
    let files = ron_files(&args.paths)?;
    for path in &files {
        let name = path.display().to_string();
        let text = battles::read(path)?;
        let (errors, hints) = check(&name, &text);
        wrong += errors.len();
        errors.iter().for_each(say);
        hints.iter().for_each(|p| say(format!("{p} (a hint)")));
    }
    if wrong > 0 {
        let files = files.len();
        return Err(Failure::new(format!("{wrong} errors in {files} files")));
    }
    say(format!("{} files, no errors", files.len()));
    Ok(())
}

/// The errors and hints of one file, whatever it is: its fields tell.
fn check(name: &str, text: &str) -> (Vec<Problem>, Vec<Problem>) {
    fn split<T>(read: crate::ron_read::Outcome<T>) -> (Vec<Problem>, Vec<Problem>) {
        match read {
            Ok((_, hints)) => (vec![], hints),
            Err(errors) => (errors, vec![]),
        }
    }
    match kind(text) {
        Kind::Content => split(content::check_file(
            name,
            text,
            content::Content::built_in(),
        )),
        Kind::Codex => split(content::codex::check_file(name, text)),
        Kind::Phased => (
            content::phased::tables::check_file(name, text)
                .err()
                .unwrap_or_default(),
            vec![],
        ),
        Kind::Scenario => split(scenario::check_file(name, text)),
        Kind::SpeedTables => (
            speed::tables::read(name, text).err().into_iter().collect(),
            vec![],
        ),
        Kind::ActivityTables => (
            activity::tables::read(name, text)
                .err()
                .into_iter()
                .collect(),
            vec![],
        ),
        Kind::Level => split(levels::check_file(name, text)),
    }
}

enum Kind {
    Level,
    Content,
    Scenario,
    Codex,
    Phased,
    SpeedTables,
    ActivityTables,
}

/// A scenario proves something, content lists kinds; anything else is taken
/// for a level.
fn kind(text: &str) -> Kind {
    let code = text
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.starts_with("//"));
    for line in code {
        let field = line.trim_start_matches(['(', ' ']);
        let is = |name: &str| {
            field
                .strip_prefix(name)
                .is_some_and(|r| r.trim_start().starts_with(':'))
        };
        if ["creatures", "weapons", "armour", "spells"]
            .into_iter()
            .any(is)
        {
            return Kind::Content;
        }
        if is("proves") {
            return Kind::Scenario;
        }
        if is("phased") {
            return Kind::Phased;
        }
        if is("activity_tables") {
            return Kind::ActivityTables;
        }
        if is("speed_tables") {
            return Kind::SpeedTables;
        }
        if is("codex") {
            return Kind::Codex;
        }
        if ["title", "map", "sides"].into_iter().any(is) {
            return Kind::Level;
        }
    }
    Kind::Level
}

/// The files named, and all `.ron` files in the folders named, in order.
pub fn ron_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut out = vec![];
    for path in paths {
        if path.is_dir() {
            let before = out.len();
            collect(path, &mut out)?;
            out[before..].sort();
            if out.len() == before {
                return Err(Failure::new(format!(
                    "{}: no .ron files in it",
                    path.display()
                )));
            }
        } else if path.exists() {
            out.push(path.clone());
        } else {
            return Err(Failure::new(format!(
                "{}: there is no such file",
                path.display()
            )));
        }
    }
    Ok(out)
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Outcome {
    let cannot =
        |e: std::io::Error| Failure::new(format!("{}: cannot be read: {e}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "ron") {
            out.push(path);
        }
    }
    Ok(())
}
