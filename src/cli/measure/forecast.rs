//! `measure forecast`: measures how accurate the win probability is, and fits its weights.

use super::super::{
    Failure, Outcome,
    args::{Many, Rulesets, rulesets, whole},
    battles, progress, say, say_json,
    sim::rulesets_of,
    write_failure,
};
use super::{each_seed, save};
use clap::Args;
use fivefoot_core::{
    battle::{Ruleset, level_setup},
    control::forecast::{
        self, Formula,
        fit::{Calibration, Sample, fit, samples},
    },
    files::{self, LEVEL_BYTES},
    lab::Seeds,
    levels::Level,
    words::count,
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// Measure how accurate the window's win probability is.
///
/// The quick AI plays itself. The forecasts at the start and the end of each round
/// are compared with the outcome: the Brier score (0 is perfect, 0.25 a coin), the
/// scores of hit points alone and of the base rate, and for each tenth of the
/// forecasts how often they came true.
#[derive(Args)]
pub struct ForecastArgs {
    /// Level files
    #[arg(value_name = "LEVEL", required = true)]
    levels: Vec<PathBuf>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// Battles on each level under each ruleset
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1..=u32::MAX))]
    battles: u32,
    #[command(flatten)]
    many: Many,
    /// First fit the weights to these battles, and write them to FILE
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Use the weights in FILE instead of those that come with the game
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    with: Option<PathBuf>,
    /// One JSON object per line, for each ruleset
    #[arg(long)]
    json: bool,
}

pub fn run(args: &ForecastArgs) -> Outcome {
    let pool = progress::threads(args.many.threads)?;
    let levels = args.levels.iter().map(|path| battles::level(path));
    let levels: Vec<Arc<Level>> = levels.collect::<Result<_, _>>()?;
    let mut wanted: Vec<(&'static Ruleset, Vec<Arc<Level>>)> = vec![];
    for level in &levels {
        for rules in rulesets_of(level, args.rules.as_deref())? {
            match wanted.iter_mut().find(|w| w.0.id == rules.id) {
                Some((_, all)) => all.push(level.clone()),
                None => wanted.push((rules, vec![level.clone()])),
            }
        }
    }
    let given_formulas = args.with.as_ref().map(|path| {
        let wrong = |e| Failure::new(format!("{}: {e}", path.display()));
        forecast::read(&battles::read(path, LEVEL_BYTES)?).map_err(wrong)
    });
    let given_formulas = given_formulas.transpose()?;
    if let Some(path) = &args.fit {
        files::check_writable(path).map_err(|e| write_failure(path, e))?;
    }
    let mut formulas = BTreeMap::new();
    for (rules, levels) in wanted {
        let (found, seeds) = pool.install(|| fought(args, rules, &levels));
        // Weights fitted to part of the battles would look like those of all.
        if args.fit.is_some() {
            progress::stopped()?;
        }
        let known = match &given_formulas {
            Some(given_formulas) => given_formulas.get(rules.id),
            None => forecast::formula(rules),
        };
        let formula = match (&args.fit, known) {
            (Some(_), _) => fit(&found),
            (None, Some(formula)) => formula.clone(),
            (None, None) => {
                let why = format!("the weights have no fit for {}", rules.id);
                return Err(Failure::usage(why));
            }
        };
        print(args, rules, &found, &formula);
        progress::stopped_after(&format!("fought under {}: {}", rules.id, seeds.join("; ")))?;
        formulas.insert(rules.id, formula);
    }
    if let Some(path) = &args.fit {
        save(path, &formulas)?;
    }
    Ok(())
}

/// Fights all battles, or as many as there is time for until a signal comes. Returns positions
/// with their outcomes, and one line per level that says which seeds were fought.
fn fought(
    args: &ForecastArgs,
    rules: &'static Ruleset,
    levels: &[Arc<Level>],
) -> (Vec<Sample>, Vec<String>) {
    let battles = u64::from(args.battles);
    let bar = progress::bar(rules.id.into(), battles * levels.len() as u64);
    let of_level = |level: &Arc<Level>| {
        let setup = level_setup(level);
        let of_seed = |seed| (seed, samples(&setup, rules, level.sides.len(), seed));
        let all = each_seed(args.many.seed, 0..battles, &bar, of_seed);
        let (seeds, found): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let seeds: Seeds = seeds.into_iter().collect();
        let fought = count(found.len(), "battle");
        let what = format!("{fought} of {}, seeds {seeds}", level.id);
        (found.concat(), what)
    };
    let (found, seeds): (Vec<_>, Vec<_>) = levels.iter().map(of_level).unzip();
    bar.finish_and_clear();
    (found.concat(), seeds)
}

/// Prints how accurate the formula is on these samples.
fn print(args: &ForecastArgs, rules: &Ruleset, samples: &[Sample], formula: &Formula) {
    let by_formula = Calibration::of(samples, |s| formula.chances(&s.position));
    let by_hit_points = Calibration::of_hit_points(samples, formula);
    let mean = samples.iter().map(|s| s.won[0]).sum::<f32>() / samples.len().max(1) as f32;
    let base = Calibration::of(samples, |_| vec![mean]);
    if args.json {
        let bin = |b: &(u32, f32, f32)| serde_json::json!({"positions": b.0, "foretold": b.1, "came": b.2});
        say_json(serde_json::json!({
            "what": "forecast",
            "rules": rules.id,
            "positions": samples.len(),
            "brier": by_formula.brier,
            "brier_of_hit_points": by_hit_points.brier,
            "brier_of_base_rate": base.brier,
            "gap": by_formula.gap(),
            "tenths": by_formula.bins.iter().map(bin).collect::<Vec<_>>(),
        }));
        return;
    }
    say(format!(
        "{}: {} positions; Brier score {:.3}, hit points alone {:.3}, base rate {:.3}; mean error {:.1}%",
        rules.id,
        samples.len(),
        by_formula.brier,
        by_hit_points.brier,
        base.brier,
        by_formula.gap() * 100.0
    ));
    for (positions, predicted, won) in by_formula.bins.iter().filter(|bin| bin.0 > 0) {
        let bar = "#".repeat((won * 40.0).round() as usize);
        let (predicted, won) = (predicted * 100.0, won * 100.0);
        say(format!(
            "  forecast {predicted:>5.1}%  won {won:>5.1}%  {positions:>6}  {bar}"
        ));
    }
}
