//! `fivefoot levels`: lists the levels.

use super::{Failure, Outcome, check_folder, say, say_json};
use clap::Args;
use fivefoot_core::{
    home::Home,
    lab::measured::{self, Hardness, by_difficulty},
    levels::{
        Level,
        own::{OwnLevel, OwnLevels},
    },
    rulesets,
    words::count,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// List the levels that come with the game, and your own.
///
/// Your own levels are level files, and packs: folders or zips with a `level.ron`.
/// They are in the folder `levels` of your data folder, whose path is printed, and in
/// DIR. Exit code 1 if one of them has an error. Those of the game are listed from easy to
/// hard under Skirmish, with how often the Easy AI wins them in your place on Normal difficulty and how
/// many rounds they take. See docs/balance.md.
#[derive(Args)]
pub struct LevelsArgs {
    /// A further folder of levels
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// One JSON object per line, for each level
    #[arg(long)]
    json: bool,
}

pub fn run(args: &LevelsArgs) -> Outcome {
    check_folder(args.levels.as_ref())?;
    let own_folder = Home::find().levels();
    let own = OwnLevels::of(own_folder.into_iter().chain(args.levels.clone()));
    if args.json {
        by_difficulty()
            .iter()
            .for_each(|level| say_json(level_json(level, None)));
        own.all().iter().for_each(|own| say_json(of_own(own)));
    } else {
        print_report(&own);
    }
    let broken = own.all().iter().filter(|own| own.found.is_err()).count();
    let broken = broken + own.problems().len();
    match broken {
        0 => Ok(()),
        n => {
            let levels = count(n, "level");
            Err(Failure::new(format!("{levels} cannot be played")))
        }
    }
}

fn print_report(own: &OwnLevels) {
    by_difficulty().iter().for_each(|one| say_level(one, ""));
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
                    let errors = count(problems.len(), "error");
                    say(format!("  {} has {errors}", own.file()));
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
    let head = match measured::under(level, rulesets::ALL[0].id) {
        Some(measured) => format!(
            "{head}; {}: won {:.0}%, {:.1} rounds",
            measured.hardness().name().to_lowercase(),
            measured.won,
            measured.rounds
        ),
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

fn level_json(level: &Level, path: Option<&Path>) -> Value {
    let mut made = json!({
        "what": "level",
        "id": level.id,
        "title": level.title,
        "rules": level.rules.map(|rules| rules.0),
        "suits": Vec::from_iter(level.suits.iter().map(|rules| rules.0)),
        "teaches": level.teaches,
        "difficulty": Hardness::under(level, rulesets::ALL[0].id).map(Hardness::name),
        "measured": measured::of(level).map(|of| &of.rules),
        "file": path.map(|path| path.display().to_string()),
    });
    level.about.put_into(&mut made);
    made
}

fn of_own(own: &OwnLevel) -> Value {
    match &own.found {
        Ok(pack) => level_json(&pack.level, Some(&own.path)),
        Err(problems) => json!({
            "what": "level",
            "file": own.path.display().to_string(),
            "errors": Vec::from_iter(problems.iter().map(ToString::to_string)),
        }),
    }
}
