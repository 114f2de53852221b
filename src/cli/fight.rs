//! Runs many battles on all cores: which seeds, when to stop, what to print.

use super::{
    Failure, Outcome,
    args::{Counting, HandicapOption, Many, SidePlayer, check_once},
    battles, external, lock, print_error, progress,
    report_printer::{Form, ReportPrinter},
    say_json,
};
use battles::Ending;
use fivefoot_core::{
    battle::Ruleset,
    control::Player,
    lab::{
        BattleRunner, Experiment, Other, Rival, Series, Shard, ShardedSeries, Tally,
        interval::Estimate, report::Report, vary::Vary,
    },
    levels::Level,
    words::count,
};
use rayon::prelude::*;
use std::{
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Arc, Mutex},
};

/// The margin is checked after this many battles: a constant, so that the result does
/// not depend on the number of cores.
const BATCH: u64 = 100;

/// The default number of battles for statistics.
const DEFAULT_BATTLES: u32 = 200;

/// Which seeds to fight.
pub struct SeedRange {
    pub seeds: RangeInclusive<u64>,
    /// Stop when no interval extends farther than this: a share, 0 to 1.
    within: Option<f64>,
    /// The whole that these seeds are a shard of. `None` if it is not known before.
    whole: Option<ShardedSeries>,
}

/// The seeds of a shard, or all of them, and the whole series that they are a part of.
///
/// # Errors
/// If there are fewer seeds than shards.
pub fn part_of(
    all: &RangeInclusive<u64>,
    shard: Option<Shard>,
) -> Result<(RangeInclusive<u64>, ShardedSeries), Failure> {
    let (seeds, parts) = match shard {
        Some(shard) => (shard.seeds(all).map_err(Failure::usage)?, shard.of),
        None => (all.clone(), 1),
    };
    Ok((seeds, ShardedSeries::new(all, parts)))
}

impl SeedRange {
    /// The plan for the given options.
    ///
    /// # Errors
    /// If there are not enough seeds.
    pub fn of(many: &Many, counting: &Counting, default_battles: u32) -> Result<Self, Failure> {
        let all = all_seeds(many, counting, default_battles)?;
        let (seeds, series) = part_of(&all, counting.shard)?;
        let within = counting.within;
        let whole = within.is_none().then_some(series);
        Ok(Self {
            seeds,
            within,
            whole,
        })
    }

    /// The plan for the statistics of `sim` and `compare`.
    pub fn counted(many: &Many, counting: &Counting) -> Result<Self, Failure> {
        Self::of(many, counting, DEFAULT_BATTLES)
    }

    /// The number of battles that the progress bar shows as the total: what an even
    /// fight needs.
    fn length(&self) -> u64 {
        let seeds = (self.seeds.end() - self.seeds.start()).saturating_add(1);
        self.within.map_or(seeds, |reach| {
            let needed = (0.98 / reach).powi(2).ceil() as u64;
            needed.next_multiple_of(BATCH).min(seeds)
        })
    }

    fn is_enough(&self, tally: &Tally) -> bool {
        self.within.is_some_and(|within| {
            let all = tally.wins.iter();
            all.map(|wins| Estimate::proportion(*wins, tally.battles()))
                .all(|share| share.reach() <= within)
        })
    }
}

/// The seeds of all shards together.
fn all_seeds(
    many: &Many,
    counting: &Counting,
    default_battles: u32,
) -> Result<RangeInclusive<u64>, Failure> {
    if let Some((first, last)) = counting.seeds {
        return Ok(first..=last);
    }
    let battles = match (counting.battles, counting.within) {
        (None, Some(_)) => u32::MAX,
        (given, _) => given.unwrap_or(default_battles),
    };
    match many.seed.checked_add(u64::from(battles) - 1) {
        Some(last) => Ok(many.seed..=last),
        None if counting.battles.is_none() => Ok(many.seed..=u64::MAX),
        None => Err(too_many_seeds(battles.into(), many.seed)),
    }
}

/// The seeds in groups of [`BATCH`], in their order.
pub fn batches(seeds: &RangeInclusive<u64>) -> impl Iterator<Item = RangeInclusive<u64>> + use<> {
    let last = *seeds.end();
    let mut next = Some(*seeds.start());
    std::iter::from_fn(move || {
        let from = next.filter(|from| *from <= last)?;
        let to = from.saturating_add(BATCH - 1).min(last);
        next = to.checked_add(1);
        Some(from..=to)
    })
}

