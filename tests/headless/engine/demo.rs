//! The engine under the demonstration ruleset: these tests do not depend on any of the five real
//! rulesets.

use crate::kit;
use fivefoot_core::{
    battle::{Battle, Body, DiceBox, EventKind, PendingAttacks, Replica, all_units, level_setup},
    control::Player,
    levels::{self, Level},
    rulesets::{self, demo::RULESET},
};
use fivefoot_kit::{field, files::beneath};
use std::{collections::BTreeSet, sync::Arc};

fn fought(level: &Arc<Level>, player: Player, seed: u64) -> Battle {
    kit::fought(level, &RULESET, player, seed)
}

/// The demonstration ruleset can be found by name, but is not in the list.
#[test]
fn the_demo_ruleset_is_found_but_not_listed() {
    assert_eq!(rulesets::find("demo").map(|r| r.id), Some("Demo"));
    assert!(rulesets::ALL.iter().all(|r| r.id != "Demo"));
}

#[test]
fn every_level_can_be_played_to_its_end() {
    let (mut verbs, mut reeled) = (BTreeSet::new(), false);
    let mut won = 0;
    for (file, text) in beneath("levels", "ron") {
        let level = match levels::check_file(&file, &text) {
            Ok((level, _)) => Arc::new(level),
            Err(problems) => panic!("{}", problems[0]),
        };
        for (player, seed) in [(Player::Quick, 1), (Player::Random, 2)] {
            let battle = fought(&level, player, seed);
            assert!(
                battle.over().is_some(),
                "{file} with seed {seed} has no end"
            );
            assert!(battle.is_idle(), "{file} ends in the middle of something");
            assert!(battle.world().resource::<PendingAttacks>().all().is_empty());
            won += i32::from(player == Player::Quick && battle.over() != Some(None));
            verbs.extend(battle.answers().iter().map(|choice| choice.verb.name));
            let mut events = battle.events().iter();
            reeled |= events.any(|e| matches!(e.what, EventKind::ConditionBegan { .. }));
            // A replica that sees every event equals the battle.
            let mut all = Replica::new(&level_setup(&level), &RULESET, None);
            all.catch_up(battle.events());
            let bodies = all_units::<Body>(battle.world());
            assert_eq!(all_units::<Body>(&all.world), bodies, "{file}");
        }
    }
    assert_eq!(verbs, BTreeSet::from(["guard", "move", "strike"]));
    assert!(reeled, "nobody ever reeled");
    assert!(won > 0, "the AI never wins");
}

/// Choices are revealed once all units have chosen, and can be undone until then.
#[test]
fn choices_are_secret_until_all_have_chosen() {
    let units = [
        ("alice", "party", (0, 0), 3),
        ("goblin", "goblins", (1, 0), 3),
    ];
    let level = field(&["...", "..."], &units);
    let dice = DiceBox::scripted([(20, 15), (20, 15), (6, 6), (6, 6)]);
    let mut battle = Battle::audited(level_setup(&level), &RULESET, dice);
    let before = battle.events().len();
    battle
        .order("alice: strike goblin with short sword")
        .unwrap();
    assert_eq!(battle.events().len(), before, "nothing is logged");
    let mut back = battle.undone().expect("no die was rolled");
    back.order("alice: guard").unwrap();
    battle
        .order("goblin: strike alice with short sword")
        .unwrap();
    assert!(!battle.can_undo(), "dice were rolled");
    let fell = battle
        .events()
        .iter()
        .filter(|e| matches!(e.what, EventKind::Fell { .. }));
    assert_eq!((fell.count(), battle.over()), (2, Some(None)));
    assert_eq!((battle.fault(), battle.dice().left()), (None, 0));
}
