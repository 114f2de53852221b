//! `fivefoot arena`: one AI against another.

use super::{
    ArenaArgs, Failure, Names, Outcome, battles, blunders, external, positions, progress, say,
    say_json, sim::rulesets_of,
};
use fivefoot_core::{
    battle::{Battle, DiceBox, Ruleset, Setup, level_setup},
    control::{Player, Table},
    lab::{Draws, MOST_ANSWERS, Seeds, interval::wilson},
    levels::Level,
    words::count,
};
use rayon::prelude::*;
use std::time::Instant;

pub fn run(args: &ArenaArgs) -> Outcome {
    external::limit(args.bots.bot_time);
    if !args.positions.is_empty() {
        return positions::run(args);
    }
    let pool = progress::threads(args.many.threads)?;
    let given = args.rules.as_ref().map(|r| r.0.as_slice());
    let handicaps = handicaps(args)?;
    let mut names = Names::default();
    for path in &args.levels {
        let level = battles::level(path)?;
        let rulesets = rulesets_of(&level, given)?;
        if !args.json && args.blunders.is_none() {
            say(heading(args, &level, handicaps));
        }
        for rules in rulesets {
            if let Some(folder) = &args.blunders {
                let setup = level_setup(&level);
                pool.install(|| blunders::find(args, folder, &level, &setup, rules, &mut names))?;
                progress::stopped()?;
                continue;
            }
            let setup = |swapped| {
                let of = |side: usize| handicaps[usize::from((side % 2 == 1) != swapped)];
                let all: Vec<u8> = (0..level.sides.len()).map(of).collect();
                level_setup(&level.with_handicaps(&all))
            };
            let contest = Contest {
                args,
                level: &level,
                setups: [false, true].map(setup),
                rules,
            };
            let result = pool.install(|| contest.fight_all());
            match args.json {
                true => say_json(result.json(args, &level, rules, handicaps)),
                false => say(result.row(rules)),
            }
            progress::stopped_after(&result.sample(&level, rules))?;
        }
    }
    Ok(())
}

/// Those of a and of b, in points.
fn handicaps(args: &ArenaArgs) -> Result<[u8; 2], Failure> {
    let mut both = [0; 2];
    for super::Points { of, points } in &args.handicap {
        match of.as_str() {
            "a" => both[0] = *points,
            "b" => both[1] = *points,
            _ => {
                return Err(Failure::usage(format!(
                    "--handicap takes a or b, not '{of}'"
                )));
            }
        }
    }
    Ok(both)
}

fn heading(args: &ArenaArgs, level: &Level, handicaps: [u8; 2]) -> String {
    let with = |n: usize| match handicaps[n] {
        0 => String::new(),
        points => format!(" with a handicap of {points}"),
    };
    format!(
        "{}: b {}{} against a {}{}\n{:<10} {:>7} {:>6} {:>6} {:>6} {:>6} {:>9}  {:<20} {:>16} {:>16}",
        level.title,
        args.b.name(),
        with(1),
        args.a.name(),
        with(0),
        "",
        "battles",
        "b wins",
        "a wins",
        "nobody",
        "limit",
        "stalemate",
        "b's share, 95%",
        "a: ms a decision",
        "b: ms a decision"
    )
}

/// Battles of two AIs on one level under one ruleset.
struct Contest<'a> {
    args: &'a ArenaArgs,
    level: &'a Level,
    /// As they are, and with the sides swapped: a handicap is a player's.
    setups: [Setup; 2],
    rules: &'static Ruleset,
}

/// The results of some battles.
#[derive(Default)]
struct Tally {
    wins: [usize; 2],
    nobody: usize,
    draws: Draws,
    /// Of each battle.
    seeds: Vec<u64>,
    /// Microseconds of each decision of a and of b.
    times: [Vec<u32>; 2],
}

