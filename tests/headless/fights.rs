//! AI battles on random battlefields end before the round limit, and none ends without an attack.
//!
//! The normal test run plays few of them. `FIVEFOOT_FULL=1` plays enough to hold the share of
//! battles at the round limit to 1 in 200. `FIVEFOOT_BATTLES` is the number of battles for each
//! ruleset and kind of player, `FIVEFOOT_FROM` the first seed, `FIVEFOOT_PLAYERS` the players
//! (`quick,easy`) and `FIVEFOOT_RULES` the rulesets:
//!
//! ```text
//! FIVEFOOT_FULL=1 FIVEFOOT_BATTLES=10000 cargo test --release -p fivefoot-cli --test headless fights -- --nocapture
//! ```

use crate::kit::{lines, with_controllers};
use fivefoot_core::{
    battle::{Battle, End, Event, EventKind, Ruleset},
    control::{Player, play},
    levels::Level,
    rulesets::{ALL, speed},
};
use fivefoot_kit::battlefields::battlefield;
use rayon::prelude::*;
use std::{ops::Range, sync::Arc};

/// Answer limit, higher than any of these battles needs.
const ANSWERS: usize = 100_000;

/// The results of several battles.
#[derive(Default, Debug)]
struct Fought {
    battles: u64,
    rounds: u64,
    /// Seeds of battles that ended at the round limit, as a draw without progress, by a surrender,
    /// or without an attack.
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
    let (mut battle, mut controllers) = with_controllers(&level, rules, player, seed);
    play(&mut battle, &mut controllers, ANSWERS);
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

/// A battlefield and the last 60 log lines of its battle.
fn told(rules: &'static Ruleset, player: Player, seed: u64) -> String {
    let (level, battle) = fight_one(rules, player, seed);
    let lines = lines(&battle);
    let last = &lines[lines.len().saturating_sub(60)..];
    format!("{}\n{}", level.source, last.join("\n"))
}

/// Whether the event is an attack with a weapon, a spell or a threat.
fn is_attack(what: &EventKind) -> bool {
    match what {
        EventKind::AttackRolled { .. } | EventKind::Damaged { .. } => true,
        EventKind::Checked(check) => check.what == "intimidate",
        EventKind::Acted { choice } => choice.spell.is_some(),
        _ => false,
    }
}

/// Whether the event is a failed morale check or a hopeless attack given up (SP-30); both can
/// happen before the first attack.
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

/// Whether a comma-separated environment variable contains a name; always true if it is not set.
fn is_wanted(name: &str, one: &str) -> bool {
    let wanted = std::env::var(name);
    wanted.is_ok_and(|all| all.split(',').any(|other| other.eq_ignore_ascii_case(one)))
        || std::env::var(name).is_err()
}

/// Battles for each ruleset by kind of player: in a normal run, and with `FIVEFOOT_FULL`.
const A_RUN: [(Player, u64, u64); 3] = [
    (Player::Quick, 8, 2_000),
    (Player::Easy, 4, 1_000),
    (Player::Strategist(2), 1, 200),
];

#[test]
fn battles_have_attacks_and_end_before_the_round_limit() {
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
            // At most 1 in 200 at the limit, so none in a short run.
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

/// Regression seeds: units once threatened unreachable enemies forever, or attacked the fallen with
/// bare fists forever (SP-30, SP-24).
#[test]
fn units_do_not_repeat_useless_actions_forever() {
    for seed in [4364, 5578, 8138, 12307, 15160] {
        let found = fight(&speed::RULESET, Player::Quick, seed);
        let is_fought = found.limit.is_empty() && found.peace.is_empty();
        assert!(is_fought, "{found:?}");
    }
}
