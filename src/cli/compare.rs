//! `fivefoot compare`: a table of the rulesets, one line each.

use super::{
    Outcome,
    args::{Counting, Many},
    battles, external,
    fight::{self, Comparisons, SeedRange},
    progress, redirect,
    report_printer::Form,
    sim::rulesets_of,
};
use clap::Args;
use fivefoot_core::rulesets;
use std::path::PathBuf;

/// Compare the five rulesets on one level.
///
/// The level is run under each of them: who wins, how long it takes, how many
/// attacks hit, the spread of outcomes, how often the side ahead halfway lost, and
/// what the first move is worth.
#[derive(Args)]
pub struct CompareArgs {
    /// A level file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    #[command(flatten)]
    many: Many,
    #[command(flatten)]
    counting: Counting,
}

pub fn run(args: &CompareArgs) -> Outcome {
    args.counting.check_force(false)?;
    let level = fight::handicapped(&args.counting.handicap, &battles::level(&args.level)?)?;
    let rulesets = rulesets_of(&level, Some(&rulesets::ALL))?;
    let players = fight::players_by_side(&args.counting.ai, &level)?;
    let plan = SeedRange::counted(&args.many, &args.counting)?;
    let mut experiments = Comparisons::NONE.experiments(&level, &rulesets, &players)?;
    for experiment in &mut experiments {
        experiment.give_first_move();
    }
    external::limit(args.counting.bots.bot_time);
    let Counting { out, force, .. } = &args.counting;
    redirect(out.as_ref(), *force, [&args.level])?;
    let pool = progress::threads(args.many.threads)?;
    pool.install(|| fight::run_experiments(&experiments, &plan, &args.counting, Form::SideBySide))
}
