//! An AI's choices do not depend on anything its side cannot know: hidden units, secret
//! declarations and answers of others, and future dice.

use crate::kit::with_controllers;
use fivefoot_core::{
    battle::{Battle, Choice, DiceBox, Replica, Ruleset, level_setup},
    control::{
        Player,
        strategist::{Budget, promising_choices, rate},
    },
    rulesets::KNOWN,
};
use fivefoot_kit::{sample, small_levels::small_level};

/// The candidates and values from a search of four playouts.
fn thought(mut base: Battle) -> Vec<(Choice, u32)> {
    let budget = Budget {
        playouts: 4,
        parallel: false,
        enough: &|| false,
    };
    let candidates = promising_choices(&mut base, budget.playouts);
    let rated = rate(&base, candidates, 11, budget).into_iter();
    rated.map(|one| (one.choice, one.value.to_bits())).collect()
}

/// The number of positions checked, and of those in which the real battle and the battle rebuilt
/// from the side's knowledge differed.
fn positions(rules: &'static Ruleset, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut looked, mut differed) = (0, 0);
    for seed in seeds {
        let level = small_level(seed);
        let setup = level_setup(&level);
        let (mut battle, mut controllers) = with_controllers(&level, rules, Player::Random, seed);
        let side_of = |n: usize| fivefoot_core::battle::Side(n as u8);
        let replica = |n| Replica::new(&setup, rules, Some(side_of(n)));
        let mut replicas: Vec<Replica> = (0..level.sides.len()).map(replica).collect();
        for n in 0..60 {
            let Some(question) = battle.asked().cloned() else {
                break;
            };
            let replica = &mut replicas[question.side.index()];
            replica.catch_up(battle.events());
            // Equal in everything this side knows, but with other dice, other enemy plans and no
            // hidden units.
            let mut other = battle.fork_for(question.side, &replica.world, DiceBox::seeded(99));
            for &who in &question.actors {
                assert_eq!(
                    battle.offers_of(who),
                    other.offers_of(who),
                    "{}, seed {seed}, answer {n}: the offers tell what nobody knows",
                    rules.id
                );
            }
            looked += 1;
            let dice = || DiceBox::seeded(5);
            let from_truth = battle.fork_for(question.side, &replica.world, dice());
            let from_other = other.fork_for(question.side, &replica.world, dice());
            differed += usize::from(state(&battle) != state(&other));
            if n % 24 == 0 {
                assert_eq!(
                    thought(from_truth),
                    thought(from_other),
                    "{}, seed {seed}, answer {n}: {}",
                    rules.id,
                    question.prompt
                );
            }
            let choice = controllers.0[question.side.index()].choose(&mut battle);
            battle.answer(choice).expect("it is legal");
        }
    }
    (looked, differed)
}

/// The state of all units, as text.
fn state(battle: &Battle) -> String {
    let world = battle.world();
    let names = battle.names();
    let probes = battle.rules().probes;
    let roster = world.resource::<fivefoot_core::battle::Roster>();
    let mut out = String::new();
    for id in roster.ids() {
        let body = fivefoot_core::battle::of_unit::<fivefoot_core::battle::Body>(world, id);
        out += &format!("{} {body:?}", names.key(id));
        for probe in probes {
            out += &format!(" {}", (probe.read)(world, id));
        }
    }
    out
}

#[test]
fn no_ai_uses_what_its_side_cannot_know() {
    let mut all = 0;
    for rules in KNOWN {
        let (looked, differed) = positions(rules, 0..sample(4, 12));
        all += looked;
        // In Skirmish and Demo the only secrets are answers, so the states can be equal.
        let open = ["Skirmish", "Demo"].contains(&rules.id);
        assert!(differed > 0 || open, "{}: all was known", rules.id);
    }
    assert!(all > sample(600, 2_000), "{all} positions");
}
