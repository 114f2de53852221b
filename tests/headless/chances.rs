//! Chances: moments with only rare offers, and the setting that asks for prompts at them.

use crate::kit;
use fivefoot_core::{
    battle::{
        Battle, DiceBox, Id, Offer, PASS,
        chances::{EVERY_CHANCE, every_chance, is_every_chance},
    },
    control::{Controllers, Player, play, recording::Recording},
    levels::{self, Level},
    rulesets::{
        ALL, find,
        skirmish::{RULESET, acts::snap::is_snap},
    },
};
use fivefoot_kit::sample;
use std::sync::Arc;

fn begun(level: &Arc<Level>, rules: &str, seed: u64) -> Battle {
    kit::begun(level, find(rules).expect("a ruleset"), seed)
}

fn controllers(level: &Arc<Level>, player: Player, seed: u64) -> Controllers {
    kit::controllers(level, &RULESET, &[player], seed)
}

/// Turning prompts at chances on or off is recorded and leaves the current decision open. Any unit
/// can do it, even one that is not part of the decision, as long as it changes the setting.
#[test]
fn asking_for_chances_leaves_the_decision_open() {
    let level = levels::default_level();
    let mut battle = begun(&level, "Skirmish", 1);
    let asked = battle.asked().expect("a question").clone();
    let names = battle.names().clone();
    let all_units: Vec<Id> = (0..level.combatants.len() as u16).map(Id).collect();
    assert!(all_units.iter().any(|who| !asked.actors.contains(who)));
    for &who in &all_units {
        let order = format!("{}: Ask at  every chance", names.key(who));
        battle.order(&order).expect("it is legal at any time");
        assert!(battle.is_prompted_at_chances(who));
        assert!(battle.order(&order).is_err(), "it is no news");
    }
    let still = battle.asked().expect("a question");
    assert_eq!((still.side, &still.actors), (asked.side, &asked.actors));
    assert_eq!(battle.answers().len(), all_units.len());
    // The setting can be undone, and a fork has it as well.
    let last = *all_units.last().expect("somebody");
    let fork = battle.fork(DiceBox::seeded(1));
    assert!(fork.is_prompted_at_chances(last));
    let before = battle.undone().expect("no die was rolled");
    assert!(!before.is_prompted_at_chances(last) && before.is_prompted_at_chances(all_units[0]));
    battle
        .order(&format!("{}: ask as usual", names.key(last)))
        .expect("it is news again");
    assert!(!battle.is_prompted_at_chances(last));
    // A new battle starts with the setting off.
    battle.restart(DiceBox::seeded(2));
    assert!(!battle.is_prompted_at_chances(all_units[0]));
}

#[test]
fn rulesets_without_chances_refuse_the_setting() {
    let level = levels::default_level();
    for rules in ALL {
        let mut battle = begun(&level, rules.id, 1);
        let wanted = battle.answer(every_chance(Id(0), true));
        assert_eq!(wanted.is_ok(), rules.chances, "{}", rules.id);
    }
}

/// SK-12: rare offers are legal, but on their own do not prompt a unit by default.
#[test]
fn rare_offers_alone_prompt_no_unit_by_default() {
    let level = levels::default_level();
    let (mut asked, mut wanted, mut rare) = (0, 0, 0);
    for seed in 0..sample(10, 30) {
        let mut battle = begun(&level, "Skirmish", seed);
        let mut controllers = controllers(&level, Player::Random, seed);
        while let Some(question) = battle.asked().cloned() {
            // A unit that turns the setting off at a chance still gets the current prompt.
            let wished = battle
                .answers()
                .last()
                .is_some_and(|c| is_every_chance(c.verb));
            if let ([who], true, false) = (&question.actors[..], question.reaction, wished) {
                let offers = battle.offers_of(*who);
                let acts = |o: &&Offer| o.is_legal() && o.choice.verb != &PASS;
                let worth = offers.iter().filter(acts).any(|o| !o.rare);
                rare += offers.iter().filter(|o| o.rare).count();
                match battle.is_prompted_at_chances(*who) {
                    true => wanted += usize::from(!worth),
                    false => assert!(worth, "seed {seed}: {}", question.prompt),
                }
                asked += 1;
            }
            play(&mut battle, &mut controllers, 1);
        }
        assert!(battle.over().is_some(), "seed {seed}");
    }
    let least = sample(150, 500);
    assert!(asked > least && rare > least, "{asked} {rare}");
    assert!(
        wanted > sample(15, 50),
        "units that want to be asked are asked: {wanted}"
    );
}

/// The recorded answers are enough to run a battle again: chances that were skipped are skipped
/// again.
#[test]
fn battles_with_chances_replay_identically() {
    let level = levels::default_level();
    let (mut wishes, mut snaps) = (0, 0);
    for seed in 0..sample(4, 12) {
        let mut battle = begun(&level, "Skirmish", seed);
        play(
            &mut battle,
            &mut controllers(&level, Player::Random, seed),
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

/// The AI never asks for prompts at chances; it holds its action instead.
#[test]
fn the_ai_never_asks_for_chances() {
    let level = levels::default_level();
    for seed in 0..5 {
        for player in [Player::Quick, Player::Easy] {
            let mut battle = begun(&level, "Skirmish", seed);
            play(&mut battle, &mut controllers(&level, player, seed), 100_000);
            assert!(!battle.answers().iter().any(|c| is_every_chance(c.verb)));
        }
    }
}
