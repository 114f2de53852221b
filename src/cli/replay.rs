//! `fivefoot replay`: runs a recorded battle again.

use super::{
    Failure, NO_WINDOW, Outcome, Window, args::whole, battles, finish, input, print_error, say,
    say_json,
};
use clap::Args;
use fivefoot_core::{
    battle::Battle,
    control::{
        FileKind,
        recording::{Broken, Recording},
    },
    files::RECORDING_BYTES,
    words::count,
};
use serde_json::json;
use std::{
    io::ErrorKind,
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

/// Where to write a recording; see [`Recording::place`]. `force` names what overwrites another
/// file, such as `--force`.
///
/// # Errors
/// A text that says why it cannot be written there.
pub fn place(path: &Path, forced: bool, force: &str) -> Result<PathBuf, String> {
    Recording::place(path, forced).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => format!("{e}; {force} overwrites it"),
        _ => e.to_string(),
    })
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

/// Fails if a recording has fewer answers than `--to`.
fn check_step(name: &str, recording: &Recording, to: Option<usize>) -> Outcome {
    let answers = recording.answers.len();
    match to.filter(|to| *to > answers) {
        Some(to) => {
            let has = count(answers, "answer");
            Err(Failure::usage(format!("--to {to}: {name} has {has}")))
        }
        None => Ok(()),
    }
}

/// A recording's battle up to answer `to`, or to its end. It must play back as
/// recorded.
pub fn battle(file: &Path, recording: &Recording, to: Option<usize>) -> Result<Battle, Failure> {
    let name = input::name(file);
    check_step(&name, recording, to)?;
    recording.run(to).map_err(|broken| match broken {
        Broken {
            battle: None, why, ..
        } => Failure::lines(1, format!("{name}: {why}")),
        Broken { step, why, .. } => Failure {
            code: 3,
            ..Failure::new(format!("{name}: step {step}: {why}"))
        },
    })
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
    check_step(&name, &recording, args.to)?;
    let (battle, broken) = match recording.run(args.to) {
        Ok(battle) => (battle, None),
        Err(Broken {
            battle: Some(battle),
            step,
            why,
            ..
        }) => (*battle, Some((step, why))),
        Err(Broken {
            battle: None, why, ..
        }) => return Err(Failure::lines(1, format!("{name}: {why}"))),
    };
    if args.json {
        battle
            .events()
            .iter()
            .for_each(|e| say_json(e.json(battle.names())));
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
    match broken {
        None => Ok(()),
        Some((step, why)) => Err(Failure {
            code: 3,
            ..Failure::new(format!("{name}: step {step}: {why}"))
        }),
    }
}
