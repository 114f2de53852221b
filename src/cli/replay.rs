//! `fivefoot replay`

use super::{Failure, Outcome, ReplayArgs, battles, say};
use crate::control::recording::{Broken, Recording};

pub fn run(args: &ReplayArgs) -> Outcome {
    let text = battles::read(&args.file)?;
    let name = args.file.display().to_string();
    let recording = Recording::read(&name, &text).map_err(Failure::new)?;
    let (battle, broken) = match recording.run(args.to) {
        Ok(battle) => (battle, None),
        Err(Broken {
            battle: Some(battle),
            step,
            why,
        }) => (*battle, Some((step, why))),
        Err(Broken {
            battle: None, why, ..
        }) => return Err(Failure::new(format!("{name}: {why}"))),
    };
    if args.json {
        battle
            .events()
            .iter()
            .for_each(|e| say(e.json(battle.names())));
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
