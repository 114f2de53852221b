//! `fivefoot arena`: one AI against another.

use super::{
    Failure, Outcome,
    args::{Bots, HandicapOption, Many, Rulesets, check_once, players, rulesets, steps, whole},
    battles, external, fight, positions, progress, redirect, say, say_json_line, say_lines,
    sim::rulesets_of,
};
use clap::Args;
use fivefoot_core::{
    battle::{Battle, DiceBox, Ruleset, Setup, level_setup},
    control::{Controllers, Player},
    lab::{Fought, MAX_ANSWERS, Seeds, Shard, ShardedSeries, arena::Contest, file},
    levels::{self, Level},
    version,
    words::{count, shown_line},
};
use rayon::prelude::*;
use std::{ops::RangeInclusive, path::PathBuf, sync::Arc, time::Instant};

/// Let one AI fight another, with the sides swapped in every second battle.
///
/// Each seed is run twice. Prints how many battles each AI won, b's win rate with its
/// 95% confidence interval (a battle without a winner counts as half), and the time
/// per decision: median and 99th percentile.
#[derive(Args)]
pub struct ArenaArgs {
    /// Level files
    #[arg(value_name = "LEVEL", required_unless_present = "positions")]
    levels: Vec<PathBuf>,
    /// Instead of battles: position files or folders of them; prints what both AIs
    /// choose there. Exit code 1 if a position does not match its file
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["levels", "rules", "battles", "seed"])]
    pub positions: Vec<PathBuf>,
    /// Playouts per position, to measure how much more the wise order wins
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX), requires = "positions")]
    pub playouts: Option<u32>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = external::player, help = players())]
    pub a: Player,
    /// The AI that plays against a
    #[arg(long, value_name = "NAME", default_value = "strategist", value_parser = external::player)]
    pub b: Player,
    #[command(flatten)]
    bots: Bots,
    /// A handicap for the side that a or b controls, 0 to 20: each step gives its
    /// units 5% more hit points
    #[arg(long, value_name = "a|b=N", value_parser = steps, conflicts_with = "positions")]
    handicap: Vec<HandicapOption>,
    /// Battles on each level under each ruleset, an even number
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = even)]
    battles: u32,
    #[command(flatten)]
    pub many: Many,
    /// Run only a part of the battles, for one of several machines: `3/10` is the third
    /// of ten, and there are at most 100000; `sum` joins them. See docs/many-machines.md
    #[arg(
        long,
        value_name = "I/N",
        allow_hyphen_values = true,
        conflicts_with = "positions"
    )]
    shard: Option<Shard>,
    /// One JSON object per line, for each level under each ruleset
    #[arg(long)]
    pub json: bool,
    /// Write the output to FILE, complete or not at all, instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
}

pub fn run(args: &ArenaArgs) -> Outcome {
    external::limit(args.bots.bot_time);
    let inputs = args.levels.iter().chain(&args.positions);
    redirect(args.out.as_ref(), args.force, inputs)?;
    if !args.positions.is_empty() {
        return positions::run(args);
    }
    let plan = SwappedPairs::of(args)?;
    let pool = progress::threads(args.many.threads)?;
    let handicaps = handicaps(args)?;
    let mut lines = file::Writer::default();
    let levels: Result<Vec<_>, _> = args.levels.iter().map(|p| battles::level(p)).collect();
    let mut fought = vec![];
    for level in levels? {
        let rulesets = rulesets_of(&level, args.rules.as_deref())?;
        for (n, rules) in rulesets.into_iter().enumerate() {
            let arena = Arena::new(args, &level, rules, handicaps);
            if n == 0 && !args.json {
                say_lines(heading(&arena.pairing));
            }
            let contest = pool.install(|| arena.fight_all(&plan));
            match args.json {
                true => lines.arena(&contest).iter().for_each(say_json_line),
                false if contest.battles() == 0 => {}
                false => say(row(&contest)),
            }
            fought.push(sample(&contest));
        }
    }
    progress::stopped_after(&format!("fought {}", fought.join("; ")))
}

