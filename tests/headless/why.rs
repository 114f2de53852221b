//! Explanations of an AI's choice: rebuilt from the position, they match what the AI did.

use fivefoot_core::{
    battle::{Battle, DiceBox, level_setup},
    control::{
        Controllers, Player,
        why::{Explanation, Inquiry, Judge, Worth, side_of},
    },
    rulesets::ALL,
};
use fivefoot_kit::small_levels::small_level;

/// For every answer of a battle, the side that gave it and the rebuilt explanation.
fn explained(
    battle: &Battle,
    seed: u64,
    by: impl Fn(usize) -> Option<Player>,
) -> Vec<(usize, Explanation)> {
    let mut before = battle.at(0);
    let mut all = vec![];
    for choice in battle.answers() {
        let side = side_of(battle, choice).expect("a side").index();
        let inquiry = Inquiry::of(&before, by(side), choice, seed).expect("a question");
        all.push((side, inquiry.answer(&|| false)));
        before.answer(choice.clone()).expect("it re-runs as it ran");
    }
    all
}

#[test]
fn rebuilt_explanations_match_the_choices() {
    for rules in ALL {
        let (mut weighed, mut quick) = (0, 0);
        for seed in 0..6 {
            if weighed > 10 && quick > 10 {
                break;
            }
            let level = small_level(seed);
            let setup = level_setup(&level);
            let mut players = vec![Player::Quick; level.sides.len()];
            players[0] = Player::Strategist(6);
            let mut controllers = Controllers::new(&players, &setup, rules, seed);
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            fivefoot_core::control::play(&mut battle, &mut controllers, 40);
            let by = |side: usize| Some(players[side]);
            for (side, why) in explained(&battle, seed, by) {
                let taken: Vec<_> = why.weighed.iter().filter(|one| one.is_taken).collect();
                assert_eq!(taken.len(), 1, "{} seed {seed}: {why:?}", rules.id);
                let is_placed = taken[0].from.is_some() == taken[0].choice.counts_from().is_some();
                assert!(is_placed, "{} seed {seed}: {why:?}", rules.id);
                if why.is_plain() {
                    continue;
                }
                // The quick AI rates the legal choices by its side's knowledge, and so does the
                // explanation.
                if side == 0 {
                    assert_eq!(why.judge, Judge::Strategist);
                    assert!(why.weighed[0].is_taken, "{} seed {seed}: {why:?}", rules.id);
                    assert!(matches!(
                        why.weighed[0].worth,
                        Worth::Share { playouts: 1.., .. }
                    ));
                    weighed += 1;
                } else {
                    assert_eq!(why.judge, Judge::Quick);
                    assert!(why.weighed[0].is_taken, "{} seed {seed}: {why:?}", rules.id);
                    quick += 1;
                }
            }
        }
        assert!(
            weighed > 10 && quick > 10,
            "{}: {weighed}, {quick}",
            rules.id
        );
    }
}

/// The explanation also rates a human's choice, next to the best-looking ones.
#[test]
fn a_humans_choice_is_simulated_as_well() {
    let (rules, seed) = (ALL[0], 5);
    let setup = level_setup(&small_level(seed));
    let mut controllers = Controllers::new(&[Player::Random; 4], &setup, rules, seed);
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    fivefoot_core::control::play(&mut battle, &mut controllers, 8);
    for (_, why) in explained(&battle, seed, |_| None) {
        let taken = why
            .weighed
            .iter()
            .find(|one| one.is_taken)
            .expect("it was taken");
        let is_known = matches!(taken.worth, Worth::Share { playouts: 1.., .. });
        assert!(is_known || why.is_plain(), "{why:?}");
    }
}
