//! `fivefoot verify`

use super::{Failure, Outcome, VerifyArgs, check, say};
use crate::control::scenario;

pub fn run(args: &VerifyArgs) -> Outcome {
    let files = check::ron_files(&args.paths)?;
    let report = scenario::verify(&files);
    say(&report);
    if report.failed > 0 {
        Err(Failure::new(""))
    } else {
        Ok(())
    }
}
