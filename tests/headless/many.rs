//! Many AI and random battles on small random levels and on the shipped levels, under every
//! ruleset: each battle ends.
//!
//! A failure names the number of its battle. `FIVEFOOT_BATTLE=N` runs only that battle and prints
//! its level and the end of its log. To run more battles than the normal test run, set their number
//! and optionally the first number:
//!
//! ```text
//! FIVEFOOT_BATTLES=100000 cargo test --release -p fivefoot-cli --test headless many
//! FIVEFOOT_BATTLES=5000 FIVEFOOT_FROM=100000 cargo test …
//! ```

use fivefoot_core::{
    battle::{
        Battle, Body, Chance, DiceBox, Event, EventKind, PendingAttacks, Ruleset, all_units,
        level_setup,
    },
    control::{Controllers, Player, play},
    levels::{Level, built_in},
    rulesets::ALL,
};
use fivefoot_kit::{sample, small_levels::small_level};
use std::{
    collections::BTreeMap,
    io::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Number of battles in a normal and in a full test run.
const A_RUN: (u64, u64) = (400, 1_500);

/// Battles per shipped level, kind of player and ruleset, in a normal and in a full test run.
const SHIPPED: (u64, u64) = (2, 3);

/// Answer limit, higher than any of these battles needs.
const ANSWERS: usize = 50_000;

/// A battle that takes longer counts as hanging.
const HANGS: Duration = Duration::from_secs(120);

/// One battle: the level, the ruleset, the players and the seed.
struct Bout {
    rules: &'static Ruleset,
    level: Arc<Level>,
    players: Vec<Player>,
    seed: u64,
}

impl Bout {
    /// The battle with this number. Consecutive numbers use one level under all rulesets.
    fn new(number: u64) -> Self {
        let rules = ALL[(number % ALL.len() as u64) as usize];
        let level = small_level(number / ALL.len() as u64);
        let mut chance = Chance::new(number);
        let players = [Player::Quick, Player::Random, Player::Easy];
        let mixed = chance.below(2) == 0;
        let one = players[chance.below(2)];
        let controller = |_| match mixed {
            true => players[chance.below(3)],
            false => one,
        };
        Self {
            rules,
            players: (0..level.sides.len()).map(controller).collect(),
            level,
            seed: number,
        }
    }

    /// Plays the battle to its end or to the answer limit.
    fn fight(&self) -> Battle {
        let setup = level_setup(&self.level);
        let mut battle = Battle::new(setup.clone(), self.rules, DiceBox::seeded(self.seed));
        let mut controllers = Controllers::new(&self.players, &setup, self.rules, self.seed);
        play(&mut battle, &mut controllers, ANSWERS);
        battle
    }

    fn name(&self) -> String {
        format!("{}, {:?}", self.rules.id, self.players)
    }
}

fn has_ended(event: &&Event) -> bool {
    matches!(event.what, EventKind::RoundEnded)
}

/// The first problem of a finished battle, or `None`.
fn wrong(battle: &Battle, level: &Level) -> Option<String> {
    if battle.over().is_none() {
        let asked = battle.asked().map(|q| q.prompt.as_str());
        return Some(format!("it is not over; asked: {asked:?}"));
    }
    if !battle.is_idle() {
        return Some("something is left to do after its end".into());
    }
    if let Some(fault) = battle.fault() {
        return Some(format!("dice that nobody rolled so: {fault:?}"));
    }
    let broken = |e: &&Event| matches!(e.what, EventKind::BrokenOff { .. });
    if let Some(event) = battle.events().iter().find(broken) {
        return event.describe(battle.names()).map(|line| line.text);
    }
    let rounds = battle.events().iter().filter(has_ended).count();
    if rounds > level.last_round.unwrap_or(100) as usize {
        return Some(format!("it lasts {rounds} rounds"));
    }
    let world = battle.world();
    let attacks = world.get_resource::<PendingAttacks>();
    if attacks.is_some_and(|attacks| !attacks.all().is_empty()) {
        return Some("an attack was never settled".into());
    }
    // Under Phased, allies can share a cell (PH-52).
    let bodies = all_units::<Body>(world).iter();
    let up: Vec<&Body> = bodies.filter(|b| b.is_up()).collect();
    let clash = up.iter().enumerate().any(|(n, one)| {
        let others = &up[n + 1..];
        let meets = |b: &&&Body| b.space().overlaps(one.space());
        others
            .iter()
            .filter(meets)
            .any(|b| battle.rules().id != "Phased" || b.side != one.side)
    });
    clash.then(|| "two stand in one cell".into())
}

/// The last log lines of a battle.
fn tail(battle: &Battle, lines: usize) -> String {
    let log = battle.events().iter();
    let log = log.filter_map(|e| Some(format!("{} {}", e.rule, e.describe(battle.names())?.text)));
    let log: Vec<String> = log.collect();
    log[log.len().saturating_sub(lines)..].join("\n")
}

/// The message of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_else(|| "a panic without words".into())
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number")),
    )
}

