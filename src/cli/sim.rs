//! `fivefoot sim`

use super::{Failure, Outcome, SimArgs, battles, out, progress, say, say_json};
use crate::{
    battle::{Battle, DiceBox, Ruleset, Setup, level_setup},
    control::{Player, Table, keep::place_for_recording, play, recording::Recording},
    levels::{self, Level},
    words::count,
};
use battles::Ending;
use rayon::prelude::*;
use std::{ops::RangeInclusive, path::Path, sync::Arc};

/// Answers between two looks whether to stop.
const ANSWERS_AT_A_TIME: usize = 64;

/// Answers after which a battle is given up: far more than any has.
pub const MOST_ANSWERS: usize = 100_000;

pub fn run(args: &SimArgs) -> Outcome {
    let mut all = vec![];
    for path in &args.levels {
        all.push(battles::level(path)?);
    }
    if all.is_empty() {
        all.push(levels::default_level());
    }
    let given = args.rules.as_ref().map(|r| r.0.as_slice());
    let mut rulesets = vec![];
    for level in &all {
        rulesets.push(rulesets_of(level, given)?);
    }
    let seeds = seeds(args)?;
    let runs = rulesets.iter().map(Vec::len).sum::<usize>() * args.battles as usize;
    let record = match &args.record {
        Some(_) if runs > 1 => {
            let why = "--record takes a single battle: one level, one ruleset";
            return Err(Failure::usage(why));
        }
        Some(path) => {
            Some(place_for_recording(path, args.force).map_err(|why| unwritten(path, why))?)
        }
        None => None,
    };
    let pool = progress::threads(args.many.threads)?;
    progress::heed_ctrl_c();
    for (level, rulesets) in all.iter().zip(&rulesets) {
        let players = seats(args, level)?;
        for rules in rulesets {
            let setup = level_setup(level);
            let series = Series {
                level,
                setup,
                rules,
                players: &players,
            };
            if args.battles == 1 || args.log {
                tell_each(args, &series, &seeds, record.as_deref(), runs == 1)?;
            } else {
                let endings = pool.install(|| series.fight_all(&seeds, args.battles));
                if !endings.is_empty() {
                    summarise(args, &series, &endings);
                }
            }
            if progress::is_stopped() {
                return Err(Failure::stopped("stopped by Ctrl-C"));
            }
        }
    }
    Ok(())
}

/// The rulesets to play a level under: those given, or its own, or the first.
pub fn rulesets_of(
    level: &Level,
    given: Option<&[&'static Ruleset]>,
) -> Result<Vec<&'static Ruleset>, Failure> {
    let own = level.rules.and_then(|own| crate::rulesets::find(own.0));
    match (own, given) {
        (Some(own), Some(given)) if given.iter().all(|r| r.id != own.id) => {
            let why = format!("{} is for {} alone", level.id, own.id);
            Err(Failure::usage(why))
        }
        (Some(own), _) => Ok(vec![own]),
        (None, Some(given)) => Ok(given.to_vec()),
        (None, None) => Ok(vec![crate::rulesets::ALL[0]]),
    }
}

/// The seeds of the battles, one after the other.
fn seeds(args: &SimArgs) -> Result<RangeInclusive<u64>, Failure> {
    let more = u64::from(args.battles) - 1;
    let last = args.many.seed.checked_add(more).ok_or_else(|| {
        let (battles, most) = (count(args.battles as usize, "battle"), u64::MAX);
        Failure::usage(format!(
            "{battles} from seed {} on would need seeds beyond {most}",
            args.many.seed
        ))
    })?;
    Ok(args.many.seed..=last)
}

fn unwritten(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{}: {why}", path.display()))
}

/// Who plays each side.
fn seats(args: &SimArgs, level: &Level) -> Result<Vec<Player>, Failure> {
    let mut players = vec![Player::Quick; level.sides.len()];
    for super::Seat { side, player } in &args.ai {
        let found = level.side_named(side).ok_or_else(|| {
            let sides: Vec<_> = level.sides.iter().map(|s| s.id.as_str()).collect();
            Failure::usage(format!(
                "{} has no side '{side}'; it has {}",
                level.id,
                sides.join(", ")
            ))
        })?;
        players[usize::from(found.0)] = *player;
    }
    Ok(players)
}

/// Battles of one level under one ruleset.
struct Series<'a> {
    level: &'a Arc<Level>,
    /// Shared by all of them, and with it what the board remembers of sight.
    setup: Setup,
    rules: &'static Ruleset,
    players: &'a [Player],
}

