//! Threat ranges: the cells that a unit could attack in its next turn, hatched on the board.

use fivefoot_core::{
    battle::{
        AttackApproach, Battle, DiceBox, EventKind, Id, Offer, Replica, Ruleset, Side, ThreatRange,
        level_setup, with_doors_open,
    },
    grid::{Cell, Space, cells_apart},
    levels::Level,
    rulesets::{self, ALL},
};
use fivefoot_kit::{self as kit, field};

/// The threat range of `who`, as the first side knows it.
fn range_of(level: &std::sync::Arc<Level>, rules: &'static Ruleset, who: Id) -> ThreatRange {
    let setup = level_setup(level);
    let mut known = Replica::new(&setup, rules, Some(Side(0)));
    (rules.threat_range)(&mut known.world, who)
}

/// How `who` could come to attack `at`, as the first side knows it.
fn approach_of(
    level: &std::sync::Arc<Level>,
    rules: &'static Ruleset,
    (who, at): (Id, Id),
) -> AttackApproach {
    let setup = level_setup(level);
    let mut known = Replica::new(&setup, rules, Some(Side(0)));
    (rules.attack_approach)(&mut known.world, (who, at))
}

/// The range goes around corners and not through walls, extends to both sides of the unit, and
/// excludes cells behind a wall that are too far to walk to.
#[test]
fn the_range_is_the_move_plus_the_reach() {
    let rows = [
        "..............................",
        "#############################.",
        "..............................",
    ];
    let units = [("ann", "party", (0, 0), 9), ("gob", "goblins", (12, 0), 9)];
    let level = field(&rows, &units);
    for rules in ALL {
        let range = range_of(&level, rules, Id(1));
        let stands = approach_of(&level, rules, (Id(1), Id(0))).stands;
        let here = Cell::new(12, 0);
        assert!(stands.contains(&here), "{}", rules.id);
        for beside in [Cell::new(11, 0), Cell::new(13, 0)] {
            assert!(range.strikes.contains(&beside), "{}", rules.id);
        }
        // Every unit can move 20 to 60 ft before it attacks.
        let far = |cell: &Cell| cells_apart(Space::one(here), Space::one(*cell));
        let farthest = range.strikes.iter().map(far).max().unwrap_or(0);
        assert!(
            (4..=13).contains(&farthest),
            "{}: {farthest} cells",
            rules.id
        );
        // The way around to the other side of the wall is too long.
        let behind = |cell: &&Cell| cell.y == 2 && cell.x < 28;
        assert_eq!(range.strikes.iter().find(behind), None, "{}", rules.id);
        // Every cell it can attack is within reach of a cell it can stand in.
        for cell in &range.strikes {
            let near = |at: &Cell| cells_apart(Space::one(*at), Space::one(*cell)) <= 2;
            assert!(stands.iter().any(near), "{}: {cell:?}", rules.id);
        }
        for cell in &range.shoots {
            assert_eq!(cell.y, 0, "{}: through a wall", rules.id);
        }
        // The order of the units in the level does not change the range.
        let swapped = [("gob", "goblins", (12, 0), 9), ("ann", "party", (0, 0), 9)];
        let swapped = field(&rows, &swapped);
        assert_eq!(range_of(&swapped, rules, Id(0)), range, "{}", rules.id);
    }
}

/// A unit in a closed room threatens only cells of that room.
#[test]
fn the_range_does_not_go_through_walls() {
    let rows = ["....#....", "....#....", "....#...."];
    let units = [("ann", "party", (0, 1), 9), ("gob", "goblins", (7, 1), 9)];
    let level = field(&rows, &units);
    for rules in ALL {
        let range = range_of(&level, rules, Id(1));
        assert!(!range.strikes.is_empty());
        let all = range.strikes.iter().chain(&range.shoots);
        assert!(all.clone().all(|cell| cell.x > 4), "{}", rules.id);
    }
}

/// With the doors open, a unit threatens what is behind them. The query itself opens no door.
#[test]
fn the_range_goes_through_closed_doors_if_they_count_as_open() {
    let rows = ["....#....", "....+....", "....#...."];
    let units = [("ann", "party", (3, 1), 9), ("gob", "goblins", (6, 1), 9)];
    let setup = level_setup(&field(&rows, &units));
    let ann = Cell::new(3, 1);
    for rules in ALL {
        let mut known = Replica::new(&setup, rules, Some(Side(0)));
        let world = &mut known.world;
        let closed = (rules.threat_range)(world, Id(1));
        assert!(closed.cells().all(|cell| cell.x > 4), "{}", rules.id);
        let open = with_doors_open(world, |world| (rules.threat_range)(world, Id(1)));
        assert!(open.strikes.contains(&ann), "{}", rules.id);
        assert_eq!((rules.threat_range)(world, Id(1)), closed, "{}", rules.id);
    }
}

/// Under rulesets where a unit can move and then shoot, it threatens cells around a corner. Under
/// Segments and Phased it shoots instead of moving, so it does not (SE-20, PH-04).
#[test]
fn the_range_includes_move_and_shot_where_the_rules_allow_both() {
    let text = r#"(
        title: "Round the corner",
        map: [
            "..........",
            ".#########",
            "..........",
        ],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (9, 0)),
            (kind: "goblin_archer", side: "goblins", at: (3, 2)),
        ],
    )"#;
    let level = kit::level(text);
    for rules in ALL {
        let range = range_of(&level, rules, Id(1));
        let around_corner = range.shoots.contains(&Cell::new(9, 0));
        let moves_and_shoots = ["Skirmish", "Speed", "Activity"].contains(&rules.id);
        let along_row = range.shoots.contains(&Cell::new(9, 2));
        assert_eq!(around_corner, moves_and_shoots && along_row, "{}", rules.id);
    }
}