/// The handicaps of a and b, in steps of 5% more hit points.
///
/// # Errors
/// If one is for neither a nor b, or two are for the same.
fn handicaps(args: &ArenaArgs) -> Result<[u8; 2], Failure> {
    check_once("--handicap", args.handicap.iter().map(|one| &one.of))?;
    let mut both = [0; 2];
    for HandicapOption { of, steps } in &args.handicap {
        match of.as_str() {
            "a" => both[0] = *steps,
            "b" => both[1] = *steps,
            _ => {
                let why = format!("--handicap takes a or b, not '{of}'");
                return Err(Failure::usage(why));
            }
        }
    }
    Ok(both)
}

/// A heading with the level, the AIs and the names of the columns.
pub fn heading(pairing: &Fought) -> String {
    let handicap = |n: usize| match pairing.handicaps[n] {
        0 => String::new(),
        steps => format!(" with a handicap of {steps}"),
    };
    let level = levels::of_text(&format!("{}.ron", pairing.level), &pairing.source);
    let title = level.map_or_else(|_| pairing.level.clone(), |level| level.title.clone());
    let title = shown_line(&title);
    let (a, b) = (&pairing.ai[0], &pairing.ai[1]);
    format!(
        "{title}: b {b}{} against a {a}{}\n{:<10} {:>7} {:>6} {:>6} {:>6} {:>6} {:>9}  {:<20} {:>16} {:>16}",
        handicap(1),
        handicap(0),
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

/// A row of the table below the [`heading`].
pub fn row(contest: &Contest) -> String {
    let share = contest.share();
    let percent = |share: f64| share * 100.0;
    let interval = format!(
        "{:.1}% [{:.1}, {:.1}]",
        percent(share.value),
        percent(share.low),
        percent(share.high)
    );
    let time = |n| -> Option<String> {
        let at = |percent| contest.times.milliseconds(n, percent);
        let (median, p99) = (at(50)?, at(99)?);
        Some(format!("{median:.2} · {p99:.1}"))
    };
    format!(
        "{:<10} {:>7} {:>6} {:>6} {:>6} {:>6} {:>9}  {interval:<20} {:>16} {:>16}",
        contest.pairing.rules,
        contest.battles(),
        contest.wins[1],
        contest.wins[0],
        contest.nobody,
        contest.draws.round_limit,
        contest.draws.stalemate,
        time(0).unwrap_or_default(),
        time(1).unwrap_or_default()
    )
}

/// Describes the battles fought before Ctrl-C or a termination signal.
fn sample(contest: &Contest) -> String {
    let Fought { level, rules, .. } = &contest.pairing;
    if contest.battles() == 0 {
        return format!("no battle of {level} under {rules}");
    }
    let battles = count(contest.battles() as usize, "battle");
    let seeds = &contest.seeds[0];
    let noun = if seeds.count() == 1 { "seed" } else { "seeds" };
    format!("{battles} of {level} under {rules}, {noun} {seeds}")
}

/// Parses a number of battles: `200`.
fn even(text: &str) -> Result<u32, String> {
    let battles = text.parse::<u32>().ok();
    let battles = battles.filter(|n| *n > 0 && n.is_multiple_of(2));
    battles.ok_or_else(|| "write an even number, such as 200: each seed is run twice".to_owned())
}

/// The battles to fight: each seed twice, with the sides swapped.
struct SwappedPairs {
    seeds: RangeInclusive<u64>,
    /// The series that the battles are a part of, or all of it without `--shard`.
    whole: ShardedSeries,
}

impl SwappedPairs {
    fn of(args: &ArenaArgs) -> Result<Self, Failure> {
        let battles = u64::from(args.battles);
        let first = args.many.seed;
        let last = first.checked_add(battles / 2 - 1);
        let last = last.ok_or_else(|| fight::too_many_seeds(battles, first))?;
        let (seeds, whole) = fight::part_of(&(first..=last), args.shard)?;
        Ok(Self { seeds, whole })
    }
}

/// Two AIs on one level under one ruleset.
struct Arena<'a> {
    args: &'a ArenaArgs,
    level: &'a Level,
    /// The set-up as it is and with the sides swapped, because handicaps belong to
    /// the AIs, not the sides.
    setups: [Setup; 2],
    rules: &'static Ruleset,
    pairing: Fought,
}

impl<'a> Arena<'a> {
    fn new(
        args: &'a ArenaArgs,
        level: &'a Arc<Level>,
        rules: &'static Ruleset,
        handicaps: [u8; 2],
    ) -> Self {
        let setup = |swapped| {
            let of = |side: usize| handicaps[usize::from((side % 2 == 1) != swapped)];
            let all: Vec<u8> = (0..level.sides.len()).map(of).collect();
            level_setup(&level.with_handicaps(&all))
        };
        Self {
            args,
            level,
            setups: [false, true].map(setup),
            rules,
            pairing: Fought {
                program: version::VERSION.into(),
                level: level.id.clone(),
                source: level.source.to_string(),
                rules: rules.id.into(),
                ai: [args.a, args.b].map(|player| player.name()).into(),
                handicaps: handicaps.into(),
            },
        }
    }

    /// Fights the battles on all threads: as many as there is time for until a signal comes,
    /// and those with seeds below the first at which a program fails.
    fn fight_all(&self, plan: &SwappedPairs) -> Contest {
        let what = format!("{} · {}", self.level.title, self.rules.id);
        let pairs = plan.seeds.end() - plan.seeds.start() + 1;
        let bar = progress::bar(what, 2 * pairs);
        let fight = |seed, swapped| {
            let contest = self.fight(seed, swapped);
            bar.inc(1);
            contest
        };
        // One battle of a pair alone would favour the AI on the stronger side.
        let both = |seed: u64| {
            let (straight, swapped) = rayon::join(|| fight(seed, false), || fight(seed, true));
            let mut pair = straight?;
            // The seeds with the sides swapped are another set, so this cannot fail.
            let _ = pair.join(&swapped?);
            Some((seed, pair))
        };
        let mut all = Contest::new(self.pairing.clone());
        for seeds in fight::batches(&plan.seeds) {
            if progress::is_stopped() {
                break;
            }
            let pairs: Vec<_> = seeds.into_par_iter().filter_map(both).collect();
            for (_, pair) in pairs.iter().filter(|(seed, _)| progress::counts(*seed)) {
                // Other seeds of the same pairing, so this cannot fail.
                let _ = all.join(pair);
            }
        }
        bar.finish_and_clear();
        let is_whole = plan.whole.seeds == all.both_ways();
        all.whole = (!is_whole).then(|| plan.whole.clone());
        all
    }

    /// Fights one battle. `None` if a signal came before its end, or a program failed in a
    /// battle with a lower seed.
    ///
    /// # Panics
    /// If an AI gives an illegal answer.
    fn fight(&self, seed: u64, swapped: bool) -> Option<Contest> {
        // By side: whether b plays it.
        let is_b = |side: usize| (side % 2 == 1) != swapped;
        let player = |side: usize| if is_b(side) { self.args.b } else { self.args.a };
        let players: Vec<Player> = (0..self.level.sides.len()).map(player).collect();
        let setup = &self.setups[usize::from(swapped)];
        let mut controllers = Controllers::new(&players, setup, self.rules, seed);
        let mut battle = Battle::new(setup.clone(), self.rules, DiceBox::seeded(seed));
        let mut contest = Contest::new(self.pairing.clone());
        while let Some(question) = battle.asked() {
            if progress::is_stopped_for(seed) {
                return None;
            }
            if battle.answers().len() >= MAX_ANSWERS {
                break;
            }
            let side = question.side.index();
            let before = Instant::now();
            let choice = controllers.0[side].choose(&mut battle);
            let time = before.elapsed().as_micros();
            contest.times.add(usize::from(is_b(side)), time);
            if let Err(e) = battle.answer(choice) {
                panic!("an illegal answer: {e}");
            }
        }
        controllers.ended(&battle);
        // After a signal, the quick AI may have answered for a program.
        if progress::is_stopped_for(seed) {
            return None;
        }
        match battle.over().flatten() {
            Some(won) => contest.wins[usize::from(is_b(won.index()))] += 1,
            None => contest.nobody += 1,
        }
        contest.draws.count(&battle);
        contest.seeds[usize::from(swapped)] = Seeds::one(seed);
        Some(contest)
    }
}
