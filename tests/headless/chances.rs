//! Chances: what is legal at every moment, and who is asked about it.

use fivefoot_core::{
    battle::{
        Battle, DiceBox, Id, Offer, PASS,
        chances::{EVERY_CHANCE, is_wish, wish},
        level_setup,
    },
    control::{Player, Table, play, recording::Recording},
    levels::{self, Level},
    rulesets::{ALL, find, skirmish::acts::snap::is_snap},
};
use fivefoot_kit::sample;
use std::sync::Arc;

fn begun(level: &Arc<Level>, rules: &str, seed: u64) -> Battle {
    let rules = find(rules).expect("a ruleset");
    Battle::new(level_setup(level), rules, DiceBox::seeded(seed))
}

fn table(level: &Arc<Level>, player: Player, seed: u64) -> Table {
    let players = vec![player; level.sides.len()];
    Table::new(
        &players,
        &level_setup(level),
        find("Skirmish").expect("a ruleset"),
        seed,
    )
}

/// A wish is recorded, leaves the question as it was, and may be given by those
/// who are not asked; as often as it is news.
#[test]
fn a_wish_leaves_the_question_open() {
    let level = levels::default_level();
    let mut battle = begun(&level, "Skirmish", 1);
    let asked = battle.asked().expect("a question").clone();
    let names = battle.names().clone();
    let all_units: Vec<Id> = (0..level.combatants.len() as u16).map(Id).collect();
    assert!(all_units.iter().any(|who| !asked.actors.contains(who)));
    for &who in &all_units {
        let order = format!("{}: Ask at  every chance", names.key(who));
        battle.order(&order).expect("it is legal at any time");
        assert!(battle.wants_chances(who));
        assert!(battle.order(&order).is_err(), "it is no news");
    }
    let still = battle.asked().expect("a question");
    assert_eq!((still.side, &still.actors), (asked.side, &asked.actors));
    assert_eq!(battle.answers().len(), all_units.len());
    // It may be taken back, and a fork has it as well.
    let last = *all_units.last().expect("somebody");
    let fork = battle.fork(DiceBox::seeded(1));
    assert!(fork.wants_chances(last));
    let before = battle.undone().expect("no die was rolled");
    assert!(!before.wants_chances(last) && before.wants_chances(all_units[0]));
    battle
        .order(&format!("{}: ask as usual", names.key(last)))
        .expect("it is news again");
    assert!(!battle.wants_chances(last));
    // A new battle knows nothing of it.
    battle.restart(DiceBox::seeded(2));
    assert!(!battle.wants_chances(all_units[0]));
}

#[test]
fn where_there_are_no_chances_nobody_wants_them() {
    let level = levels::default_level();
    for rules in ALL {
        let mut battle = begun(&level, rules.id, 1);
        let wanted = battle.answer(wish(Id(0), true));
        assert_eq!(wanted.is_ok(), rules.chances, "{}", rules.id);
    }
}

/// SK-12: what is rare is legal, and asks nobody by default.
#[test]
fn nobody_is_asked_about_what_is_rare_who_does_not_want_to_be() {
    let level = levels::default_level();
    let (mut asked, mut wanted, mut rare) = (0, 0, 0);
    for seed in 0..sample(10, 30) {
        let mut battle = begun(&level, "Skirmish", seed);
        let mut table = table(&level, Player::Random, seed);
        while let Some(question) = battle.asked().cloned() {
            // Who has just thought better of its wish is asked all the same.
            let wished = battle.answers().last().is_some_and(|c| is_wish(c.verb));
            if let ([who], true, false) = (&question.actors[..], question.reaction, wished) {
                let offers = battle.offers_of(*who);
                let acts = |o: &&Offer| o.is_legal() && o.choice.verb != &PASS;
                let worth = offers.iter().filter(acts).any(|o| !o.rare);
                rare += offers.iter().filter(|o| o.rare).count();
                match battle.wants_chances(*who) {
                    true => wanted += usize::from(!worth),
                    false => assert!(worth, "seed {seed}: {}", question.prompt),
                }
                asked += 1;
            }
            play(&mut battle, &mut table, 1);
        }
        assert!(battle.over().is_some(), "seed {seed}");
    }
    let least = sample(150, 500);
    assert!(asked > least && rare > least, "{asked} {rare}");
    assert!(
        wanted > sample(15, 50),
        "those who want to be are asked about it: {wanted}"
    );
}

/// The recorded answers are all that it takes: moments that were skipped are
/// skipped again.
#[test]
fn battles_with_wishes_run_again_as_they_did() {
    let level = levels::default_level();
    let (mut wishes, mut snaps) = (0, 0);
    for seed in 0..sample(4, 12) {
        let mut battle = begun(&level, "Skirmish", seed);
        play(
            &mut battle,
            &mut table(&level, Player::Random, seed),
            100_000,
        );
        wishes += battle
            .answers()
            .iter()
            .filter(|c| c.verb == &EVERY_CHANCE)
            .count();
        snaps += battle.answers().iter().filter(|c| is_snap(c.verb)).count();
        let text = ron::to_string(&Recording::of(&battle, &level, seed)).expect("a file");
        let again = Recording::read("test", &text)
            .expect("a recording")
            .run(None);
        let again = again.unwrap_or_else(|e| panic!("seed {seed}, answer {}: {}", e.step, e.why));
        assert_eq!(again.answers(), battle.answers(), "seed {seed}");
        assert_eq!(again.over(), battle.over());
    }
    let least = sample((3, 6), (10, 20));
    assert!(wishes > least.0 && snaps > least.1, "{wishes} {snaps}");
}

/// The AI does by holding what it could do at chances: it never wishes.
#[test]
fn the_ai_lets_chances_be() {
    let level = levels::default_level();
    for seed in 0..5 {
        for player in [Player::Quick, Player::Easy] {
            let mut battle = begun(&level, "Skirmish", seed);
            play(&mut battle, &mut table(&level, player, seed), 100_000);
            assert!(!battle.answers().iter().any(|c| is_wish(c.verb)));
        }
    }
}