/// The failure for battles whose last seeds would not fit a number.
pub fn too_many_seeds(battles: u64, first: u64) -> Failure {
    let (battles, most) = (count(battles as usize, "battle"), u64::MAX);
    Failure::usage(format!(
        "{battles} from seed {first} on would need seeds above {most}"
    ))
}

/// Runs all experiments on the current thread pool and prints their statistics, in
/// `form` unless an option says otherwise.
///
/// # Errors
/// If something cannot be written, or a signal came.
pub fn run_experiments(
    experiments: &[Experiment],
    plan: &SeedRange,
    counting: &Counting,
    form: Form,
) -> Outcome {
    let form = Form::of(counting.json, counting.csv, form);
    let report_to = counting.report.as_ref();
    let mut report_printer = ReportPrinter::new(form, report_to, &counting.fail_unless)?;
    for experiment in experiments {
        report_printer.check_sides(&experiment.main.level)?;
    }
    let mut fought = vec![];
    for experiment in experiments {
        let each = |ending: Ending| say_json(ending.json());
        // After a signal without battles: the report also says what is missing.
        let report = Report {
            tally: fight(experiment, plan, counting.json && !counting.brief, each),
            level: experiment.main.level.clone(),
            rules: experiment.main.rules,
        };
        let sample = match report.battles() {
            0 => "no battle".to_owned(),
            _ => report.sample(),
        };
        let (level, rules) = (&report.tally.fought.level, report.rules.id);
        fought.push(format!("{sample} of {level} under {rules}"));
        report_printer.print(report);
        if report_printer.is_over() {
            break;
        }
    }
    let outcome = report_printer.finish();
    progress::stopped_after(&format!("fought {}", fought.join("; ")))?;
    outcome
}

/// Runs all seeds, until a signal comes or a program fails. If `wanted`, `each` receives the result
/// of every battle, in the order of the seeds.
fn fight(
    experiment: &Experiment,
    plan: &SeedRange,
    wanted: bool,
    mut each: impl FnMut(Ending),
) -> Tally {
    let Series { level, rules, .. } = &experiment.main;
    let bar = progress::bar(format!("{} · {}", level.title, rules.id), plan.length());
    // Worlds are reused, also in the next batch.
    let runners = Mutex::new(vec![]);
    let mut all = experiment.blank();
    // With programs, each battle has a tally of its own, so that those after a failure can
    // be left out.
    let together = if external::is_used() { 1 } else { usize::MAX };
    for seeds in batches(&plan.seeds) {
        if progress::is_stopped() {
            break;
        }
        let start = || {
            let runner = lock(&runners).pop();
            let runner = runner.unwrap_or_else(|| BattleRunner::new(experiment));
            (runner, experiment.blank(), vec![])
        };
        let seeds: Vec<u64> = seeds.collect();
        let seeds = seeds.into_par_iter().with_max_len(together);
        let fought = seeds.fold(start, |mut done, seed| {
            let (runner, tally, endings) = &mut done;
            if let Some(battle) = runner.fight(seed, tally, || progress::is_stopped_for(seed)) {
                if wanted {
                    endings.push(Ending::of(battle, level, seed));
                }
                bar.inc(1);
            }
            done
        });
        let parts = fought.map(|(runner, tally, endings)| {
            lock(&runners).push(runner);
            (tally, endings)
        });
        let parts: Vec<_> = parts.collect();
        let counts = |tally: &Tally| tally.seeds.runs().all(|(_, last)| progress::counts(last));
        for (tally, endings) in parts.into_iter().filter(|(tally, _)| counts(tally)) {
            // Other seeds of the same series, so this cannot fail.
            let _ = all.join(&tally);
            endings.into_iter().for_each(&mut each);
        }
        if plan.is_enough(&all) {
            break;
        }
    }
    bar.finish_and_clear();
    let whole = plan.whole.as_ref().filter(|whole| whole.seeds != all.seeds);
    all.whole = whole.cloned();
    all
}

/// The AI of each side.
pub fn players_by_side(ai: &[SidePlayer], level: &Level) -> Result<Vec<Player>, Failure> {
    check_once("--ai", ai.iter().map(|given| &given.side))?;
    let mut players = vec![Player::Quick; level.sides.len()];
    for SidePlayer { side, player } in ai {
        players[side_of(level, side)?] = *player;
    }
    Ok(players)
}

