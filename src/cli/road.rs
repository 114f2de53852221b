//! `fivefoot road`: runs on the Road without a window.

use super::{
    Failure, Outcome,
    args::{Rulesets, rulesets, whole},
    battles, out, print_error, progress, say, say_json, write_failure,
};
use clap::Args;
use fivefoot_core::{
    battle::Ruleset,
    control::{FileKind, Player, recording::Recording},
    files::RECORDING_BYTES,
    lab::interval::wilson,
    road::{
        Difficulty, Fate, Run, RunAct, RunEnd, RunState, Settings,
        auto::{Choice, Played, play_on, result},
        way,
    },
    rulesets,
    words::count,
};
use rayon::prelude::*;
use serde_json::json;
use std::{collections::BTreeMap, path::PathBuf};

/// Play a run of the Road, an AI in place of the player, and print where it ends.
///
/// A run is eight to ten battles with one squad; wounds last and the dead are lost. With
/// --runs, print where many runs end. With a FILE, print the story of that run, and play
/// every battle again: exit code 3 if one plays back differently. Ctrl-C stops early and
/// prints the results so far. See docs/road.md.
#[derive(Args)]
pub struct RoadArgs {
    /// A run, as --out or the game writes it
    #[arg(value_name = "FILE", conflicts_with_all = ["code", "rules", "difficulty", "keep_dead", "length", "runs", "seed"])]
    file: Option<PathBuf>,
    /// The code of a road; it stands for the seed, the ruleset and the difficulty
    #[arg(long, value_name = "CODE", conflicts_with_all = ["rules", "difficulty", "keep_dead", "length", "runs", "seed"])]
    code: Option<String>,
    /// The seed of the first road; each further run adds one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(0..=Settings::SEEDS - 1))]
    seed: u32,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// The AI that plays the squad; the quick AI plays the enemies
    #[arg(long, value_name = "NAME", default_value = "quick")]
    ai: Player,
    /// Story, easy, normal or hard
    #[arg(long, value_name = "NAME", default_value = "normal", value_parser = difficulty)]
    difficulty: Difficulty,
    /// Units that die come back with a wound
    #[arg(long)]
    keep_dead: bool,
    /// Battles on the road
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = whole::<u8>(8..=10))]
    length: u8,
    /// Stop after this many battles
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=10))]
    battles: Option<u8>,
    /// Take the way with the largest reward, not the safest one
    #[arg(long)]
    bold: bool,
    /// Runs with one seed after the other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=100_000))]
    runs: u32,
    /// Threads, 1 to 256 [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
    /// Write the run to this file, or with --extract its battle
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    out: Option<PathBuf>,
    /// Overwrite the file of --out even if it is something else
    #[arg(long, requires = "out")]
    force: bool,
    /// Write battle N of the run in FILE to --out, as a recording for `replay`
    #[arg(long, value_name = "N", requires = "file", requires = "out", value_parser = whole::<u8>(1..=10))]
    extract: Option<u8>,
    /// Play the run in FILE on from where it stands
    #[arg(long, requires = "file", conflicts_with = "extract")]
    play_on: bool,
    /// One JSON object per run, or for all runs
    #[arg(long)]
    json: bool,
}

/// Number of battles that measure the odds printed for each way.
const ODDS: u32 = 100;

pub fn run(args: &RoadArgs) -> Outcome {
    if let Some(file) = &args.file {
        return again(args, file);
    }
    let all = settings(args)?;
    let pool = progress::threads(args.threads)?;
    match args.runs {
        1 if all.len() == 1 => pool.install(|| one(args, Run::new(&all[0]))),
        _ => pool.install(|| many(args, &all)),
    }
}

/// The settings of the first run, for each ruleset.
fn settings(args: &RoadArgs) -> Result<Vec<Settings>, Failure> {
    if let Some(code) = &args.code {
        return Ok(vec![Settings::of_code(code).map_err(Failure::usage)?]);
    }
    let rules: &[&'static Ruleset] = args.rules.as_deref().unwrap_or(&rulesets::ALL[..1]);
    let is_full = |rules: &&'static Ruleset| rulesets::ALL.iter().any(|a| a.id == rules.id);
    if let Some(demo) = rules.iter().find(|rules| !is_full(rules)) {
        let what = format!("the Road cannot be played under {}", demo.id);
        return Err(Failure::usage(what));
    }
    let of = |rules: &&'static Ruleset| Settings {
        difficulty: args.difficulty,
        keeps_dead: args.keep_dead,
        battles: args.length,
        ..Settings::new(args.seed, rules)
    };
    Ok(rules.iter().map(of).collect())
}

fn choice(args: &RoadArgs) -> Choice {
    match args.bold {
        true => Choice::Bold,
        false => Choice::Safe,
    }
}