impl Contest<'_> {
    /// Two battles for each seed, the sides swapped in the second.
    fn fight_all(&self) -> Tally {
        let what = format!("{} · {}", self.level.title, self.rules.id);
        let bar = progress::bar(what, self.args.battles.into());
        let battles = 0..u64::from(self.args.battles);
        let fight = |n: u64| {
            let tally = self.fight(self.args.many.seed.wrapping_add(n / 2), n % 2 == 1);
            bar.inc(1);
            tally
        };
        let all = battles.into_par_iter().map(fight).while_some();
        let tally = all.reduce(Tally::default, Tally::and);
        bar.finish_and_clear();
        tally
    }

    /// None: a signal came before its end.
    fn fight(&self, seed: u64, swapped: bool) -> Option<Tally> {
        // By side: whether b plays it.
        let is_b = |side: usize| (side % 2 == 1) != swapped;
        let player = |side: usize| if is_b(side) { self.args.b } else { self.args.a };
        let players: Vec<Player> = (0..self.level.sides.len()).map(player).collect();
        let setup = &self.setups[usize::from(swapped)];
        let mut table = Table::new(&players, setup, self.rules, seed);
        let mut battle = Battle::new(setup.clone(), self.rules, DiceBox::seeded(seed));
        let mut tally = Tally::default();
        while let Some(question) = battle.asked() {
            if progress::is_stopped() {
                return None;
            }
            if battle.answers().len() >= MOST_ANSWERS {
                break;
            }
            let side = question.side.index();
            let before = Instant::now();
            let choice = table.0[side].choose(&mut battle);
            let time = before.elapsed().as_micros();
            tally.times[usize::from(is_b(side))].push(time.try_into().unwrap_or(u32::MAX));
            if let Err(e) = battle.answer(choice) {
                panic!("an illegal answer: {e}");
            }
        }
        table.ended(&battle);
        // What an AI did after a program had failed is no result.
        if progress::is_stopped() {
            return None;
        }
        match battle.over().flatten() {
            Some(won) => tally.wins[usize::from(is_b(won.index()))] += 1,
            None => tally.nobody += 1,
        }
        tally.draws.count(&battle);
        tally.seeds.push(seed);
        Some(tally)
    }
}

impl Tally {
    fn and(mut self, other: Self) -> Self {
        self.seeds.extend(other.seeds);
        for n in 0..2 {
            self.wins[n] += other.wins[n];
            self.times[n].extend(&other.times[n]);
        }
        self.nobody += other.nobody;
        self.draws.join(other.draws);
        self
    }

    fn battles(&self) -> usize {
        self.wins[0] + self.wins[1] + self.nobody
    }

    /// What was fought before a signal came.
    fn sample(&self, level: &Level, rules: &Ruleset) -> String {
        let battles = count(self.battles(), "battle");
        let seeds: Seeds = self.seeds.iter().copied().collect();
        let noun = if seeds.count() == 1 { "seed" } else { "seeds" };
        format!(
            "fought {battles} of {} under {}, {noun} {seeds}",
            level.id, rules.id
        )
    }

    /// What b won of all battles, a draw as half; with its interval.
    fn share(&self) -> (f64, (f64, f64)) {
        let hits = self.wins[1] as f64 + self.nobody as f64 / 2.0;
        let of = self.battles();
        (hits / of.max(1) as f64, wilson(hits, of))
    }

    /// Milliseconds of a decision at the median and at the 99th percentile.
    fn time(&self, n: usize) -> (f64, f64) {
        let mut times = self.times[n].clone();
        times.sort_unstable();
        let at = |percent: usize| {
            let found = times.get(times.len().saturating_sub(1) * percent / 100);
            found.map_or(0.0, |&time| f64::from(time) / 1000.0)
        };
        (at(50), at(99))
    }

    fn row(&self, rules: &Ruleset) -> String {
        let (share, (least, most)) = self.share();
        let percent = |share: f64| share * 100.0;
        let interval = format!(
            "{:.1}% [{:.1}, {:.1}]",
            percent(share),
            percent(least),
            percent(most)
        );
        let time = |n| {
            let (median, high) = self.time(n);
            format!("{median:.2} · {high:.1}")
        };
        format!(
            "{:<10} {:>7} {:>6} {:>6} {:>6} {:>6} {:>9}  {interval:<20} {:>16} {:>16}",
            rules.id,
            self.battles(),
            self.wins[1],
            self.wins[0],
            self.nobody,
            self.draws.round_limit,
            self.draws.stalemate,
            time(0),
            time(1)
        )
    }

    fn json(
        &self,
        args: &ArenaArgs,
        level: &Level,
        rules: &Ruleset,
        handicaps: [u8; 2],
    ) -> serde_json::Value {
        let (share, (least, most)) = self.share();
        let times = [self.time(0), self.time(1)];
        serde_json::json!({
            "what": "arena",
            "level": level.id,
            "rules": rules.id,
            "a": args.a.name(),
            "b": args.b.name(),
            "seed": args.many.seed,
            "handicaps": handicaps,
            "battles": self.battles(),
            "a_wins": self.wins[0],
            "b_wins": self.wins[1],
            "nobody_wins": self.nobody,
            "round_limit": self.draws.round_limit,
            "stalemate": self.draws.stalemate,
            "b_share": share,
            "b_share_95": [least, most],
            "a_ms_a_decision": {"median": times[0].0, "p99": times[0].1},
            "b_ms_a_decision": {"median": times[1].0, "p99": times[1].1},
        })
    }
}
