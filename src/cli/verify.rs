//! `fivefoot verify`

use super::{Failure, Outcome, VerifyArgs, check, say, say_lines};
use fivefoot_core::control::scenario;

pub fn run(args: &VerifyArgs) -> Outcome {
    let (files, missing) = check::ron_files(&args.paths);
    missing.iter().for_each(say);
    let report = scenario::verify(&files);
    say_lines(&report);
    if report.failed > 0 || !missing.is_empty() {
        Err(Failure::new(""))
    } else {
        Ok(())
    }
}
