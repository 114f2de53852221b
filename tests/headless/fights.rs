//! Whether AIs fight: battles on battlefields that were drawn by chance end before the
//! round limit, and none of them ends without an attack.
//!
//! A run of the tests fights few of them. `FIVEFOOT_FULL=1` fights enough to hold the
//! share at the limit to 1 in 200; `FIVEFOOT_BATTLES` says how many under each ruleset
//! by each kind of player, `FIVEFOOT_FROM` from which seed on, `FIVEFOOT_PLAYERS` which
//! players (`quick,easy`), `FIVEFOOT_RULES` which rulesets:
//!
//! ```text
//! FIVEFOOT_FULL=1 FIVEFOOT_BATTLES=10000 cargo test --release -p fivefoot-cli --test headless fights -- --nocapture
//! ```

use fivefoot_core::{
    battle::{Battle, DiceBox, End, Event, EventKind, Ruleset, level_setup},
    control::{Player, Table, play},
    levels::Level,
    rulesets::{ALL, speed},
};
use fivefoot_kit::battlefields::battlefield;
use rayon::prelude::*;
use std::{ops::Range, sync::Arc};

/// More answers than any of these battles needs.
const ANSWERS: usize = 100_000;

/// What became of some battles.
#[derive(Default, Debug)]
struct Fought {
    battles: u64,
    rounds: u64,
    /// Seeds of those that ended at the round limit, as a draw without progress, by a
    /// surrender, without an attack.
    limit: Vec<u64>,
    stalemate: Vec<u64>,
    surrender: Vec<u64>,
    peace: Vec<u64>,
}

impl Fought {
    fn and(mut self, other: Self) -> Self {
        self.battles += other.battles;
        self.rounds += other.rounds;
        self.limit.extend(other.limit);
        self.stalemate.extend(other.stalemate);
        self.surrender.extend(other.surrender);
        self.peace.extend(other.peace);
        self
    }
}

fn fight_one(rules: &'static Ruleset, player: Player, seed: u64) -> (Arc<Level>, Battle) {
    let level = battlefield(seed);
    let setup = level_setup(&level);
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    let mut table = Table::new(&vec![player; level.sides.len()], &setup, rules, seed);
    play(&mut battle, &mut table, ANSWERS);
    (level, battle)
}

fn fight(rules: &'static Ruleset, player: Player, seed: u64) -> Fought {
    let (_, battle) = fight_one(rules, player, seed);
    let any = |is: fn(&EventKind) -> bool| battle.events().iter().any(|e| is(&e.what));
    let if_so = |is: bool| if is { vec![seed] } else { vec![] };
    let rounds = battle.events().iter();
    let rounds = rounds.filter(|e| matches!(e.what, EventKind::RoundEnded));
    Fought {
        battles: 1,
        rounds: rounds.count() as u64,
        limit: if_so(matches!(battle.end(), Some(End::RoundLimit) | None)),
        stalemate: if_so(battle.end() == Some(End::Stalemate)),
        surrender: if_so(any(|what| matches!(what, EventKind::Surrendered { .. }))),
        peace: if_so(!any(is_attack) && !battle.events().iter().any(gives_up)),
    }
}

/// A battlefield, and the end of the log of its battle.
fn told(rules: &'static Ruleset, player: Player, seed: u64) -> String {
    let (level, battle) = fight_one(rules, player, seed);
    let events = battle.events().iter();
    let lines: Vec<String> = events
        .filter_map(|e| Some(e.describe(battle.names())?.text))
        .collect();
    let last = &lines[lines.len().saturating_sub(60)..];
    format!("{}\n{}", level.source, last.join("\n"))
}

/// Somebody attacks: with a weapon, a spell, a threat.
fn is_attack(what: &EventKind) -> bool {
    match what {
        EventKind::AttackRolled { .. } | EventKind::Damaged { .. } => true,
        EventKind::Checked(check) => check.what == "intimidate",
        EventKind::Acted { choice } => choice.spell.is_some(),
        _ => false,
    }
}

/// Units may lose heart before the first blow, or see at once that it is hopeless
/// (SP-30).
fn gives_up(event: &Event) -> bool {
    match &event.what {
        EventKind::Checked(check) => check.what == "morale" && check.passed == Some(false),
        what => event.rule == "SP-30" && matches!(what, EventKind::Stopped { .. }),
    }
}

fn fought(rules: &'static Ruleset, player: Player, seeds: Range<u64>) -> Fought {
    let all = seeds.into_par_iter().map(|seed| fight(rules, player, seed));
    all.reduce(Fought::default, Fought::and)
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number")),
    )
}

/// The names in a variable of the environment; all where it is not set.
fn is_wanted(name: &str, one: &str) -> bool {
    let wanted = std::env::var(name);
    wanted.is_ok_and(|all| all.split(',').any(|other| other.eq_ignore_ascii_case(one)))
        || std::env::var(name).is_err()
}

/// Battles of each ruleset by each kind of player: in a run of the tests, and in full.
const A_RUN: [(Player, u64, u64); 3] = [
    (Player::Quick, 8, 2_000),
    (Player::Easy, 4, 1_000),
    (Player::Strategist(2), 1, 200),
];

#[test]
fn battles_are_fought_and_end_before_the_round_limit() {
    let is_full = number("FIVEFOOT_FULL").is_some();
    let from = number("FIVEFOOT_FROM").unwrap_or(0);
    let mut wrong = vec![];
    for rules in ALL {
        for (player, few, many) in A_RUN {
            let name = player.name();
            let name = name.split(':').next().unwrap_or_default();
            if !is_wanted("FIVEFOOT_PLAYERS", name) || !is_wanted("FIVEFOOT_RULES", rules.id) {
                continue;
            }
            let count = if is_full { many } else { few };
            let count = number("FIVEFOOT_BATTLES").unwrap_or(count);
            let found = fought(rules, player, from..from + count);
            let share = |of: &[u64]| of.len() as f64 * 100.0 / found.battles as f64;
            let first = |of: &[u64]| of[..of.len().min(12)].to_vec();
            println!(
                "{} {name}: {} battles, {:.1} rounds; at the limit {:.2}% {:?}; stalemate {:.2}% {:?}; \
                 surrender {:.2}% {:?}; without an attack {:?}",
                rules.id,
                found.battles,
                found.rounds as f64 / found.battles as f64,
                share(&found.limit),
                first(&found.limit),
                share(&found.stalemate),
                first(&found.stalemate),
                share(&found.surrender),
                first(&found.surrender),
                first(&found.peace),
            );
            // 1 in 200; of few battles none.
            if found.limit.len() as u64 > found.battles / 200 || !found.peace.is_empty() {
                let first = found.limit.first().or(found.peace.first());
                let told = first.map(|&seed| told(rules, player, seed));
                wrong.push(format!(
                    "{} {name}: {found:?}\n{}",
                    rules.id,
                    told.unwrap_or_default()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Seeds of battlefields on which units once stood and threatened enemies that they
/// could not get near, or struck the fallen with bare fists for ever (SP-30, SP-24).
#[test]
fn units_do_nothing_in_vain_for_ever() {
    for seed in [4364, 5578, 8138, 12307, 15160] {
        let found = fight(&speed::RULESET, Player::Quick, seed);
        let is_fought = found.limit.is_empty() && found.peace.is_empty();
        assert!(is_fought, "{found:?}");
    }
}
