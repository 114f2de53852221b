//! `fivefoot check`

use super::{CheckArgs, Failure, Outcome, battles, say};
use crate::{
    content,
    control::scenario,
    levels,
    ron_read::{self, Problem},
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

/// What the outermost fields tell of. A scenario has some that nothing else
/// has, however it spells the others; anything unknown is taken for a level.
fn kind(text: &str) -> Kind {
    let fields = ron_read::top_fields(text);
    let has = |names: &[&str]| fields.iter().any(|field| names.contains(&field.as_str()));
    match () {
        _ if has(&["proves", "shows", "dice", "orders", "expect"]) => Kind::Scenario,
        _ if has(&["title", "map", "sides", "combatants"]) => Kind::Level,
        _ if has(&["creatures", "weapons", "armour", "spells"]) => Kind::Content,
        _ if has(&["phased"]) => Kind::Phased,
        _ if has(&["activity_tables"]) => Kind::ActivityTables,
        _ if has(&["speed_tables"]) => Kind::SpeedTables,
        _ if has(&["codex"]) => Kind::Codex,
        _ => Kind::Level,
    }
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
