//! The timeline of a battle: the win probability over its events, and the decisive action.

use crate::kit::between;
use fivefoot_core::{
    battle::{Battle, EventKind, Id, Ruleset, Side},
    control::{
        Player,
        timeline::{Point, Review, Timeline, review, timeline},
    },
    levels::{self, Level},
    rulesets::ALL,
};
use fivefoot_kit::field;
use std::sync::Arc;

fn fought(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Battle {
    between(level, rules, &[Player::Quick; 2], seed)
}

/// The reviews of a battle for both sides.
fn reviews(battle: &Battle) -> [Review; 2] {
    [0, 1].map(|n| review(battle, (Side(n), &[]), 9, &|| false))
}

#[test]
fn a_timeline_runs_from_the_first_event_to_the_result() {
    let level = levels::built_in()[0].clone();
    for rules in ALL {
        for seed in 0..4 {
            let battle = fought(&level, rules, seed);
            let courses: [Timeline; 2] = [0, 1].map(|n| timeline(&battle, Side(n), &[]));
            let what = format!("{} {seed}", rules.id);
            let points = &courses[0].points;
            assert!(points.len() > 5, "{what}");
            assert!(points.is_sorted_by(|a, b| a.event < b.event), "{what}");
            assert_eq!(points[0].event, 0);
            let last = points.last().unwrap();
            assert_eq!(last.event, battle.events().len());
            for (own, other) in std::iter::zip(points, &courses[1].points) {
                let sum = own.chance + other.chance;
                assert!((sum - 1.0).abs() < 1e-4, "{what}: {sum}");
            }
            let won = battle.over().unwrap();
            let [of_party, of_goblins] = [0, 1].map(|n| courses[n].points.last().unwrap().chance);
            match won {
                Some(Side(0)) => assert_eq!((of_party, of_goblins), (1.0, 0.0), "{what}"),
                Some(_) => assert_eq!((of_party, of_goblins), (0.0, 1.0), "{what}"),
                None => assert_eq!((of_party, of_goblins), (0.5, 0.5), "{what}"),
            }
        }
    }
}

/// The timeline passes through measured points and is corrected between them.
#[test]
fn a_timeline_passes_through_measured_points() {
    let level = levels::built_in()[0].clone();
    for rules in ALL {
        let battle = fought(&level, rules, 2);
        let plain = timeline(&battle, Side(0), &[]).points;
        let middle = plain[plain.len() / 2];
        let chance = if middle.chance > 0.5 { 0.2 } else { 0.8 };
        let measured = [Point { chance, ..middle }];
        let led = timeline(&battle, Side(0), &measured).points;
        let there = led
            .iter()
            .find(|point| point.event == middle.event)
            .unwrap();
        assert!(
            (there.chance - chance).abs() < 1e-3,
            "{}: {there:?}",
            rules.id
        );
        let up = chance > middle.chance;
        let all = std::iter::zip(&plain[..plain.len() - 1], &led);
        let is_so = |(plain, led): (&Point, &Point)| (led.chance > plain.chance) == up;
        assert!(all.into_iter().all(is_so), "{}", rules.id);
        // A point between two actions is on it too.
        let is_free = |event: &usize| plain.iter().all(|point| point.event != *event);
        let event = (0..battle.events().len()).find(is_free);
        let between = Point {
            event: event.expect("an action of several events"),
            chance,
        };
        let led = timeline(&battle, Side(0), &[between]).points;
        assert_eq!(led.len(), plain.len() + 1, "{}", rules.id);
        let there = led.iter().find(|point| point.event == between.event);
        let off = there.expect("a point").chance - chance;
        assert!(off.abs() < 1e-3, "{}: {off}", rules.id);
    }
}

/// Both sides see the same decisive action. It changed the win probability in the direction of the
/// result, by more than its error. A second review gives the same result.
#[test]
fn a_decisive_action_changes_the_odds_by_more_than_its_error() {
    let level = levels::built_in()[0].clone();
    let mut found = 0;
    for rules in ALL.into_iter().take(fivefoot_kit::sample(2, ALL.len())) {
        for seed in 0..fivefoot_kit::sample(1, 4) {
            let battle = fought(&level, rules, seed);
            let what = format!("{} {seed}", rules.id);
            let [own, other] = reviews(&battle);
            assert!(
                own.measured.is_sorted_by(|a, b| a.event < b.event),
                "{what}"
            );
            for (own, other) in std::iter::zip(&own.measured, &other.measured) {
                assert!((own.chance + other.chance - 1.0).abs() < 1e-4, "{what}");
            }
            let actions = [&own, &other].map(|r| r.decisive.as_ref().map(|d| &d.events));
            assert_eq!(actions[0], actions[1], "{what}");
            let Some(action) = own.decisive else { continue };
            let (before, after) = action.swing;
            let won = battle.over().unwrap() == Some(Side(0));
            let swing = if won { after - before } else { before - after };
            assert!(
                action.error > 0.0 && swing > action.error,
                "{what}: {action:?}"
            );
            found += 1;
        }
    }
    assert!(
        found > fivefoot_kit::sample(0, 10),
        "only {found} battles were decided by a deed"
    );
}

/// An action that the formula takes for harmless is examined if the bar fell or rose with it.
#[test]
fn an_action_that_moved_the_shown_chance_is_examined() {
    let level = levels::built_in()[0].clone();
    let battle = fought(&level, ALL[0], 2);
    let won = battle.over().unwrap() == Some(Side(0));
    let (before, after) = if won { (0.05, 0.95) } else { (0.95, 0.05) };
    let plain = review(&battle, (Side(0), &[]), 9, &|| false);
    let is_measured = |review: &Review, event: usize| {
        let mut measured = review.measured.iter();
        measured.any(|point| point.event == event)
    };
    let is_decision = |event: usize| {
        let mut answers = 0..battle.answers().len();
        answers.any(|n| battle.events_before(n) == event)
    };
    let points = timeline(&battle, Side(0), &[]).points;
    let mut actions = points.windows(2).map(|pair| (pair[0].event, pair[1].event));
    let (start, end) = actions
        .find(|&(start, _)| {
            let begins = &battle.events()[start].what;
            matches!(begins, EventKind::Acted { .. })
                && is_decision(start)
                && !is_measured(&plain, start)
        })
        .expect("an action that was not examined");
    let shown = [(start, before), (end, after)].map(|(event, chance)| Point { event, chance });
    let led = review(&battle, (Side(0), &shown), 9, &|| false);
    assert!(is_measured(&led, start), "{:?}", led.measured);
}

/// A battle that one side cannot lose has no decisive action: luck alone counts as no swing.
#[test]
fn a_one_sided_battle_has_no_decisive_action() {
    let units = [
        ("ann", "party", (2, 1), 90),
        ("bob", "party", (2, 2), 90),
        ("cid", "party", (2, 0), 90),
        ("gob", "goblins", (5, 1), 1),
    ];
    let level = field(&[".......", ".......", "......."], &units);
    let rules = ALL[0];
    for seed in 0..4 {
        let battle = fought(&level, rules, seed);
        assert_eq!(battle.over(), Some(Some(Side(0))), "{seed}");
        for review in reviews(&battle) {
            assert_eq!(review.decisive, None, "{seed}");
        }
    }
}

/// An attack belongs to the action that it comes from, even with reactions in between, and counts
/// for the attacker. No action is decisive if an earlier moment made the result almost certain.
#[test]
fn a_finishing_attack_counts_for_its_attacker() {
    let mut decisive = 0;
    // An even fight that one attack decides.
    let units = [("ann", "party", (2, 1), 1), ("gob", "goblins", (3, 1), 1)];
    let level = field(&["......", "......", "......"], &units);
    for rules in ALL {
        for seed in 0..10 {
            let battle = fought(&level, rules, seed);
            let fell = |event: &fivefoot_core::battle::Event| match event.what {
                EventKind::Fell { who } => Some(who),
                _ => None,
            };
            let what = format!("{} {seed}", rules.id);
            let first = battle.events().iter().find_map(fell);
            if first == Some(Id(1)) && battle.over() == Some(Some(Side(0))) {
                let [own, _] = reviews(&battle);
                let Some(action) = own.decisive else {
                    continue;
                };
                // Winning initiative can be decisive instead.
                let of_action = &battle.events()[action.events.clone()];
                if !of_action.iter().any(|e| fell(e) == Some(Id(1))) {
                    continue;
                }
                decisive += 1;
                assert_eq!(action.by, Some(Id(0)), "{what}");
            }
        }
    }
    assert!(decisive > 5, "{decisive}");
}

/// The timeline begins at the odds that playouts from the first decision give.
#[test]
fn a_reviewed_timeline_begins_at_the_odds_at_the_start() {
    let level = levels::default_level();
    for rules in ALL {
        let battle = fought(&level, rules, 3);
        let review = review(&battle, (Side(0), &[]), 9, &|| false);
        let start = review.measured.first().expect("a measured start");
        assert_eq!(start.event, battle.events_before(0), "{}", rules.id);
        let timeline = timeline(&battle, Side(0), &review.measured);
        let first = timeline.points.first().expect("a start");
        let off = (first.chance - start.chance).abs();
        assert!(off < 0.02, "{}: {first:?}, {start:?}", rules.id);
    }
}
