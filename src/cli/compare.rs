//! `fivefoot compare`: the rulesets side by side.

use super::{
    CompareArgs, Outcome, battles,
    fight::{self, Besides, Plan},
    progress, say_json,
    sim::{rulesets_of, stopped},
    telling::{Form, Telling},
};
use crate::rulesets;

pub fn run(args: &CompareArgs) -> Outcome {
    let level = fight::handicapped(&args.counting.handicap, &battles::level(&args.level)?)?;
    let rulesets = rulesets_of(&level, Some(&rulesets::ALL))?;
    let players = fight::seats(&args.counting.ai, &level)?;
    let plan = Plan::counted(&args.many, &args.counting)?;
    let experiments = Besides::NONE.experiments(&level, &rulesets, &players)?;
    let pool = progress::threads(args.many.threads)?;
    progress::heed_ctrl_c();
    let form = args.counting.form(Form::SideBySide);
    let mut telling = Telling::new(form, args.counting.report.as_ref())?;
    for experiment in &experiments {
        let is_json = args.counting.json;
        let each = |ending: battles::Ending| say_json(ending.json());
        let tally = pool.install(|| fight::fight(experiment, &plan, is_json, each));
        if let Some(report) = fight::report(experiment, tally) {
            telling.tell(report);
        }
        if progress::is_stopped() || telling.is_over() {
            break;
        }
    }
    telling.finish()?;
    stopped()
}
