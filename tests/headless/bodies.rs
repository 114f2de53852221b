//! How the AI uses maneuvers and executions, in battles against itself.

use crate::kit::{between, lines, with_controllers};
use fivefoot_core::{
    battle::{Battle, Body, EventKind, all_units},
    control::{Player, play},
    levels::built_in,
    rulesets::{ALL, skirmish::RULESET},
};

/// GR-03: at the end of a round no two standing units share a cell, whether or not they moved at
/// one moment. Phased is left out because allies can share a cell there (PH-52).
#[test]
fn no_two_units_share_a_cell_at_the_end_of_a_round() {
    let rules = ALL.iter().filter(|rules| rules.id != "Phased");
    for (rules, level) in rules.flat_map(|r| built_in().iter().map(move |l| (r, l))) {
        for (seed, player) in [(3, Player::Quick), (4, Player::Quick), (5, Player::Random)] {
            let (mut battle, mut controllers) = with_controllers(level, rules, player, seed);
            let (mut seen, mut rounds) = (0, 0);
            while battle.over().is_none() {
                play(&mut battle, &mut controllers, 1);
                let fresh = &battle.events()[seen..];
                let ended = fresh
                    .iter()
                    .any(|e| matches!(e.what, EventKind::RoundBegan { .. }));
                seen = battle.events().len();
                if ended {
                    let which = format!("{}, {}, seed {seed}", rules.id, level.id);
                    assert_apart(&battle, &which);
                    rounds += 1;
                }
            }
            assert!(rounds > 0, "{}, {}, seed {seed}", rules.id, level.id);
        }
    }
}

fn assert_apart(battle: &Battle, which: &str) {
    let world = battle.world();
    let bodies = all_units::<Body>(world).iter();
    let up: Vec<&Body> = bodies.filter(|b| b.is_up()).collect();
    for (n, one) in up.iter().enumerate() {
        for other in &up[n + 1..] {
            let round = battle.events().len();
            let apart = !one.space().overlaps(other.space());
            assert!(apart, "{which}: two at {} after {round} events", one.at);
        }
    }
}

/// The log lines of a battle on this level, AI against AI.
fn fought(level: &str, seed: u64) -> Vec<String> {
    let level = fivefoot_kit::level(level);
    lines(&between(&level, &RULESET, &[Player::Quick; 2], seed))
}

fn has(log: &[String], part: &str) -> bool {
    log.iter().any(|line| line.contains(part))
}

/// SK-56: the AI stalks an unaware enemy for ten rounds and then executes it, instead of attacking
/// at once.
#[test]
fn the_ai_waits_to_execute_an_unaware_enemy() {
    let level = r#"(
        title: "A sentry", map: ["..........", ".........."],
        sides: [(id: "party"), (id: "bandits", awareness: Unaware)],
        combatants: [
            (kind: "lin", name: "alice", side: "party", at: (0, 0)),
            (kind: "tobin", name: "bob", side: "party", at: (0, 1)),
            (kind: "bandit", name: "sentry", side: "bandits", at: (6, 0), with: (skirmish: (hp: 40, ac: 18, save: 20))),
        ],
    )"#;
    for seed in 0..5 {
        let log = fought(level, seed);
        assert!(has(&log, "executes sentry"), "{log:#?}");
        let rushed = log.iter().position(|l| l.contains("strikes at sentry"));
        let first = log.iter().position(|l| l.contains("begins to stalk"));
        assert!(first.is_some() && rushed.is_none_or(|n| Some(n) > first));
        assert!(has(&log, "10 of 10 rounds"), "{log:#?}");
    }
}

/// SK-50: the AI shoves an enemy over a ledge, because the fall does more damage than a club.
#[test]
fn the_ai_shoves_over_a_ledge() {
    let level = r#"(
        title: "A ledge", map: [".  v", ".  v", "...v"],
        legend: {'v': (floor: -80)},
        sides: [(id: "party"), (id: "brutes")],
        combatants: [
            (kind: "wat", name: "alice", side: "party", at: (1, 2), with: (weapons: ["cudgel"], skirmish: (hp: 60))),
            (kind: "bugbear", name: "brute", side: "brutes", at: (2, 2), with: (bulk: Ordinary, morale: Fearless, skirmish: (hp: 30, ac: 8))),
        ],
    )"#;
    let log = fought(level, 3);
    assert!(has(&log, "Alice tries to shove brute to 3,"), "{log:#?}");
}

/// SK-51: an unarmed unit grapples an enemy whose weapons are better than its hands, and a held
/// unit with the better weapon breaks free.
#[test]
fn the_ai_grapples_and_breaks_free() {
    let level = r#"(
        title: "A wrestling", map: ["......", "......"],
        sides: [(id: "party"), (id: "brutes")],
        combatants: [
            (kind: "wat", name: "alice", side: "party", at: (1, 0), with: (weapons: [], skills: (brawl: 4), skirmish: (hp: 25, ac: 13))),
            (kind: "bugbear", name: "brute", side: "brutes", at: (2, 0), with: (bulk: Ordinary, skill: 5, morale: Fearless, skirmish: (hp: 30, ac: 10))),
        ],
    )"#;
    let logs: Vec<_> = (0..8).map(|seed| fought(level, seed)).collect();
    let any = |part| logs.iter().any(|log| has(log, part));
    assert!(any("Alice tries to grapple brute"));
    assert!(any("Brute tries to break free"));
}
