//! Win probability: a formula for each ruleset, and playouts that refine it.

use fivefoot_core::{
    battle::{Battle, DiceBox, Id, Replica, Side, level_setup},
    control::forecast::{
        Advice, Chance, OrderAdvice, OrderReason,
        fit::{Calibration, fit, samples},
        formula, formula_estimate, refine,
    },
    control::strategist::play_to_the_end,
    levels,
    rulesets::{self, ALL, common::distinct},
};
use std::cell::Cell;

/// A side with more hit points, more units and more progress has the better chance, and all chances
/// add up to 1.
#[test]
fn every_rulesets_formula_favours_the_side_ahead() {
    for rules in ALL {
        let formula = formula(rules).expect("it was fitted");
        let even = vec![[0.8, 3.0, 0.5, 0.0, 1.5]; 2];
        let chances = formula.chances(&even);
        assert!((chances[0] - 0.5).abs() < 1e-5, "{}: {chances:?}", rules.id);
        let ahead = vec![[0.9, 3.2, 0.6, 0.2, 1.8], [0.4, 2.2, 0.4, 0.0, 1.2]];
        let chances = formula.chances(&ahead);
        assert!(chances[0] > 0.6, "{}: {chances:?}", rules.id);
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let three = formula.chances(&vec![[0.5, 2.0, 0.3, 0.0, 1.0]; 3]);
        assert!((three[2] - 1.0 / 3.0).abs() < 1e-5, "{three:?}");
    }
}

/// The formula does better than a coin toss on battles that it was not fitted to.
#[test]
fn the_formula_predicts_unseen_battles() {
    let level = &levels::built_in()[0];
    for rules in ALL {
        let setup = level_setup(level);
        let seeds = 900_000..900_012;
        let all: Vec<_> = seeds.flat_map(|n| samples(&setup, rules, 2, n)).collect();
        let formula = formula(rules).expect("it was fitted");
        let told = Calibration::of(&all, |s| formula.chances(&s.position));
        assert!(told.brier < 0.25, "{}: {}", rules.id, told.brier);
        assert_eq!(
            told.bins.iter().map(|b| b.0 as usize).sum::<usize>(),
            all.len()
        );
        // Fitted to these battles, the formula is at least as good as comparing hit points.
        let own = fit(&all);
        let by_own = Calibration::of(&all, |s| own.chances(&s.position)).brier;
        let by_points = Calibration::of_hit_points(&all, &own).brier;
        assert!(
            by_own <= by_points + 0.01,
            "{}: {by_own}, {by_points}",
            rules.id
        );
    }
}

/// Playouts are deterministic, and more of them narrow the interval.
#[test]
fn playouts_narrow_the_interval() {
    let (level, rules) = (&levels::built_in()[0], ALL[0]);
    let setup = level_setup(level);
    let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(4));
    let mut known = Replica::new(&setup, rules, Some(Side(0)));
    let first = formula_estimate(&mut known.world, rules, Side(0), &[]).expect("a formula");
    assert_eq!(first.playouts, 0);
    let mut base = battle.fork_known(&mut known, DiceBox::seeded(1));
    let play = |seed| play_to_the_end(&base, Side(0), seed);
    let few = refine(play, first, 4, 7, &|| false);
    let many = refine(play, first, 24, 7, &|| false);
    assert_eq!(few, refine(play, first, 4, 7, &|| false));
    assert_eq!((few.playouts, many.playouts), (4, 24));
    let width = |of: Chance| of.interval().1 - of.interval().0;
    assert!(width(many) < width(few), "{many:?}, {few:?}");
    assert_eq!(refine(play, first, 24, 7, &|| true).playouts, 0);
    assert!(base.asked().is_some() && base.strength().len() == 2);
}

/// An earlier estimate counts as long as the playouts agree with it. 150 playouts settle any chance,
/// few do not.
#[test]
fn playouts_replace_an_estimate_that_they_contradict() {
    let first = |value| Chance {
        value,
        worth: 80,
        playouts: 80,
    };
    let even = |seed: u64| (seed % 2) as f32;
    let same = refine(even, first(0.52), 150, 0, &|| false);
    assert_eq!(same.worth, 230);
    let other = refine(even, first(0.9), 150, 0, &|| false);
    assert_eq!((other.worth, other.value), (150, 0.5));
    assert!(other.is_settled());
    let few = refine(even, first(0.9), 40, 0, &|| false);
    assert!(!few.is_settled());
}

