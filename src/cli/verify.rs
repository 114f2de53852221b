//! `fivefoot verify`

use super::{Failure, Outcome, VerifyArgs, check, say};
use fivefoot_core::control::scenario::{self, Unanswered};

pub fn run(args: &VerifyArgs) -> Outcome {
    let (files, missing) = check::ron_files(&args.paths);
    missing.iter().for_each(say);
    let unanswered = match args.fill {
        true => Unanswered::DoNothing,
        false => Unanswered::Fails,
    };
    let report = scenario::verify(&files, unanswered);
    say(&report);
    if report.failed > 0 || !missing.is_empty() {
        Err(Failure::new(""))
    } else {
        Ok(())
    }
}
