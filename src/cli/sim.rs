//! `fivefoot sim`: AI against AI, as a log or as statistics.

use super::{
    Failure, Outcome,
    args::{Counting, Many, Rulesets, rulesets},
    battles, external,
    fight::{self, Comparisons, SeedRange},
    out, progress, redirect,
    report_printer::Form,
    say, say_json, write_failure,
};
use battles::Ending;
use clap::Args;
use fivefoot_core::{
    battle::Ruleset,
    control::recording::Recording,
    lab::{BattleRunner, Experiment, vary::Vary},
    levels::{self, Level},
    words::{count, unwrapped},
};
use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// Simulate battles, AI against AI.
///
/// One battle prints its log. Several print statistics: who wins and why, with 95%
/// confidence intervals, how long it takes, and what each unit does and suffers.
/// Ctrl-C stops early and prints the statistics so far. See docs/laboratory.md.
#[derive(Args)]
pub struct SimArgs {
    /// Level files; without one, the built-in level
    #[arg(value_name = "LEVEL")]
    levels: Vec<PathBuf>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[command(flatten)]
    many: Many,
    #[command(flatten)]
    counting: Counting,
    /// Run these seeds on another level too, and print the difference; can be
    /// given more than once
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["log", "record"])]
    compare: Vec<PathBuf>,
    /// Run these seeds with a number of a kind changed, and print the difference:
    /// `goblin: hp +2`, `all: hp +-2`; can be given more than once
    #[arg(long, value_name = "KIND: FIELD +N", conflicts_with_all = ["log", "record"])]
    vary: Vec<Vary>,
    /// Print the log of every battle
    #[arg(long, conflicts_with_all = ["within", "csv", "report"])]
    log: bool,
    /// Write a recording of the battle to FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl SimArgs {
    /// Whether the output is statistics instead of a log.
    fn is_counted(&self) -> bool {
        let given = &self.counting;
        // A range can have one seed only.
        let is_range = given.seeds.is_some() && self.record.is_none();
        let several = given.battles.is_some_and(|n| n > 1) || is_range;
        let beside = !self.compare.is_empty() || !self.vary.is_empty();
        let is_part = given.within.is_some() || given.shard.is_some();
        let of_all = is_part || !given.fail_unless.is_empty();
        several || beside || of_all || given.csv || given.report.is_some()
    }
}

pub fn run(args: &SimArgs) -> Outcome {
    args.counting.check_force(args.record.is_some())?;
    let levels = args.levels.iter().map(|path| battles::level(path));
    let mut all: Vec<_> = levels.collect::<Result<_, _>>()?;
    if all.is_empty() {
        all.push(levels::default_level());
    }
    for level in &mut all {
        *level = fight::handicapped(&args.counting.handicap, level)?;
    }
    let prints_log = args.log || !args.is_counted();
    let plan = match prints_log {
        true => SeedRange::of(&args.many, &args.counting, 1)?,
        false => SeedRange::counted(&args.many, &args.counting)?,
    };
    let comparisons = Comparisons::read(&args.compare, &args.vary)?;
    let mut experiments = vec![];
    for level in &all {
        let players = fight::players_by_side(&args.counting.ai, level)?;
        let rulesets = rulesets_of(level, args.rules.as_deref())?;
        experiments.extend(comparisons.experiments(level, &rulesets, &players)?);
    }
    let single = experiments.len() == 1 && plan.seeds.start() == plan.seeds.end();
    let record = match &args.record {
        Some(_) if !single => {
            let why = "--record takes a single battle: one level, one ruleset";
            return Err(Failure::usage(why));
        }
        Some(path) => {
            out::check_inputs(path, &args.levels)?;
            let (thing, force) = ("a recording", args.counting.force);
            Some(out::place::<Recording>(thing, path, force, "--force")?)
        }
        None => None,
    };
    external::limit(args.counting.bots.bot_time);
    let Counting { out, force, .. } = &args.counting;
    let inputs = args.levels.iter().chain(&args.compare);
    redirect(out.as_ref(), *force, inputs)?;
    let pool = progress::threads(args.many.threads)?;
    if prints_log {
        for experiment in &experiments {
            print_battles(args, experiment, &plan.seeds, record.as_deref(), single)?;
            progress::stopped()?;
        }
        return Ok(());
    }
    pool.install(|| fight::run_experiments(&experiments, &plan, &args.counting, Form::Text))
}

/// The rulesets to play a level under: those given, or else the level's own, or else
/// the default.
pub fn rulesets_of(
    level: &Level,
    given: Option<&[&'static Ruleset]>,
) -> Result<Vec<&'static Ruleset>, Failure> {
    let own = level.rules;
    let own = own.and_then(|own| fivefoot_core::rulesets::find(own.0));
    match (own, given) {
        (Some(own), Some(given)) if given.iter().all(|r| r.id != own.id) => {
            let why = format!("{} can be played only under {}", level.id, own.id);
            Err(Failure::usage(why))
        }
        (Some(own), _) => Ok(vec![own]),
        (None, Some(given)) => Ok(given.to_vec()),
        (None, None) => Ok(vec![fivefoot_core::rulesets::ALL[0]]),
    }
}

fn print_battles(
    args: &SimArgs,
    experiment: &Experiment,
    seeds: &RangeInclusive<u64>,
    record: Option<&Path>,
    single: bool,
) -> Outcome {
    let (level, rules) = (&experiment.main.level, experiment.main.rules);
    let mut runner = BattleRunner::new(experiment);
    let mut tally = experiment.blank();
    for seed in seeds.clone() {
        let Some(battle) = runner.fight(seed, &mut tally, progress::is_stopped) else {
            break;
        };
        // The quick AI continued for a program that failed.
        if !progress::counts(seed) {
            break;
        }
        let ending = Ending::of(battle, level, seed);
        // Before the log, because printing the log can fail.
        let written = match record {
            Some(path) => out::write_text(path, Recording::of(battle, level, seed).text()),
            None => Ok(()),
        };
        if args.counting.json {
            for event in battle.events() {
                say_json(event.json(battle.names()));
            }
            say_json(ending.json());
        } else {
            say(format!("{} · {} · seed {seed}", level.title, rules.id));
            if single && !level.briefing.is_empty() {
                say(unwrapped(&level.briefing));
            }
            battles::print_log(battle, battle.events(), args.log);
            say("");
            say(sides(&ending));
        }
        if let (Err(e), Some(path)) = (written, &args.record) {
            return Err(write_failure(path, e));
        }
        if out::is_closed() {
            break;
        }
    }
    Ok(())
}

/// The final state of each side, in one line.
fn sides(ending: &Ending) -> String {
    let side = |t: &battles::SideResult| {
        let parts = [
            (t.standing, "standing"),
            (t.down, "down"),
            (t.dead, "dead"),
            (t.fled, "fled"),
        ];
        let present = parts.iter().filter(|p| p.0 > 0);
        let counts = present.map(|(n, what)| format!("{n} {what}"));
        format!("{}: {}", t.side, counts.collect::<Vec<_>>().join(", "))
    };
    let sides: Vec<_> = ending.sides.iter().map(side).collect();
    let rounds = count(ending.rounds as usize, "round");
    let answers = count(ending.answers, "answer");
    format!("{} · {rounds}, {answers}", sides.join(" · "))
}