/// The confidence interval lies between 0 and 1 and contains the value.
#[test]
fn the_interval_of_a_chance_stays_between_0_and_1() {
    for worth in [1, 8, 128, 500] {
        for n in 0..=100 {
            let value = n as f32 / 100.0;
            let chance = Chance {
                value,
                worth,
                playouts: 0,
            };
            let (low, high) = chance.interval();
            let holds = low <= value + 1e-5 && value <= high + 1e-5;
            assert!(
                0.0 <= low && holds && high <= 1.0,
                "{chance:?}: {low} to {high}"
            );
            assert!(high - low > 0.005, "{chance:?}: nothing is so certain");
        }
    }
}

/// A battle of Skirmish in which the party has the first turn, and advice for that turn.
fn advised(units: &[(&str, &str, (i16, i16), i32)]) -> (Battle, Advice) {
    let level = fivefoot_kit::field(&["...........", "...........", "..........."], units);
    let (rules, setup) = (ALL[0], level_setup(&level));
    let (battle, mut known) = (1..40)
        .find_map(|seed| {
            let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            let side = battle.asked()?.side;
            (side == Side(0)).then(|| (battle, Replica::new(&setup, rules, Some(side))))
        })
        .expect("the party begins one time in two");
    let base = battle.fork_known(&mut known, DiceBox::seeded(3));
    let advice = Advice::of(base, Side(0), 3).expect("much can be done");
    (battle, advice)
}

/// One attack would drop Ann or the last enemy, so ending the turn without attacking lowers the win
/// probability.
#[test]
fn hints_prefer_an_attack_to_passing() {
    let units = [("ann", "party", (2, 2), 3), ("gob", "goblins", (3, 2), 1)];
    let (mut battle, mut advice) = advised(&units);
    assert!(advice.best(None).is_empty() && advice.under_pointer().is_none());
    assert_eq!(advice.progress(), 0.0);
    let pass = battle.asked().expect("a question").common[0].clone();
    advice.point(std::slice::from_ref(&pass));
    assert!(!advice.run_playouts(&|| false), "it comes to an end");
    let best = advice.best(None);
    assert_eq!(advice.progress(), 1.0);
    assert_eq!(best.len(), 3);
    // Orders that are already listed keep their places.
    let listed: Vec<_> = best.iter().rev().cloned().collect();
    assert_eq!(advice.rated(&listed), listed);
    assert!(best.is_sorted_by(|a, b| a.beyond_error() >= b.beyond_error()));
    assert_eq!(best[0].choice.at, Some(Id(1)), "{best:?}");
    // It says why: by the forecast of the attack.
    let attack = best[0].reason.as_ref();
    let drops = |reason: &OrderReason| matches!(reason, OrderReason::Attack { at: Id(1), drop, .. } if *drop > 0);
    assert!(attack.is_some_and(drops), "{attack:?}");
    let under_pointer = advice.under_pointer().expect("it was pointed at");
    assert_eq!(under_pointer.choice, pass);
    assert!(
        under_pointer.gain + under_pointer.error < 0.0,
        "{under_pointer:?}"
    );
    // `other` has not been simulated, so it has no result yet. Earlier results stay.
    let other = battle.offers_of(Id(0));
    let mut other = other.iter().rev();
    let other = other.find(|o| o.is_legal() && o.choice.to.is_some());
    let other = other.expect("ann can go somewhere").choice.clone();
    advice.point(std::slice::from_ref(&other));
    assert_eq!(advice.under_pointer(), None);
    advice.point(&[pass]);
    assert_eq!(advice.under_pointer(), Some(under_pointer));
    assert!(advice.best(None) == best);
}

/// What follows a move in the same turn belongs to it, and says why. Of moves for the same reason, only
/// one is listed.
#[test]
fn a_move_and_the_attack_after_it_are_one_hint() {
    let units = [("ann", "party", (2, 2), 9), ("gob", "goblins", (4, 2), 1)];
    let (_, mut advice) = advised(&units);
    play_some(&mut advice);
    let best = advice.best(None);
    let is_attack = |one: &OrderAdvice| {
        let at = one.follow_up().and_then(|next| next.at);
        let reason = one.reason.as_ref();
        at == Some(Id(1)) && matches!(reason, Some(OrderReason::Attack { at: Id(1), .. }))
    };
    assert!(best.iter().any(is_attack), "{best:?}");
    let own = best
        .iter()
        .filter(|one| !one.is_quick && one.orders().len() == 1);
    let kinds: Vec<_> = own
        .map(|one| (one.choice.verb, one.choice.at, &one.reason))
        .collect();
    assert_eq!(distinct(kinds.clone()), kinds, "{best:?}");
}

