//! `fivefoot replay`

use super::{Failure, Outcome, ReplayArgs, battles, finish, say, say_json};
use crate::control::{
    FileKind,
    recording::{Broken, Recording},
};
use std::process::ExitCode;

fn read(args: &ReplayArgs) -> Result<Recording, Failure> {
    let text = battles::read(&args.file)?;
    let name = args.file.display().to_string();
    Recording::read(&name, &text).map_err(|why| {
        let mistaken = FileKind::Recording.mistaken(&name, &text);
        let what = mistaken.map(|(what, help)| format!("{name}:1:1: {what}; {help}"));
        Failure::new(what.unwrap_or(why))
    })
}

/// In the window.
#[cfg(feature = "ui")]
pub fn watch(args: &ReplayArgs) -> ExitCode {
    let session = read(args).and_then(|recording| {
        crate::ui::Session::load(&recording).map_err(|broken| Failure {
            text: format!("{}: {}", args.file.display(), broken.why),
            code: 3,
        })
    });
    match session {
        Ok(session) => crate::ui::watch(session),
        Err(failure) => finish(Err(failure)),
    }
}

#[cfg(not(feature = "ui"))]
pub fn watch(_: &ReplayArgs) -> ExitCode {
    let text = "This program was built without the window (feature \"ui\").";
    finish(Err(Failure::usage(text)))
}

pub fn run(args: &ReplayArgs) -> Outcome {
    let recording = read(args)?;
    let name = args.file.display().to_string();
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
        }) => return Err(Failure::new(format!("{name}: {why}"))),
    };
    if args.json {
        battle
            .events()
            .iter()
            .for_each(|e| say_json(e.json(battle.names())));
    } else {
        battles::tell(&battle, battle.events(), false);
        if let Some(question) = battle.asked() {
            say(format!(
                "\n{} is asked: {}",
                battle.names().side(question.side),
                question.prompt
            ));
        }
    }
    match broken {
        None => Ok(()),
        Some((step, why)) => Err(Failure {
            text: format!("{name}: step {step}: {why}"),
            code: 3,
        }),
    }
}
