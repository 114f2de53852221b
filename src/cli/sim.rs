//! `fivefoot sim`: AI against AI, as a log or as statistics.

use super::{
    Failure, Outcome, SimArgs, battles, external,
    fight::{self, Besides, Plan},
    out, progress, redirect, say, say_json,
    telling::Form,
    unwritten,
};
use battles::Ending;
use fivefoot_core::{
    battle::Ruleset,
    control::recording::Recording,
    files,
    lab::{Bench, Experiment},
    levels::{self, Level},
    words::{count, unwrapped},
};
use std::{ops::RangeInclusive, path::Path};

pub fn run(args: &SimArgs) -> Outcome {
    args.counting.check_force(args.record.is_some())?;
    let mut all = vec![];
    for path in &args.levels {
        all.push(battles::level(path)?);
    }
    if all.is_empty() {
        all.push(levels::default_level());
    }
    for level in &mut all {
        *level = fight::handicapped(&args.counting.handicap, level)?;
    }
    let given = args.rules.as_ref().map(|r| r.0.as_slice());
    let is_told = args.log || !args.is_counted();
    let plan = match is_told {
        true => Plan::of(&args.many, &args.counting, 1)?,
        false => Plan::counted(&args.many, &args.counting)?,
    };
    let besides = Besides::read(&args.compare, &args.vary)?;
    let mut experiments = vec![];
    for level in &all {
        let players = fight::seats(&args.counting.ai, level)?;
        let rulesets = rulesets_of(level, given)?;
        experiments.extend(besides.experiments(level, &rulesets, &players)?);
    }
    let single = experiments.len() == 1 && plan.seeds.start() == plan.seeds.end();
    let record = match &args.record {
        Some(_) if !single => {
            let why = "--record takes a single battle: one level, one ruleset";
            return Err(Failure::usage(why));
        }
        Some(path) => {
            files::clear_parts(path.parent().unwrap_or(path));
            Some(Recording::place(path, args.counting.force).map_err(|e| unwritten(path, e))?)
        }
        None => None,
    };
    external::limit(args.counting.bots.bot_time);
    redirect(args.counting.out.as_ref(), args.counting.force)?;
    let pool = progress::threads(args.many.threads)?;
    if is_told {
        for experiment in &experiments {
            tell_each(args, experiment, &plan.seeds, record.as_deref(), single)?;
            progress::stopped()?;
        }
        return Ok(());
    }
    pool.install(|| fight::tell_all(&experiments, &plan, &args.counting, Form::Text))
}

/// The rulesets to play a level under: those given, or else the level's own, or else
/// the default.
pub fn rulesets_of(
    level: &Level,
    given: Option<&[&'static Ruleset]>,
) -> Result<Vec<&'static Ruleset>, Failure> {
    let own = level
        .rules
        .and_then(|own| fivefoot_core::rulesets::find(own.0));
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

fn tell_each(
    args: &SimArgs,
    experiment: &Experiment,
    seeds: &RangeInclusive<u64>,
    record: Option<&Path>,
    single: bool,
) -> Outcome {
    let (level, rules) = (&experiment.main.level, experiment.main.rules);
    let mut bench = Bench::new(experiment);
    let mut tally = experiment.blank();
    for seed in seeds.clone() {
        let Some(battle) = bench.fight(seed, &mut tally, progress::is_stopped) else {
            break;
        };
        let ending = Ending::of(battle, level, seed);
        // Before the log, because printing the log can fail.
        let kept = match record {
            Some(path) => Recording::of(battle, level, seed).write(path),
            None => Ok(()),
        };
        if args.counting.json {
            battle
                .events()
                .iter()
                .for_each(|e| say_json(e.json(battle.names())));
            say_json(ending.json());
        } else {
            say(format!("{} · {} · seed {seed}", level.title, rules.id));
            if single && !level.briefing.is_empty() {
                say(unwrapped(&level.briefing));
            }
            battles::tell(battle, battle.events(), args.log);
            say("");
            say(sides(&ending));
        }
        if let (Err(e), Some(path)) = (kept, &args.record) {
            return Err(unwritten(path, e));
        }
        if out::is_unread() {
            break;
        }
    }
    Ok(())
}

/// The final state of each side, in one line.
fn sides(ending: &Ending) -> String {
    let side = |t: &battles::Fate| {
        let parts = [
            (t.standing, "standing"),
            (t.down, "down"),
            (t.dead, "dead"),
            (t.fled, "fled"),
        ];
        let told = parts
            .iter()
            .filter(|p| p.0 > 0)
            .map(|(n, what)| format!("{n} {what}"));
        format!("{}: {}", t.side, told.collect::<Vec<_>>().join(", "))
    };
    let sides: Vec<_> = ending.sides.iter().map(side).collect();
    format!(
        "{} · {}, {}",
        sides.join(" · "),
        count(ending.rounds as usize, "round"),
        count(ending.answers, "answer")
    )
}
