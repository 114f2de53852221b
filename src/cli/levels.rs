//! `fivefoot levels`: lists the levels, and measures the built-in ones.

use super::{Failure, LevelsArgs, Outcome, progress, say, say_json, unwritten};
use fivefoot_core::{
    control::recording::checksum,
    files,
    home::Home,
    lab::measured::{self, Hardness, Known, Measured, OfLevel, by_difficulty},
    levels::{
        Level, built_in,
        own::{OwnLevel, OwnLevels},
    },
    rulesets,
    words::count,
};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::{io::ErrorKind, path::Path, sync::Arc};

pub fn run(args: &LevelsArgs) -> Outcome {
    if let Some(path) = &args.fit {
        return fit(args, path);
    }
    if let Some(folder) = args.levels.as_deref().filter(|folder| !folder.is_dir()) {
        let what = format!("there is no folder {}", folder.display());
        return Err(Failure::usage(what));
    }
    let kept = Home::find().levels();
    let own = OwnLevels::of(kept.into_iter().chain(args.levels.clone()));
    if args.json {
        by_difficulty()
            .iter()
            .for_each(|level| say_json(of(level, None)));
        own.all().iter().for_each(|own| say_json(of_own(own)));
    } else {
        tell(&own);
    }
    let broken = own.all().iter().filter(|own| own.found.is_err()).count();
    let broken = broken + own.problems().len();
    match broken {
        0 => Ok(()),
        n => Err(Failure::new(format!(
            "{} cannot be played",
            count(n, "level")
        ))),
    }
}

/// Measures the built-in levels that are missing in the file or have changed, and writes
/// the file after each.
fn fit(args: &LevelsArgs, path: &Path) -> Outcome {
    let pool = progress::threads(args.many.threads)?;
    let failed = |e: &dyn std::fmt::Display| Failure::new(format!("{}: {e}", path.display()));
    let mut known: Known = match files::read_text(path, files::LEVEL_BYTES) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| failed(&e))?,
        Err(e) if e.kind() == ErrorKind::NotFound => Known::default(),
        Err(e) => return Err(failed(&e)),
    };
    known.retain(|id, _| built_in().iter().any(|level| level.id == *id));
    for level in built_in() {
        if known.get(&level.id).is_some_and(|of| of.is_of(level)) {
            continue;
        }
        let found = pool.install(|| measured(args, level))?;
        known.insert(level.id.clone(), found);
        let text = serde_json::to_string_pretty(&known).map_err(|e| failed(&e))?;
        files::write(path, (text + "\n").as_bytes()).map_err(|e| unwritten(path, e))?;
    }
    Ok(())
}

/// Measures a level under every ruleset that it suits.
///
/// # Errors
/// If the program was interrupted: partial results are not used.
fn measured(args: &LevelsArgs, level: &Arc<Level>) -> Result<OfLevel, Failure> {
    let all = measured::rulesets_of(level).count() as u64;
    let bar = progress::bar(level.id.clone(), all * u64::from(args.battles));
    let under = |rules| {
        let seeds = (0..u64::from(args.battles)).into_par_iter();
        let seeds = seeds.take_any_while(|_| !progress::is_stopped());
        let fight = |n| {
            let fought = measured::fight(level, rules, args.many.seed.wrapping_add(n));
            bar.inc(1);
            fought
        };
        let fought: Vec<_> = seeds.map(fight).collect();
        progress::stopped().map(|()| (rules.id.to_owned(), Measured::of(&fought)))
    };
    let rules = measured::rulesets_of(level)
        .map(under)
        .collect::<Result<_, _>>();
    bar.finish_and_clear();
    Ok(OfLevel {
        checksum: checksum(&level.source),
        rules: rules?,
    })
}

fn tell(own: &OwnLevels) {
    by_difficulty()
        .iter()
        .for_each(|level| say_level(level, ""));
    for folder in own.folders() {
        say("");
        say(format!("your own, in {}:", folder.display()));
        let is_here = |own: &&OwnLevel| own.path.parent() == Some(folder);
        let mut here = own.all().iter().filter(is_here).peekable();
        if here.peek().is_none() {
            say("  none yet");
        }
        for own in here {
            match &own.found {
                Ok(pack) => say_level(&pack.level, &format!("   {}", own.file())),
                Err(problems) => {
                    say(format!(
                        "  {} has {}",
                        own.file(),
                        count(problems.len(), "error")
                    ));
                    problems.iter().for_each(|p| say(format!("    {p}")));
                }
            }
        }
    }
    own.problems().iter().for_each(say);
}

/// Prints a level on one line, and what it teaches on the next. Appends `more`.
fn say_level(level: &Level, more: &str) {
    let suited = rulesets::ALL.iter().filter(|rules| level.suits(rules.id));
    let suited: Vec<&str> = suited.map(|rules| rules.id).collect();
    let rules = match suited.len() == rulesets::ALL.len() {
        true => String::from("any rules"),
        false => suited.join(", "),
    };
    let head = format!("  {:<16}  {:<28}  {rules}", level.id, level.title);
    let head = match Hardness::of(level) {
        Some(hardness) => format!("{head}; {}", hardness.name().to_lowercase()),
        None => head,
    };
    match level.teaches.as_str() {
        "" => say(head + more),
        teaches => {
            say(head);
            say(format!("{:20}{teaches}{more}", ""));
        }
    }
}

fn of(level: &Level, path: Option<&Path>) -> Value {
    let mut made = json!({
        "what": "level",
        "id": level.id,
        "title": level.title,
        "rules": level.rules.map(|rules| rules.0),
        "suits": Vec::from_iter(level.suits.iter().map(|rules| rules.0)),
        "teaches": level.teaches,
        "difficulty": Hardness::of(level).map(Hardness::name),
        "measured": measured::of(level).map(|of| &of.rules),
        "file": path.map(|path| path.display().to_string()),
    });
    level.about.put_into(&mut made);
    made
}

fn of_own(own: &OwnLevel) -> Value {
    match &own.found {
        Ok(pack) => of(&pack.level, Some(&own.path)),
        Err(problems) => json!({
            "what": "level",
            "file": own.path.display().to_string(),
            "errors": Vec::from_iter(problems.iter().map(ToString::to_string)),
        }),
    }
}