impl Series<'_> {
    /// All battles, on the cores of the pool that this is called in; those that
    /// Ctrl-C left.
    fn fight_all(&self, seeds: &RangeInclusive<u64>, battles: u32) -> Vec<Ending> {
        let what = format!("{} · {}", self.level.title, self.rules.id);
        let bar = progress::bar(what, battles.into());
        let fight = |last: &mut Option<_>, seed| {
            let ending = self.fight(last, seed);
            bar.inc(1);
            ending
        };
        let all = seeds.clone().into_par_iter().map_init(|| None, fight);
        let endings = all.while_some().collect();
        bar.finish_and_clear();
        endings
    }

    /// Fights a battle; `last` is the one before it, whose world is used again.
    /// None: Ctrl-C came before its end.
    fn fight(&self, last: &mut Option<(Battle, Table)>, seed: u64) -> Option<Ending> {
        if progress::is_stopped() {
            return None;
        }
        let dice = DiceBox::seeded(seed);
        let (battle, table) = match last {
            Some((battle, table)) => {
                battle.restart(dice);
                table.restart(battle, seed);
                (battle, table)
            }
            None => {
                let table = Table::new(self.players, &self.setup, self.rules, seed);
                let battle = Battle::new(self.setup.clone(), self.rules, dice);
                let (battle, table) = last.insert((battle, table));
                (battle, table)
            }
        };
        // Some battles are long: Ctrl-C is looked for now and then.
        while battle.asked().is_some() && battle.answers().len() < MOST_ANSWERS {
            play(battle, table, ANSWERS_AT_A_TIME);
            if progress::is_stopped() {
                return None;
            }
        }
        Some(Ending::of(battle, self.level, seed))
    }
}

fn tell_each(
    args: &SimArgs,
    series: &Series,
    seeds: &RangeInclusive<u64>,
    record: Option<&Path>,
    single: bool,
) -> Outcome {
    for seed in seeds.clone() {
        let mut last = None;
        let (Some(ending), Some((battle, _))) = (series.fight(&mut last, seed), last) else {
            break;
        };
        // Before the log, which perhaps cannot be printed.
        let kept = match record {
            Some(path) => Recording::of(&battle, series.level, seed).write(path),
            None => Ok(()),
        };
        if args.json {
            battle
                .events()
                .iter()
                .for_each(|e| say_json(e.json(battle.names())));
            say_json(ending.json());
        } else {
            say(format!(
                "{} · {} · seed {seed}",
                series.level.title, series.rules.id
            ));
            if single && !series.level.briefing.is_empty() {
                say(&series.level.briefing);
            }
            battles::tell(&battle, battle.events(), args.log);
            say("");
            say(sides(&ending));
        }
        if let (Err(e), Some(path)) = (kept, &args.record) {
            return Err(unwritten(path, format!("cannot be written: {e}")));
        }
        if out::is_unread() {
            break;
        }
    }
    Ok(())
}

/// One line: what became of each side.
fn sides(ending: &Ending) -> String {
    let side = |t: &battles::Tally| {
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

fn summarise(args: &SimArgs, series: &Series, endings: &[Ending]) {
    if args.json {
        endings.iter().for_each(|e| say_json(e.json()));
        return;
    }
    say(format!(
        "{} · {} · {}",
        series.level.title,
        series.rules.id,
        count(endings.len(), "battle")
    ));
    let percent = |n: usize| format!("{:.1}%", n as f64 * 100.0 / endings.len() as f64);
    for (n, side) in series.level.sides.iter().enumerate() {
        let wins = endings
            .iter()
            .filter(|e| e.won.is_some_and(|s| s.index() == n))
            .count();
        let standing: u32 = endings.iter().map(|e| e.sides[n].standing).sum();
        let mean = f64::from(standing) / endings.len() as f64;
        say(format!(
            "  {} wins {wins} ({}), {mean:.2} standing at the end",
            side.id,
            percent(wins)
        ));
    }
    let draws = endings.iter().filter(|e| e.won.is_none()).count();
    say(format!("  nobody wins {draws} ({})", percent(draws)));
    let rounds: u32 = endings.iter().map(|e| e.rounds).sum();
    say(format!(
        "  {:.1} rounds on average",
        f64::from(rounds) / endings.len() as f64
    ));
}