/// Plays each of the orders at least once.
fn play_some(advice: &mut Advice) {
    let left = Cell::new(12);
    let enough = || {
        left.set(left.get() - 1);
        left.get() == 0
    };
    assert!(advice.run_playouts(&enough));
}

/// A declaration that leaves everything to the unit's turn comes with what the AI then does.
#[test]
fn a_hint_for_a_declaration_names_the_target_of_its_plan() {
    let units = [("ann", "party", (2, 2), 9), ("gob", "goblins", (3, 2), 9)];
    let level = fivefoot_kit::field(&["...........", "...........", "..........."], &units);
    let setup = level_setup(&level);
    for name in ["Phased", "Segments"] {
        let rules = rulesets::find(name).expect("a ruleset");
        let is_planned = |seed: u64| {
            let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            let Some(side) = battle.asked().map(|asked| asked.side) else {
                return false;
            };
            let mut known = Replica::new(&setup, rules, Some(side));
            let base = battle.fork_known(&mut known, DiceBox::seeded(seed));
            let Some(mut advice) = Advice::of(base, side, seed) else {
                return false;
            };
            play_some(&mut advice);
            let enemy = Id(1 - side.index() as u16);
            let mut plans = advice.best(None).into_iter().map(|one| one.plan);
            plans.any(|plan| plan.iter().any(|choice| choice.at == Some(enemy)))
        };
        assert!((1..10).any(is_planned), "{name}: no plan has a target");
    }
}

/// PH-50: a unit in melee can only flee, so its plan names no other move, even if the melee may end
/// before its turn.
#[test]
fn a_hint_for_a_unit_in_melee_names_no_move() {
    let units = [
        ("ann", "party", (2, 2), 9),
        ("bea", "party", (3, 1), 9),
        ("gob", "goblins", (3, 2), 1),
        ("gab", "goblins", (9, 2), 9),
    ];
    let level = fivefoot_kit::field(&["...........", "...........", "..........."], &units);
    let setup = level_setup(&level);
    let rules = rulesets::find("Phased").expect("a ruleset");
    for seed in 1..10 {
        let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
        let side = battle.asked().expect("a question").side;
        let mut known = Replica::new(&setup, rules, Some(side));
        let base = battle.fork_known(&mut known, DiceBox::seeded(seed));
        let Some(mut advice) = Advice::of(base, side, seed) else {
            continue;
        };
        play_some(&mut advice);
        for one in advice.best(None) {
            let flees = one.choice.verb.name == "declare flight";
            let is_far = one.choice.who == Some(Id(3));
            let moves = one.plan.iter().any(|choice| choice.to.is_some());
            assert!(flees || is_far || !moves, "{one:?}");
        }
    }
}

/// The best order of the selected unit comes first, whatever the others are worth.
#[test]
fn the_best_order_comes_first_and_the_chosen_units_is_listed() {
    let units = [
        ("ann", "party", (2, 2), 3),
        ("bea", "party", (0, 0), 3),
        ("gob", "goblins", (3, 2), 1),
    ];
    let (_, mut advice) = advised(&units);
    play_some(&mut advice);
    for who in [Id(0), Id(1)] {
        let best = advice.best(Some(who));
        let gains: Vec<i32> = best.iter().map(|one| one.beyond_error()).collect();
        assert!(gains.is_sorted_by(|one, next| one >= next), "{gains:?}");
        assert!(best.iter().any(|one| one.choice.who == Some(who)));
    }
}

/// A unit that a side does not know about has no effect on its win probability.
#[test]
fn the_win_probability_does_not_reveal_hidden_units() {
    let ann = ("ann", "party", (1, 1), 9);
    let (gob, gab) = (("gob", "goblins", (6, 1), 9), ("gab", "goblins", (8, 1), 9));
    let rows = ["..........", "..........", ".........."];
    let chance = |units: &[(&str, &str, (i16, i16), i32)], unknown: &[Id]| {
        let setup = level_setup(&fivefoot_kit::field(&rows, units));
        ALL.map(|rules| {
            let mut known = Replica::new(&setup, rules, Some(Side(0)));
            formula_estimate(&mut known.world, rules, Side(0), unknown).expect("a formula")
        })
    };
    let (alone, both) = (chance(&[ann, gob], &[]), chance(&[ann, gob, gab], &[]));
    assert_eq!(chance(&[ann, gob, gab], &[Id(2)]), alone);
    assert!(alone.iter().zip(&both).all(|(one, two)| one != two));
}