/// PH-50: out of melee a unit can only flee, so it threatens what it reaches from its cell.
#[test]
fn a_unit_in_melee_threatens_no_cell_that_it_would_walk_to() {
    let row = ".".repeat(20);
    let rows = [row.as_str(); 3];
    let rules = rulesets::find("Phased").expect("a ruleset");
    let range = |gob: i16| {
        let units = [("ann", "party", (2, 1), 9), ("gob", "goblins", (gob, 1), 9)];
        let level = field(&rows, &units);
        let stands = approach_of(&level, rules, (Id(1), Id(0))).stands;
        (range_of(&level, rules, Id(1)), stands)
    };
    let ((locked, locked_stands), (_, free_stands)) = (range(3), range(5));
    let gob = Cell::new(3, 1);
    assert_eq!(locked_stands, [gob]);
    assert!(locked.strikes.contains(&Cell::new(2, 1)));
    let apart = |cell: &Cell| cells_apart(Space::one(gob), Space::one(*cell));
    assert!(locked.strikes.iter().all(|cell| apart(cell) <= 2));
    assert!(locked.charges.is_empty());
    assert!(free_stands.len() > 1);
}

/// A charge needs a minimum run, and its run plus reach is limited (SK-14, SE-51, PH-42, AC-21).
/// The table has the shortest and the longest distance of the target in cells.
#[test]
fn a_charge_has_a_minimum_and_a_maximum_distance() {
    let row = ".".repeat(60);
    let rows = [row.as_str(); 3];
    for (id, least, most) in [
        ("Skirmish", 2, 13),
        ("Segments", 2, 13),
        ("Phased", 2, 25),
        ("Activity", 6, 9),
    ] {
        let rules = rulesets::find(id).expect("a ruleset");
        let charged = |apart: i16| {
            let units = [
                ("ann", "party", (2, 1), 9),
                ("gob", "goblins", (2 + apart, 1), 9),
            ];
            let level = field(&rows, &units);
            let end = approach_of(&level, rules, (Id(1), Id(0))).charge_end;
            let is_beside =
                |end: Cell| cells_apart(Space::one(end), Space::one(Cell::new(2, 1))) == 1;
            assert!(end.is_none_or(is_beside), "{id}: {end:?}");
            end.is_some()
        };
        let possible: Vec<i16> = (1..40).filter(|&apart| charged(apart)).collect();
        let expected: Vec<i16> = (least..=most).collect();
        assert_eq!(possible, expected, "{id}");
    }
}

/// An ally in the line, or a wall next to it, prevents a charge.
#[test]
fn a_charge_needs_a_free_line() {
    let rows = ["............"; 3];
    for id in ["Skirmish", "Phased", "Activity"] {
        let rules = rulesets::find(id).expect("a ruleset");
        let units = [
            ("ann", "party", (1, 1), 9),
            ("gob", "goblins", (8, 1), 9),
            ("gab", "goblins", (5, 1), 9),
        ];
        let charge_end = |units| {
            let level = field(&rows, units);
            approach_of(&level, rules, (Id(1), Id(0))).charge_end
        };
        assert_eq!(charge_end(&units[..]), None, "{id}");
        assert!(charge_end(&units[..2]).is_some(), "{id}");
    }
}

/// SK-17: a unit that gave up its Main for total defense threatens no cell until the next round.
#[test]
fn total_defense_leaves_no_threat_before_the_next_round() {
    let rows = ["......", "......", "......"];
    let units = [("ann", "party", (2, 1), 30), ("gob", "goblins", (3, 1), 30)];
    let rules = rulesets::find("Skirmish").expect("a ruleset");
    let is_danger = |battle: &mut Battle| {
        let range = battle.with_world(|world| (rules.threat_range)(world, Id(1)));
        !range.strikes.is_empty()
    };
    let give = |battle: &mut Battle, who: u16, name: &str| {
        if battle
            .asked()
            .is_none_or(|asked| !asked.actors.contains(&Id(who)))
        {
            return false;
        }
        let offers = battle.offers_of(Id(who));
        let is_it = |o: &&Offer| o.is_legal() && o.choice.verb.name == name;
        let choice = offers.iter().find(is_it).map(|o| o.choice.clone());
        choice.is_some_and(|choice| battle.answer(choice).is_ok())
    };
    for seed in 1..=20 {
        let setup = level_setup(&field(&rows, &units));
        let mut battle = Battle::new(setup, rules, DiceBox::seeded(seed));
        if battle.asked().is_none_or(|asked| asked.side != Side(0)) {
            continue;
        }
        assert!(is_danger(&mut battle));
        assert!(give(&mut battle, 0, "strike"), "it is adjacent");
        if !give(&mut battle, 1, "total defense") {
            continue;
        }
        assert!(!is_danger(&mut battle), "it has no Main left");
        let is_second = |battle: &Battle| {
            let begins = |what: &EventKind| matches!(what, EventKind::RoundBegan { round: 2 });
            battle.events().iter().any(|event| begins(&event.what))
        };
        while !is_second(&battle) {
            let common = battle.asked().expect("a question").common.first().cloned();
            let choice = common.unwrap_or_else(|| battle.quick_answer(None));
            battle.answer(choice).expect("it is legal");
        }
        assert!(is_danger(&mut battle), "in the next round");
        return;
    }
    panic!("no total defense was taken");
}
