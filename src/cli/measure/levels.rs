//! Measures the levels that come with the game.

use super::super::{
    Failure, Outcome,
    args::{Many, whole},
    progress,
};
use super::{each_seed, read_known, save};
use clap::Args;
use fivefoot_core::{
    control::recording::checksum,
    lab::measured::{self, Known, Measured, OfLevel},
    levels::{Level, built_in},
};
use std::{path::PathBuf, sync::Arc};

/// Measure how hard the levels that come with the game are, and how long they take.
///
/// The levels that FILE does not know, or knows as they were before, are measured; FILE is
/// written after each. The game reads `assets/levels.json`. See docs/balance.md.
#[derive(Args)]
pub struct LevelsArgs {
    /// The file of the measured values
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Battles for each level and ruleset
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>(1..=u32::MAX))]
    battles: u32,
    #[command(flatten)]
    many: Many,
}

/// Measures the built-in levels that are missing in the file or have changed, and writes
/// the file after each.
pub fn run(args: &LevelsArgs) -> Outcome {
    let path = &args.file;
    let pool = progress::threads(args.many.threads)?;
    let mut known: Known = read_known(path)?;
    known.retain(|id, _| built_in().iter().any(|level| level.id == *id));
    for level in built_in() {
        if known.get(&level.id).is_some_and(|of| of.is_of(level)) {
            continue;
        }
        let found = pool.install(|| measured(args, level))?;
        known.insert(level.id.clone(), found);
        save(path, &known)?;
    }
    Ok(())
}

/// Measures a level under every ruleset that it suits.
///
/// # Errors
/// If the program was interrupted: partial results are not used.
fn measured(args: &LevelsArgs, level: &Arc<Level>) -> Result<OfLevel, Failure> {
    let all = measured::rulesets_of(level).count() as u64;
    let bar = progress::bar(level.id.clone(), all * u64::from(args.battles));
    let under = |rules| {
        let fight = |seed| measured::fight(level, rules, seed);
        let fought = each_seed(args.many.seed, 0..args.battles.into(), &bar, fight);
        progress::stopped().map(|()| (rules.id.to_owned(), Measured::of(&fought)))
    };
    let rules: Result<_, _> = measured::rulesets_of(level).map(under).collect();
    bar.finish_and_clear();
    Ok(OfLevel {
        checksum: checksum(&level.source),
        rules: rules?,
    })
}