/// The level with the handicaps of its sides.
pub fn handicapped(given: &[HandicapOption], level: &Arc<Level>) -> Result<Arc<Level>, Failure> {
    check_once("--handicap", given.iter().map(|handicap| &handicap.of))?;
    let mut all = vec![0; level.sides.len()];
    for HandicapOption { of, steps } in given {
        all[side_of(level, of)?] = *steps;
    }
    Ok(level.with_handicaps(&all))
}

pub fn side_of(level: &Level, side: &str) -> Result<usize, Failure> {
    let found = level.side_named(side).map(|found| usize::from(found.0));
    found.ok_or_else(|| {
        let sides: Vec<_> = level.sides.iter().map(|s| s.id.as_str()).collect();
        let (level, sides) = (&level.id, sides.join(", "));
        Failure::usage(format!("{level} has no side '{side}'; it has {sides}"))
    })
}

/// What a level is compared with under each ruleset.
pub struct Comparisons {
    others: Vec<Arc<Level>>,
    vary: Vec<Vary>,
}

impl Comparisons {
    pub const NONE: Self = Self {
        others: vec![],
        vary: vec![],
    };

    pub fn read(others: &[PathBuf], vary: &[Vary]) -> Result<Self, Failure> {
        let others = others.iter().map(|path| battles::level(path));
        Ok(Self {
            others: others.collect::<Result<_, _>>()?,
            vary: vary.to_vec(),
        })
    }

    /// The experiments on a level, one for each ruleset. Comparisons that make no
    /// sense under one of several rulesets are left out there, with a message.
    ///
    /// # Errors
    /// If a comparison makes no sense under any of the rulesets.
    pub fn experiments(
        &self,
        level: &Arc<Level>,
        rulesets: &[&'static Ruleset],
        players: &[Player],
    ) -> Result<Vec<Experiment>, Failure> {
        let experiment =
            |rules: &&'static Ruleset| Experiment::new(Series::new(level, rules, players.to_vec()));
        let mut all: Vec<Experiment> = rulesets.iter().map(experiment).collect();
        for other in &self.others {
            for experiment in &mut all {
                let rival = rival(other, &experiment.main)?;
                experiment.rivals.push(rival);
            }
        }
        for vary in &self.vary {
            let mut failed: Vec<(&str, String)> = vec![];
            for experiment in &mut all {
                match vary.on(level, experiment.main.rules) {
                    Ok(found) => {
                        let rivals = found.into_iter();
                        let rivals = rivals.map(|one| Rival::varied(one, &experiment.main));
                        experiment.rivals.extend(rivals);
                    }
                    Err(why) => failed.push((experiment.main.rules.id, why)),
                }
            }
            let Some((_, why)) = failed.first() else {
                continue;
            };
            if failed.len() == all.len() {
                return Err(Failure::usage(format!("--vary: {why}")));
            }
            let under: Vec<_> = failed.iter().map(|f| f.0).collect();
            let under = under.join(", ");
            print_error(&format!("--vary: '{vary}' is skipped under {under}: {why}"));
        }
        Ok(all)
    }
}

/// A comparison with another level and the same AIs.
fn rival(other: &Arc<Level>, main: &Series) -> Result<Rival, Failure> {
    let ids = |level: &Level| -> Vec<String> { level.sides.iter().map(|s| s.id.clone()).collect() };
    let (ours, theirs) = (ids(&main.level), ids(other));
    let mut sorted = [ours.clone(), theirs.clone()];
    sorted.iter_mut().for_each(|ids| ids.sort());
    if sorted[0] != sorted[1] {
        return Err(Failure::usage(format!(
            "--compare: {} has the sides {}, {} has {}; they must be equal",
            other.id,
            theirs.join(", "),
            main.level.id,
            ours.join(", ")
        )));
    }
    if other.rules.is_some_and(|own| own.0 != main.rules.id) {
        let why = format!("--compare: {} is not for {}", other.id, main.rules.id);
        return Err(Failure::usage(why));
    }
    let side_of = |id: &String| main.level.side_named(id).map_or(0, |s| usize::from(s.0));
    let player = |id: &String| main.players[side_of(id)];
    let steps = |id: &String| main.level.sides[side_of(id)].handicap;
    let other = &other.with_handicaps(&theirs.iter().map(steps).collect::<Vec<_>>());
    Ok(Rival {
        other: Other::Level(other.id.clone(), other.source.to_string()),
        series: Series::new(other, main.rules, theirs.iter().map(player).collect()),
    })
}
