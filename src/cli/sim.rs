//! `fivefoot sim`

use super::{Failure, Outcome, SimArgs, battles, say};
use crate::{
    battle::{Battle, DiceBox, Ruleset, Setup, level_setup},
    control::{Player, Table, play, recording::Recording},
    levels::{self, Level},
};
use battles::Ending;
use rayon::prelude::*;
use std::sync::Arc;

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
    let rulesets = match &args.rules {
        Some(given) => given.0.clone(),
        None => vec![crate::rulesets::ALL[0]],
    };
    let runs = all.len() * rulesets.len() * args.battles as usize;
    if args.record.is_some() && runs > 1 {
        return Err(Failure::usage(
            "--record takes a single battle: one level, one ruleset",
        ));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.into())
        .build()
        .map_err(|e| Failure::new(format!("cannot start {} threads: {e}", args.threads)))?;
    for level in &all {
        let players = seats(args, level)?;
        for rules in &rulesets {
            let setup = level_setup(level);
            let series = Series {
                level,
                setup,
                rules,
                players: &players,
            };
            if args.battles == 1 || args.log || args.record.is_some() {
                tell_each(args, &series, runs == 1)?;
            } else {
                let seeds = args.seed..args.seed.saturating_add(args.battles.into());
                let endings: Vec<Ending> = pool.install(|| {
                    let fight = |last: &mut Option<_>, seed| series.fight(last, seed);
                    seeds.into_par_iter().map_init(|| None, fight).collect()
                });
                summarise(args, &series, &endings);
            }
        }
    }
    Ok(())
}

/// Who plays each side.
fn seats(args: &SimArgs, level: &Level) -> Result<Vec<Player>, Failure> {
    let mut players = vec![Player::Quick; level.sides.len()];
    for seat in &args.ai {
        let (side, name) = seat
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("--ai {seat}: write SIDE=NAME")))?;
        let n = level
            .sides
            .iter()
            .position(|s| s.id == side)
            .ok_or_else(|| {
                let sides: Vec<_> = level.sides.iter().map(|s| s.id.as_str()).collect();
                Failure::usage(format!(
                    "{} has no side '{side}'; it has {}",
                    level.id,
                    sides.join(", ")
                ))
            })?;
        players[n] = name.parse().map_err(Failure::usage)?;
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
    /// Fights a battle; `last` is the one before it, whose world is used again.
    fn fight(&self, last: &mut Option<(Battle, Table)>, seed: u64) -> Ending {
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
        play(battle, table, MOST_ANSWERS);
        Ending::of(battle, self.level, seed)
    }
}

fn tell_each(args: &SimArgs, series: &Series, single: bool) -> Outcome {
    for seed in args.seed..args.seed.saturating_add(args.battles.into()) {
        let mut last = None;
        let ending = series.fight(&mut last, seed);
        let Some((battle, _)) = last else { continue };
        if args.json {
            battle
                .events()
                .iter()
                .for_each(|e| say(e.json(battle.names())));
            say(ending.json());
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
        if let Some(path) = &args.record {
            let recording = Recording::of(&battle, series.level, seed);
            recording
                .write(path)
                .map_err(|e| Failure::new(format!("{}: cannot be written: {e}", path.display())))?;
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
        "{} · {} rounds, {} answers",
        sides.join(" · "),
        ending.rounds,
        ending.answers
    )
}

fn summarise(args: &SimArgs, series: &Series, endings: &[Ending]) {
    if args.json {
        endings.iter().for_each(|e| say(e.json()));
        return;
    }
    say(format!(
        "{} · {} · {} battles",
        series.level.title,
        series.rules.id,
        endings.len()
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
