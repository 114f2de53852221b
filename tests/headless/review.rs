//! The review of a battle: what orders cost, and what the dice did.

use crate::kit::between;
use fivefoot_core::{
    battle::{Battle, Choice, Side},
    control::{
        Player, forecast,
        review::{Grade, Review, Reviewer, better, headline, reason},
        statistics::{UnitStatistics, statistics},
    },
    rulesets::ALL,
};
use fivefoot_kit::{brawl, sample};
use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
};

fn reviewed(battle: &Battle, only: Option<Side>, playouts: u32) -> Review {
    let mut reviewer = Reviewer::of(battle, only, playouts, 5, &|| false).unwrap();
    assert!(reviewer.run_playouts(true, &|| false, &mut |_| {}));
    reviewer.review()
}

/// The parts of a side's win probability add up, the sides add up to 1, and the curve runs from the
/// first decision to the end.
#[test]
fn a_review_adds_up() {
    for rules in ALL {
        let battle = between(&brawl(), rules, &[Player::Quick, Player::Easy], 3);
        let review = reviewed(&battle, None, 12);
        assert!(review.decisions.len() > 3, "{}", rules.id);
        assert_eq!(review.progress, 1.0);
        for n in 0..2 {
            let side = Side(n);
            let all = review.balance(side).unwrap();
            let sum = all.start + all.orders + all.others + all.dice;
            assert!((sum - all.end).abs() < 1e-3, "{}: {all:?}", rules.id);
            let won = battle.over().unwrap();
            let end = won.map_or(0.5, |w| f32::from(u8::from(w == side)));
            assert_eq!(all.end, end);
            let curve = review.curve(side);
            assert!(
                curve.is_sorted_by(|a, b| a.event <= b.event),
                "{}",
                rules.id
            );
            assert_eq!(curve.last().unwrap().event, battle.events().len());
            let grades = review.grades(side);
            assert_eq!(grades.iter().sum::<u32>() as usize, review.of(side).count());
        }
        for one in &review.decisions {
            assert!((one.before.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            assert!(one.orders.iter().filter(|order| order.is_given).count() == 1);
            assert!((0.0..=1.0).contains(&one.accuracy()));
            assert_eq!(one.grade() == Grade::Best, one.best().is_given);
            let cost = one.cost;
            assert!(
                one.grade() < Grade::Inaccuracy || cost.value > cost.error,
                "{cost:?}"
            );
        }
    }
}

/// The reason for a better order never argues against it: a unit of the side falls less often after
/// it, or an enemy more often.
#[test]
fn the_reason_of_a_review_speaks_for_the_better_order() {
    let battle = between(&brawl(), ALL[0], &[Player::Idle, Player::Quick], 3);
    let review = reviewed(&battle, None, 12);
    for decision in &review.decisions {
        let (given, best) = (decision.given(), decision.best());
        let helps = std::iter::zip(&given.falls, &best.falls).zip(&review.sides);
        let helps = helps.map(|((given, best), side)| match *side == decision.side {
            true => given - best,
            false => best - given,
        });
        let most = helps.fold(0.0, f32::max);
        let words = reason(decision, &review.sides, battle.names());
        assert_eq!(words.is_some(), most >= 0.05, "{words:?}");
    }
    // The same numbers argue against the order if every unit is on the other side.
    let found = review.decisions.iter().find_map(|decision| {
        let words = reason(decision, &review.sides, battle.names())?;
        Some((decision, words))
    });
    let (decision, words) = found.expect("a better order with a reason");
    let turned: Vec<Side> = review.sides.iter().map(|side| Side(1 - side.0)).collect();
    assert_ne!(reason(decision, &turned, battle.names()), Some(words));
}

/// Neither the number of threads nor the progress callback changes a review.
#[test]
fn a_review_is_the_same_on_any_number_of_threads() {
    let battle = between(&brawl(), ALL[0], &[Player::Quick, Player::Easy], 4);
    let [one, many] = [false, true].map(|parallel| {
        let mut reviewer = Reviewer::of(&battle, None, 12, 5, &|| false).unwrap();
        assert!(reviewer.run_playouts(parallel, &|| false, &mut |now| drop(now.review())));
        reviewer.review()
    });
    assert_eq!(one, many);
}

/// A review can stop at any moment; it keeps its results and continues from there.
#[test]
fn a_review_can_stop_and_continue() {
    let battle = between(&brawl(), ALL[0], &[Player::Quick, Player::Easy], 4);
    assert!(Reviewer::of(&battle, None, 12, 5, &|| true).is_none());
    let whole = reviewed(&battle, None, 12);
    let mut reviewer = Reviewer::of(&battle, None, 12, 5, &|| false).unwrap();
    let asked = AtomicUsize::new(0);
    let enough = || asked.fetch_add(1, Ordering::Relaxed) > 60;
    assert!(!reviewer.run_playouts(false, &enough, &mut |_| {}));
    let part = reviewer.review();
    assert!(part.progress < 1.0);
    assert!(part.decisions.len() <= whole.decisions.len());
    let last = Cell::new(part.progress);
    let told = &mut |now: &Reviewer| {
        assert!(now.progress() >= last.get(), "it goes forward");
        last.set(now.progress());
    };
    assert!(reviewer.run_playouts(false, &|| false, told));
    assert_eq!(reviewer.review().progress, 1.0);
    assert_eq!(reviewer.review().decisions.len(), whole.decisions.len());
}

/// An idle side makes more and larger mistakes than its opponent.
#[test]
fn a_review_finds_the_mistakes_of_a_side_that_does_nothing() {
    let mut found = [0.0, 0.0];
    for rules in ALL {
        let battle = between(&brawl(), rules, &[Player::Idle, Player::Quick], 2);
        let review = reviewed(&battle, None, 30);
        for n in 0..2 {
            let side = Side(n);
            let mistakes = review.mistakes(side);
            found[usize::from(n)] += mistakes
                .iter()
                .map(|&m| review.decisions[m].loss())
                .sum::<f32>();
            let names = battle.names();
            let line = headline(&review, names, side, n == 0);
            assert!(line.ends_with('.'), "{line}");
            for m in mistakes {
                let one = &review.decisions[m];
                assert!(!better(one, names).is_empty());
                assert!(one.best().chance.value > one.given().chance.value);
                let shown = one.shown();
                assert!(
                    std::ptr::eq(shown[0], one.best()),
                    "the better order is first"
                );
                assert!(shown.iter().all(|o| o.playouts >= one.given().playouts));
            }
        }
    }
    assert!(found[0] > 0.3 && found[0] > 2.0 * found[1], "{found:?}");
}

/// A review of one side compares only its orders; the other side's orders still count in the sum.
#[test]
fn a_review_of_one_side_compares_only_its_orders() {
    let battle = between(&brawl(), ALL[0], &[Player::Easy, Player::Easy], 6);
    let review = reviewed(&battle, Some(Side(0)), 12);
    assert!(review.of(Side(0)).any(|one| one.orders.len() > 2));
    assert!(review.of(Side(1)).all(|one| one.orders.len() == 2));
}

/// A recording that stops in the middle of a battle ends with the forecast.
#[test]
fn a_review_of_an_unfinished_battle_ends_with_the_forecast() {
    let battle = between(&brawl(), ALL[0], &[Player::Quick, Player::Easy], 4);
    let mut part = battle.at(battle.answers().len() / 2);
    let review = reviewed(&part, None, 12);
    let rules = part.rules();
    let position = part.with_world(|world| forecast::position(world, rules));
    let likely = forecast::formula(rules).unwrap().chances(&position);
    assert_eq!(review.end, likely);
}

/// Over many battles, luck in damage evens out, because the expected damage of an attack is the
/// average of its dice. Reactions between the roll and the hit result, such as a parry, only make
/// attacks worse.
#[test]
fn luck_in_damage_is_even_in_the_long_run() {
    for rules in ALL {
        let (mut luck, mut squares, mut struck) = (0.0_f64, 0.0_f64, 0.0_f64);
        for seed in 0..sample(40, 400) {
            let battle = between(&brawl(), rules, &[Player::Quick; 2], seed);
            let all = statistics(&battle);
            let one: f64 = all.iter().map(|actions| f64::from(actions.luck())).sum();
            luck += one;
            squares += one * one;
            struck += all
                .iter()
                .map(|statistics| f64::from(statistics.struck))
                .sum::<f64>();
        }
        let error = squares.sqrt();
        assert!(struck > 0.0, "{}", rules.id);
        assert!(
            luck < 3.0 * error + 0.01 * struck && luck > -3.0 * error - 0.06 * struck,
            "{}: {luck:.1} of {struck:.1}, standard error {error:.1}",
            rules.id
        );
    }
}

/// Every page shows the same luck: that of the numbers beside it.
#[test]
fn luck_is_the_difference_of_the_numbers_that_are_shown() {
    let all = UnitStatistics {
        struck: 7,
        expected_damage: 4.06,
        ..UnitStatistics::default()
    };
    assert_eq!(all.luck(), 2.9);
    let all = UnitStatistics {
        expected_damage: 4.05,
        ..all
    };
    assert_eq!(all.luck(), 2.9);
}

/// A review never compares orders that were not legal at that moment.
#[test]
fn every_compared_order_was_legal() {
    let battle = between(&brawl(), ALL[0], &[Player::Easy, Player::Easy], 8);
    let review = reviewed(&battle, None, 12);
    for one in &review.decisions {
        let mut then = battle.at(one.answer);
        assert_eq!(then.asked().unwrap().side, one.side);
        let legal = |choice: &Choice, then: &mut Battle| then.check(choice).is_ok();
        assert!(legal(&one.given().choice, &mut then));
        assert!(
            legal(&one.best().choice, &mut then),
            "{:?}",
            one.best().choice
        );
    }
}
