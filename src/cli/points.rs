//! `fivefoot points`: what kinds are worth.

use super::{
    Outcome,
    args::{Rulesets, rulesets},
    say,
};
use clap::Args;
use fivefoot_core::{
    battle::Ruleset,
    lab::points::{self, kinds},
    rulesets,
};

/// Print what each kind is worth, in points: squads of equal points are an even fight.
///
/// The numbers come with their standard errors. See docs/points.md.
#[derive(Args)]
pub struct PointsArgs {
    /// The ruleset, or `all` [default: all]
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
}

pub fn run(args: &PointsArgs) -> Outcome {
    print_report(args.rules.as_deref().unwrap_or(&rulesets::ALL));
    Ok(())
}

/// Prints the table that comes with the game.
fn print_report(wanted: &[&'static Ruleset]) {
    let heads = wanted.iter().map(|rules| format!("{:>13}", rules.id));
    say(format!("{:<16}{}", "", heads.collect::<String>()));
    for kind in kinds() {
        let number = |rules: &&'static Ruleset| match points::of(rules, &kind) {
            Some(of) => format!("{:>7.1} ±{:<4.1}", of.points, of.error),
            None => format!("{:>13}", "–"),
        };
        let numbers = wanted.iter().map(number).collect::<String>();
        say(format!("{kind:<16}{numbers}"));
    }
}
