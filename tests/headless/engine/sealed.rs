//! Secret answers: a copy of the battle for one side does not hold those of other sides.

use crate::kit::with_controllers;
use fivefoot_core::{
    battle::{
        Answer, Battle, Body, Choice, Decision, DiceBox, Replica, Setup, Side, level_setup, of_unit,
    },
    control::Player,
    rulesets::KNOWN,
};
use fivefoot_kit::small_levels::small_level;

/// The side that has a decision, and the decision as text.
fn put(question: Option<&Decision>) -> Option<(Side, String)> {
    question.map(|q| (q.side, format!("{:?} {}", q.actors, q.prompt)))
}

fn side_of(battle: &Battle, choice: &Choice) -> Option<Side> {
    Some(of_unit::<Body>(battle.world(), choice.who?).side)
}

fn holds(battle: &Battle, choice: &Choice) -> bool {
    let answers = format!("{:?}", battle.world().resource::<Answer>());
    answers.contains(&format!("{choice:?}"))
}

/// A fork for the side with the decision, from what that side knows.
fn known(battle: &Battle, setup: &Setup) -> Battle {
    let side = battle.asked().expect("a question stands").side;
    let mut replica = Replica::new(setup, battle.rules(), Some(side));
    replica.catch_up(battle.events());
    battle.fork_for(side, &replica.world, DiceBox::seeded(7))
}

/// At every decision while an enemy has a secret answer, the copy for the deciding side does not
/// hold that answer. It asks the enemy again once its own side has answered.
#[test]
fn a_sides_copy_holds_no_secret_answers_of_others() {
    for rules in KNOWN {
        let mut found = 0;
        for seed in 0..6 {
            let level = small_level(seed);
            let setup = level_setup(&level);
            let (mut battle, mut controllers) =
                with_controllers(&level, rules, Player::Random, seed);
            for _ in 0..120 {
                let Some(question) = battle.asked().cloned() else {
                    break;
                };
                let choice = controllers.0[question.side.index()].choose(&mut battle);
                let enemy = side_of(&battle, &choice);
                battle.answer(choice.clone()).expect("it is legal");
                let asks_another = battle.asked().is_some_and(|q| Some(q.side) != enemy);
                let is_sealed = asks_another && holds(&battle, &choice);
                if !is_sealed {
                    continue;
                }
                found += 1;
                let copy = known(&battle, &setup);
                assert!(!holds(&copy, &choice), "{}, seed {seed}", rules.id);
                // A copy with full knowledge of the world still asks for the removed answer again.
                let side = battle.asked().expect("somebody").side;
                let mut copy = battle.fork_for(side, battle.world(), DiceBox::seeded(7));
                for _ in 0..20 {
                    if put(copy.asked()) == put(Some(&question)) || !copy.events().is_empty() {
                        break;
                    }
                    let offers = copy.offers();
                    let any = offers.iter().find(|o| o.is_legal()).expect("an offer");
                    copy.answer(any.choice.clone()).expect("it is legal");
                }
                assert_eq!(
                    put(copy.asked()),
                    put(Some(&question)),
                    "{}, seed {seed}",
                    rules.id
                );
            }
        }
        assert!(found > 0, "{}: nothing was sealed", rules.id);
    }
}