fn most(args: &RoadArgs) -> usize {
    args.battles.map_or(usize::MAX, usize::from)
}

fn go_on() -> bool {
    !progress::is_stopped()
}

/// Plays one run, prints its story and saves it; if a signal came, as far as it got.
fn one(args: &RoadArgs, mut run: Run) -> Outcome {
    let before = run.acts.len();
    let place = |out: &PathBuf| out::place::<Run>("a run", out, args.force, "--force");
    let place = args.out.as_ref().map(place).transpose()?;
    let played = play_on(&mut run, args.ai, choice(args), most(args), go_on);
    let state = match played {
        Err(_) if progress::is_stopped() => run.state(),
        played => played,
    };
    let state = state.map_err(Failure::new)?;
    if let Some(place) = &place {
        out::write_text(place, run.text()).map_err(|e| write_failure(place, e))?;
    }
    print_report(args, &run, &state, before)?;
    progress::stopped_after(&format!("played {}", count(state.stop, "battle")))
}

/// Reads a run and verifies it, continues it, or extracts one of its battles.
fn again(args: &RoadArgs, file: &std::path::Path) -> Outcome {
    let name = file.display().to_string();
    let text = battles::read(file, RECORDING_BYTES)?;
    let run = Run::read(&name, &text).map_err(|why| {
        let wrong_kind = battles::wrong_kind(FileKind::Run, &name, &text);
        wrong_kind.unwrap_or_else(|| Failure::new(why))
    })?;
    if let (Some(nth), Some(out)) = (args.extract, &args.out) {
        let found = run.battles().nth(usize::from(nth) - 1);
        let Some((_, _, recording)) = found else {
            let all = run.battles().count();
            let what = format!("{name}: there is no battle {nth}; the run has {all}");
            return Err(Failure::usage(what));
        };
        out::check_inputs(out, args.file.as_ref())?;
        let place = out::place::<Recording>("a recording", out, args.force, "--force")?;
        return out::write_text(&place, recording.text()).map_err(|e| write_failure(out, e));
    }
    let pool = progress::threads(args.threads)?;
    if args.play_on {
        return pool.install(|| one(args, run));
    }
    let state = run.state().map_err(Failure::new)?;
    print_report(args, &run, &state, 0)?;
    let verified = run.verify(go_on);
    progress::stopped()?;
    verified.map_err(|why| Failure::diverged(format!("{name}: {why}")))?;
    print_error(&format!("{name}: every battle plays back as recorded"));
    Ok(())
}

/// Prints the story of a run from act `from` on.
fn print_report(args: &RoadArgs, run: &Run, last: &RunState, from: usize) -> Outcome {
    let settings = last.settings;
    let mut state = RunState::new(settings);
    if !args.json {
        say(format!(
            "{}: {} under {}, {} battles, seed {}",
            settings.code(),
            settings.difficulty.name(),
            settings.rules.id,
            settings.battles,
            settings.seed
        ));
    }
    let mut stops = vec![];
    for (n, act) in run.acts.iter().enumerate() {
        let fork = state.clone();
        state.apply(act).map_err(Failure::new)?;
        let RunAct::Fight { way, outcome, .. } = act else {
            continue;
        };
        if n < from {
            continue;
        }
        let odds = way::odds(way, &fork.squad, &settings, ODDS, |_| go_on());
        let share = odds.map(|odds| (odds.share() * 100.0).round() as u32);
        let with = |fate: Fate| outcome.fates.iter().filter(|of| of.1 == fate).count();
        let (fell, died) = (with(Fate::Fell), with(Fate::Died));
        if args.json {
            stops.push(json!({
                "stop": way.stop + 1,
                "title": way.title,
                "enemies": way.members,
                "aim": way.aim,
                "odds": share,
                "named_odds": way::named_odds(&settings, way.nth),
                "won": outcome.won,
                "fell": fell,
                "died": died,
                "squad": state.squad.iter().map(|m| json!({
                    "kind": m.kind, "level": m.level, "wounds": m.wounds.len(),
                })).collect::<Vec<_>>(),
            }));
            continue;
        }
        let odds = share.map_or(String::from("?"), |share| format!("{share}%"));
        let group = |(kind, count): &(String, u32)| format!("{count} {kind}");
        let enemies = way.members.iter().map(group).collect::<Vec<_>>().join(", ");
        let end = if outcome.won { "won" } else { "lost" };
        say(format!(
            "{:>2}. {} ({}), {odds} to win: {end}, {fell} fell, {died} died",
            way.stop + 1,
            way.title,
            enemies,
        ));
        for news in &state.news {
            say(format!("      {}", news.text));
        }
    }
    let squad = last.squad.iter().map(|m| {
        let wounds = match m.wounds.len() {
            0 => String::new(),
            1 => ", 1 wound".into(),
            n => format!(", {n} wounds"),
        };
        format!("{} (level {}{wounds})", m.name(), m.level)
    });
    let end = last.end.map_or("not over", RunEnd::text);
    match args.json {
        true => say_json(json!({
            "what": "run",
            "code": settings.code(),
            "seed": settings.seed,
            "rules": settings.rules.id,
            "difficulty": settings.difficulty.name(),
            "battles": settings.battles,
            "stop": last.stop,
            "won": last.won,
            "end": last.end.map(RunEnd::id),
            "lost": last.lost.iter().map(|m| &m.kind).collect::<Vec<_>>(),
            "stops": stops,
        })),
        false => {
            let squad = squad.collect::<Vec<_>>().join(", ");
            say(format!(
                "After {} of {} battles, {} won: {end}. Squad: {}.",
                last.stop,
                settings.battles,
                last.won,
                if squad.is_empty() { "nobody" } else { &squad }
            ));
        }
    }
    Ok(())
}