#[test]
fn every_battle_ends() {
    if let Some(one) = number("FIVEFOOT_BATTLE") {
        return fight_one(one);
    }
    let from = number("FIVEFOOT_FROM").unwrap_or(0);
    let count = number("FIVEFOOT_BATTLES").unwrap_or_else(|| sample(A_RUN.0, A_RUN.1));
    // A battle that hangs inside a step cannot report itself, so another thread watches the time.
    let now = Arc::new(Mutex::new((from, Instant::now())));
    let done = Arc::new(AtomicBool::new(false));
    let clock = std::thread::spawn({
        let (now, done) = (now.clone(), done.clone());
        move || watch(&now, &done)
    });
    let mut failures: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let (mut answers, mut rounds) = (0, 0);
    for n in from..from + count {
        *now.lock().expect("nobody panics with it") = (n, Instant::now());
        let bout = Bout::new(n);
        let result = catch_unwind(AssertUnwindSafe(|| {
            let battle = bout.fight();
            answers += battle.answers().len();
            rounds += battle.events().iter().filter(has_ended).count();
            wrong(&battle, &bout.level)
        }));
        let problem = match result {
            Ok(problem) => problem,
            Err(panic) => Some(said(panic.as_ref())),
        };
        if let Some(problem) = problem {
            // Problems that differ only in numbers are reported once.
            let sort = problem.replace(|c: char| c.is_ascii_digit(), "");
            let sort: String = format!("{}: {sort}", bout.rules.id)
                .chars()
                .take(200)
                .collect();
            failures.entry(sort).or_default().push(n);
        }
    }
    done.store(true, Ordering::Relaxed);
    clock.join().expect("the clock only looks");
    println!("{count} battles, {answers} answers, {rounds} rounds");
    let report: Vec<String> = failures
        .iter()
        .map(|(what, which)| {
            let first = &which[..which.len().min(5)];
            format!("{} battles, numbers {first:?}: {what}", which.len())
        })
        .collect();
    assert!(
        report.is_empty(),
        "of {count} battles:\n{}",
        report.join("\n")
    );
}

/// Every battle is audited and reuses the world of the last one.
#[test]
fn every_shipped_level_can_be_played_to_its_end() {
    for level in built_in() {
        for rules in ALL {
            for player in [Player::Quick, Player::Random] {
                let setup = level_setup(level);
                let players = vec![player; level.sides.len()];
                let mut controllers = Controllers::new(&players, &setup, rules, 0);
                let mut battle = Battle::audited(setup, rules, DiceBox::seeded(0));
                for seed in 0..sample(SHIPPED.0, SHIPPED.1) {
                    battle.restart(DiceBox::seeded(seed));
                    controllers.restart(&mut battle, seed);
                    play(&mut battle, &mut controllers, ANSWERS);
                    let which = format!("{}, {player:?}, {} with {seed}", rules.id, level.id);
                    assert_eq!(wrong(&battle, level), None, "{which}");
                }
            }
        }
    }
}

/// Aborts the tests when a battle hangs, and prints its number.
fn watch(now: &Mutex<(u64, Instant)>, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(200));
        let (n, since) = *now.lock().expect("nobody panics with it");
        if since.elapsed() > HANGS {
            let text = format!("battle {n} hangs: FIVEFOOT_BATTLE={n}\n");
            // Captured output would be lost when the process aborts.
            let _ = std::io::stderr().write_all(text.as_bytes());
            std::process::abort();
        }
    }
}

/// Runs one battle and prints everything about it.
fn fight_one(number: u64) {
    let bout = Bout::new(number);
    println!("{}\n{}", bout.name(), bout.level.source);
    let setup = level_setup(&bout.level);
    let mut battle = Battle::new(setup.clone(), bout.rules, DiceBox::seeded(bout.seed));
    let mut controllers = Controllers::new(&bout.players, &setup, bout.rules, bout.seed);
    let played = catch_unwind(AssertUnwindSafe(|| {
        play(&mut battle, &mut controllers, ANSWERS)
    }));
    println!("{}", tail(&battle, 60));
    let last = battle.answers().last().map(|c| c.text(battle.names()));
    println!("answers: {}, the last: {last:?}", battle.answers().len());
    let problem = match played {
        Ok(()) => wrong(&battle, &bout.level),
        Err(panic) => Some(said(panic.as_ref())),
    };
    assert_eq!(problem, None, "battle {number}, {}", bout.name());
}
