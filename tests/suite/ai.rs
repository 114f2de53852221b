//! What the quick AI does with what stands in its way.

use fivefoot::{
    battle::{Battle, DiceBox, EventKind, Ruleset, Side, level_setup},
    control::{Player, Table, play},
    levels,
    rulesets::ALL,
};
use std::sync::Arc;

/// A battle of the AI against itself, to its end.
fn fought(text: &str) -> Battle {
    fought_under(ALL[0], text)
}

fn fought_under(rules: &'static Ruleset, text: &str) -> Battle {
    let (level, _) = levels::check_file("test.ron", text).expect("the level is right");
    let setup = level_setup(&Arc::new(level));
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(7));
    let mut table = Table::new(&[Player::Quick, Player::Quick], &setup, rules, 7);
    play(&mut battle, &mut table, 10_000);
    battle
}

/// Two rooms, and nothing between them but a shut door.
const ROOMS: &str = r##"(
    title: "Two rooms",
    map: [
        "....#....",
        "....+....",
        "....#....",
    ],
    sides: [(id: "west"), (id: "east")],
    combatants: [
        (kind: "mara", side: "west", at: (0, 1)),
        (kind: "brandt", side: "west", at: (0, 0)),
        (kind: "goblin", side: "east", at: [(8, 0), (8, 2)]),
    ],
)"##;

#[test]
fn a_door_in_the_way_is_opened_gr_02() {
    let battle = fought(ROOMS);
    let at = |is: &dyn Fn(&EventKind) -> bool| battle.events().iter().position(|e| is(&e.what));
    let opened = at(&|what| matches!(what, EventKind::DoorMoved { open: true, .. }));
    let struck = at(&|what| matches!(what, EventKind::AttackRolled { .. }));
    // Nobody saw anybody before.
    assert!(opened.is_some() && opened < struck, "{opened:?} {struck:?}");
    assert!(battle.over().is_some_and(|won| won.is_some()));
}

#[test]
fn nobody_runs_at_a_wall() {
    // The way round is long, and it is taken.
    let walled = ROOMS.replace(r#""....+....","#, r#""....#....","#).replace(
        r#""....#....",
    ],"#,
        r#"".........",
    ],"#,
    );
    assert!(!walled.contains('+') && walled.contains("\n        \".........\","));
    let battle = fought(&walled);
    assert!(battle.over().is_some_and(|won| won.is_some()));
}

/// A ridge to be climbed, and nobody who could be fought.
const RIDGE: &str = r##"(
    title: "A ridge",
    map: [
        "....................^^.####",
        "....................^^.#..#",
        "....................^^.####",
    ],
    legend: { '^': (floor: 10, climbable: true) },
    sides: [(id: "west"), (id: "east")],
    combatants: [
        (kind: "brandt", side: "west", at: (0, 1)),
        (kind: "goblin", side: "east", at: (24, 1)),
    ],
    objectives: [
        (side: "west", goal: Reach(area: Rect((21, 0), (21, 2)), count: 1), text: "Get onto the ridge"),
    ],
    last_round: 12,
)"##;

#[test]
fn a_face_in_the_way_is_climbed_under_all_rules_gr_32() {
    for rules in ALL {
        let battle = fought_under(rules, RIDGE);
        assert_eq!(battle.over(), Some(Some(Side(0))), "{}", rules.id);
    }
}
