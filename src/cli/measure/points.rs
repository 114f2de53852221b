//! Measures what kinds are worth.

use super::super::{
    Failure, Outcome,
    args::{Many, Rulesets, rulesets, whole},
    progress, say,
};
use super::{each_seed, read_known, save};
use clap::Args;
use fivefoot_core::{
    battle::{Chance, Ruleset},
    lab::points::{
        self, Fought, Known, MEASURE, Points, Value, ground_for, kinds, predicted, random_squads,
    },
};
use std::{collections::BTreeMap, path::PathBuf};

/// Measure what each kind is worth, in points.
///
/// Random squads fight on random maps, the quick AI against itself, and the values are
/// fitted to the results. The game reads `assets/points.json`. See docs/points.md.
#[derive(Args)]
pub struct PointsArgs {
    /// The file of the table
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The ruleset, or `all` [default: all]
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// Battles under each ruleset
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = whole::<u32>(100..=u32::MAX))]
    battles: u32,
    #[command(flatten)]
    many: Many,
}

pub fn run(args: &PointsArgs) -> Outcome {
    let all = &fivefoot_core::rulesets::ALL[..];
    let path = &args.file;
    let pool = progress::threads(args.many.threads)?;
    // Keep the values of rulesets that are not measured now.
    let mut known: Known = read_known(path)?;
    for &rules in args.rules.as_deref().unwrap_or(all) {
        let found = pool.install(|| measured(args, rules))?;
        known.insert(rules.id.into(), found);
        save(path, &known)?;
    }
    Ok(())
}

/// Half of the battles are between random squads; the other half between squads that
/// should be about even by what is known by then. A tenth of that number is fought in
/// addition, to measure the accuracy.
///
/// # Errors
/// If a signal came, because part of the battles is not enough to measure.
fn measured(
    args: &PointsArgs,
    rules: &'static Ruleset,
) -> Result<BTreeMap<String, Points>, Failure> {
    let kinds = kinds();
    let measure = kinds.iter().position(|kind| kind == MEASURE.0).unwrap_or(0);
    let half = u64::from(args.battles / 2);
    let bar = progress::bar(rules.id.into(), 2 * half + half / 5);
    let fight = |seeds: std::ops::Range<u64>, known: Option<&[Value]>| {
        let of_seed = |seed: u64| {
            let squads = random_squads(&mut Chance::new(seed), known, kinds.len());
            let share = points::fight(&ground_for(&squads, &kinds, seed), rules, seed);
            Fought { squads, share }
        };
        let fought = each_seed(args.many.seed, seeds, &bar, of_seed);
        progress::stopped().map(|()| fought)
    };
    let mut all = fight(0..half, None)?;
    let (rough, _) = points::values(&all, kinds.len(), measure);
    all.extend(fight(half..2 * half, Some(&rough))?);
    let (found, b) = points::values(&all, kinds.len(), measure);
    let fresh = fight(2 * half..2 * half + half / 5, Some(&found))?;
    bar.finish_and_clear();
    let prediction = |fought: &Fought| predicted(&fought.squads, |n| found[n].worth, b);
    let off = |fought: &Fought, chance: f64| (fought.share - chance).powi(2);
    let mean =
        |of: &dyn Fn(&Fought) -> f64| fresh.iter().map(of).sum::<f64>() / fresh.len().max(1) as f64;
    let (brier, first) = (mean(&|f| off(f, prediction(f))), mean(&|f| f.share));
    say(format!(
        "{}: {} battles; b = {b:.2}. Of {} new battles between about equal squads the first squad won {:.1}%; Brier score {brier:.3} (a coin: 0.25)",
        rules.id,
        all.len(),
        fresh.len(),
        first * 100.0,
    ));
    let points = |value: &Value| {
        let points = MEASURE.1 * value.worth;
        let round = |x: f64| (x * 10.0).round() / 10.0;
        Points {
            points: round(points),
            error: round(points * value.error),
        }
    };
    Ok(std::iter::zip(kinds.iter().cloned(), found.iter().map(points)).collect())
}
