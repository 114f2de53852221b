//! What the AI makes of objectives, under every ruleset.

use fivefoot::{
    battle::{Battle, Change, DiceBox, level_setup},
    control::{Player, Table, play},
    levels::check_file,
    rulesets::ALL,
};
use std::sync::Arc;

/// Alice steps on the marked cell; Bob, who creeps, is long on his way. She is
/// free meanwhile, and goes for the brute, who does nothing.
#[test]
fn who_has_been_there_is_free_again() {
    let text = r#"(
        title: "A long way",
        map: ["................", "................"],
        sides: [(id: "party"), (id: "brutes")],
        combatants: [
            (kind: "mara", name: "alice", side: "party", at: (1, 0), with: (weapons: ["sword"])),
            (kind: "brandt", name: "bob", side: "party", at: (13, 1), with: (speed: 5)),
            (kind: "goblin", name: "brute", side: "brutes", at: (8, 0), with: (
                morale: Fearless, weapons: [], skirmish: (hp: 90), segments: (hp: 90), phased: (hp: 90),
            )),
        ],
        objectives: [(side: "party", goal: Reach(area: (0, 0)))],
        last_round: 6,
    )"#;
    let mut stay: Vec<&str> = vec![];
    for rules in ALL {
        let (level, _) = check_file("test.ron", text).expect("the level is right");
        let setup = level_setup(&Arc::new(level));
        let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(7));
        let mut table = Table::new(&[Player::Quick, Player::Idle], &setup, rules, 7);
        play(&mut battle, &mut table, 1_000);
        let alice = battle.names().find("alice").expect("she is there");
        let events = battle.events();
        let reached = |what: &Change| matches!(what, Change::Reached { .. });
        let there = events.iter().position(|e| reached(&e.what));
        let after = &events[there.unwrap_or_else(|| panic!("{}: she never got there", rules.id))..];
        let goes = |what: &Change| matches!(what, Change::Moved { who, .. } if *who == alice);
        assert!(
            after.iter().any(|e| goes(&e.what)),
            "{}: she stays",
            rules.id
        );
    }
}
