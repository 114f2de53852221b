//! `fivefoot replay`: runs a recorded battle again.

use super::{
    Failure, NO_WINDOW, Outcome, Window, args::whole, battles, finish, input, print_error, say,
    say_json,
};
use clap::Args;
use fivefoot_core::{
    battle::Battle,
    control::{FileKind, recording::Recording},
    files::RECORDING_BYTES,
    words::count,
};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Replay a recording. Exit code 3 if it plays back differently.
#[derive(Args)]
pub struct ReplayArgs {
    /// A recording from `sim --record`, or a save
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Stop after this many answers
    #[arg(long, value_name = "STEP", value_parser = whole::<usize>(0..=usize::MAX))]
    to: Option<usize>,
    /// One JSON object per line, for each event
    #[arg(long)]
    json: bool,
    /// Watch it in the window
    #[arg(long, conflicts_with_all = ["to", "json"])]
    pub window: bool,
}

/// Reads a recording. If the file is something else, the failure says what.
pub fn read(file: &Path) -> Result<Recording, Failure> {
    recording_of(&input::name(file), &battles::read(file, RECORDING_BYTES)?)
}

/// Reads a recording from the text of its file, as [`read`] does.
pub fn recording_of(name: &str, text: &str) -> Result<Recording, Failure> {
    Recording::read(name, text).map_err(|why| {
        let wrong_kind = battles::wrong_kind(FileKind::Recording, name, text);
        wrong_kind.unwrap_or_else(|| Failure::new(why))
    })
}

/// A recording's battle up to answer `to`, or to its end. If it does not play back as recorded,
/// also the first wrong step and why.
fn played(
    name: &str,
    recording: &Recording,
    to: Option<usize>,
) -> Result<(Battle, Option<(usize, String)>), Failure> {
    let answers = recording.answers.len();
    if let Some(to) = to.filter(|to| *to > answers) {
        let has = count(answers, "answer");
        return Err(Failure::usage(format!("--to {to}: {name} has {has}")));
    }
    match recording.run(to) {
        Ok(battle) => Ok((battle, None)),
        Err(broken) => match broken.battle {
            Some(battle) => Ok((*battle, Some((broken.step, broken.why)))),
            None => Err(Failure::lines(1, format!("{name}: {}", broken.why))),
        },
    }
}

/// Fails if a recording's battle did not play back as recorded.
fn check_played(name: &str, broken: Option<(usize, String)>) -> Outcome {
    match broken {
        None => Ok(()),
        Some((step, why)) => Err(Failure::diverged(format!("{name}: step {step}: {why}"))),
    }
}

/// A recording's battle up to answer `to`, or to its end. It must play back as
/// recorded.
pub fn battle(file: &Path, recording: &Recording, to: Option<usize>) -> Result<Battle, Failure> {
    let name = input::name(file);
    let (battle, broken) = played(&name, recording, to)?;
    check_played(&name, broken)?;
    Ok(battle)
}

/// Opens the window on the recording.
pub fn watch(args: &ReplayArgs, window: Option<&dyn Window>) -> ExitCode {
    let Some(window) = window else {
        return finish(Err(Failure::usage(NO_WINDOW)));
    };
    let opened = read(&args.file).and_then(|recording| {
        let opened = window.watch(&recording);
        opened.map_err(|why| Failure::lines(3, format!("{}: {why}", args.file.display())))
    });
    opened.unwrap_or_else(|failure| finish(Err(failure)))
}

pub fn run(args: &ReplayArgs) -> Outcome {
    let recording = read(&args.file)?;
    let name = input::name(&args.file);
    let (battle, broken) = played(&name, &recording, args.to)?;
    if args.json {
        for event in battle.events() {
            say_json(event.json(battle.names()));
        }
        if let Some((step, why)) = &broken {
            say_json(json!({"what": "diverged", "step": step, "message": why}));
        }
        let level = recording.level().map_err(Failure::new)?;
        say_json(battles::Ending::of(&battle, &level, recording.seed).json());
    } else {
        battles::print_log(&battle, battle.events(), false);
        if let Some(question) = battle.asked() {
            let side = battle.names().side_in_line(question.side);
            say("");
            say(format!("Waiting for {side}: {}", question.prompt));
        }
    }
    if !recording.has_checks() {
        print_error(&format!(
            "{name}: warning: a recording of version {}, whose checksums cannot be compared; \
             only the orders are checked",
            recording.version
        ));
    }
    check_played(&name, broken)
}
