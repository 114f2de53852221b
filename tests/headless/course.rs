//! How a battle went: the chance to win over its events, and the deed that
//! decided it.

use fivefoot_core::{
    battle::{Battle, DiceBox, EventKind, Id, Ruleset, Side, level_setup},
    control::{
        Player, Table,
        course::{Course, course},
        play,
    },
    levels::{self, Level},
    rulesets::ALL,
};
use fivefoot_kit::field;

fn fought(level: &Level, rules: &'static Ruleset, seed: u64) -> (Battle, [Course; 2]) {
    let setup = level_setup(&std::sync::Arc::new(level.clone()));
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    let mut table = Table::new(&[Player::Quick; 2], &setup, rules, seed);
    play(&mut battle, &mut table, 100_000);
    let courses = [0, 1].map(|n| course(&battle, &setup, Side(n), &|_| 0.0));
    (battle, courses)
}

#[test]
fn a_course_goes_from_the_first_event_to_how_it_ended() {
    let level = levels::built_in()[0].clone();
    for rules in ALL {
        for seed in 0..4 {
            let (battle, courses) = fought(&level, rules, seed);
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

/// What decided it is the same for both sides, seen from either: nothing else
/// that somebody did moved the chances further the way it went.
#[test]
fn the_decisive_deed_moved_the_chances_most() {
    let level = levels::built_in()[0].clone();
    for rules in ALL {
        for seed in 0..4 {
            let (battle, [own, other]) = fought(&level, rules, seed);
            let what = format!("{} {seed}", rules.id);
            let (Some(deed), Some(theirs)) = (&own.decisive, &other.decisive) else {
                panic!("{what}: nobody did anything");
            };
            assert_eq!(deed.events, theirs.events, "{what}");
            let (before, after) = deed.swing.unwrap();
            let won = battle.over().unwrap() == Some(Side(0));
            let swing = if won { after - before } else { before - after };
            assert!(swing >= 0.03, "{what}: {swing}");
            // The battle's last point tells how it ended, no chance.
            let steps = own.points[..own.points.len() - 1].windows(2);
            for step in steps {
                let first = &battle.events()[step[0].event].what;
                if matches!(first, EventKind::Acted { .. }) {
                    let gain = step[1].chance - step[0].chance;
                    let gain = if won { gain } else { -gain };
                    assert!(gain <= swing + 1e-6, "{what}: {gain} of {swing}");
                }
            }
        }
    }
}

/// A blow is part of the act that it came of, whatever was answered between; who
/// dealt it is who did it.
#[test]
fn a_blow_that_ends_it_is_the_attackers() {
    let people = [("ann", "party", (2, 1), 12), ("gob", "goblins", (3, 1), 1)];
    let level = field(&["......", "......", "......"], &people);
    for rules in ALL {
        for seed in 0..6 {
            let (battle, [own, _]) = fought(&level, rules, seed);
            let fell = |event: &fivefoot_core::battle::Event| match event.what {
                EventKind::Fell { who } => Some(who),
                _ => None,
            };
            let what = format!("{} {seed}", rules.id);
            let first = battle.events().iter().find_map(fell);
            if first == Some(Id(1)) && battle.over() == Some(Some(Side(0))) {
                let deed = own.decisive.unwrap_or_else(|| panic!("{what}: no deed"));
                let of_deed = &battle.events()[deed.events.clone()];
                assert!(of_deed.iter().any(|e| fell(e) == Some(Id(1))), "{what}");
                assert_eq!(deed.by, Some(Id(0)), "{what}");
                assert!(deed.harm >= 1, "{what}");
            }
        }
    }
}