/// Plays many runs under each ruleset and prints how far they get.
fn many(args: &RoadArgs, all: &[Settings]) -> Outcome {
    for first in all {
        let bar = progress::bar(first.rules.id.into(), args.runs.into());
        // `None` if a signal came before the end of the run.
        let play = |n: u32| {
            let seed = first.seed.wrapping_add(n);
            let settings = Settings {
                seed: seed % Settings::SEEDS,
                ..*first
            };
            let ended = result(&settings, args.ai, choice(args), most(args), go_on);
            bar.inc(1);
            (ended.is_ok() || go_on()).then_some(ended)
        };
        let runs = (0..args.runs).into_par_iter().map(play).while_some();
        let ends: Result<Vec<Played>, String> = runs.collect();
        bar.finish_and_clear();
        let ends = ends.map_err(Failure::new)?;
        distribution(args, first, &ends);
        let runs = count(ends.len(), "run");
        progress::stopped_after(&format!("played {runs} under {}", first.rules.id))?;
    }
    Ok(())
}

fn distribution(args: &RoadArgs, first: &Settings, played: &[Played]) {
    let ends: Vec<&RunState> = played.iter().map(|run| &run.state).collect();
    let of = ends.len();
    let finished = |s: &&&RunState| s.end == Some(RunEnd::Finished);
    let done = ends.iter().filter(finished).count();
    let (low, high) = wilson(done as f64, of);
    let mut after: BTreeMap<usize, usize> = BTreeMap::new();
    let mut why: BTreeMap<&str, usize> = BTreeMap::new();
    for state in &ends {
        *why.entry(state.end.map_or("not_over", RunEnd::id))
            .or_default() += 1;
        if state.end != Some(RunEnd::Finished) {
            *after.entry(state.stop).or_default() += 1;
        }
    }
    let sum = |of: fn(&RunState) -> usize| ends.iter().map(|state| of(state)).sum::<usize>();
    let (fought, won) = (sum(|s| s.stop), sum(|s| s.won));
    let lost = sum(|s| s.lost.len());
    let rounds: u32 = played.iter().map(|run| run.rounds).sum();
    if args.json {
        say_json(json!({
            "what": "runs",
            "rules": first.rules.id,
            "difficulty": first.difficulty.name(),
            "battles": first.battles,
            "first_seed": first.seed,
            "runs": of,
            "finished": {"share": done as f64 / of.max(1) as f64, "low": low, "high": high},
            "ends": why,
            "ended_after": after,
            "battles_fought": fought,
            "battles_won": won,
            "rounds": rounds,
            "units_lost": lost,
        }));
        return;
    }
    let mean = |sum: f64| sum / of.max(1) as f64;
    let percent = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    say(format!(
        "{} at {}: {done} of {of} runs finished, {:.0}% (95%: {:.0} to {:.0}%); {:.0}% of {fought} battles won; in a run {:.1} units lost, {:.1} battles, {:.0} rounds",
        first.rules.id,
        first.difficulty.name(),
        percent(done, of),
        low * 100.0,
        high * 100.0,
        percent(won, fought),
        mean(lost as f64),
        mean(fought as f64),
        mean(f64::from(rounds)),
    ));
    for (stop, count) in &after {
        let bar = "#".repeat(*count * 40 / of);
        say(format!("  after battle {stop:>2}: {count:>4}  {bar}"));
    }
}

/// Parses a difficulty by name: `normal`.
pub fn difficulty(name: &str) -> Result<Difficulty, String> {
    let all = Difficulty::ALL.map(|d| d.name().to_lowercase()).join(", ");
    Difficulty::named(name).ok_or(format!("the difficulties are {all}"))
}
