//! Generated maps: free of problems, connected, and fair to every side.

use fivefoot_core::{
    grid::{Board, Cell, Space},
    lab::points,
    levels::{
        Level, built_in, check_file,
        compose::{Aim, Composition, Site, Squad},
        generate::{EDGE, Form, GeneratedMap, MapSpec, ground},
    },
    rulesets::ALL,
};
use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

const SEEDS: u64 = 60;

/// Maps of every form, with two to four sides and several sizes, for many seeds.
fn all() -> impl Iterator<Item = MapSpec> {
    let forms = Form::ALL.into_iter();
    forms.flat_map(|form| {
        (0..SEEDS).map(move |seed| {
            let sides = [2, 2, 3, 4][(seed % 4) as usize];
            let usual = MapSpec::new(form, seed, sides);
            let edge = |n: u64| EDGE.0 + (seed * n % 29) as i16;
            match seed % 3 {
                0 => MapSpec {
                    width: edge(7),
                    height: edge(5),
                    ..usual
                },
                _ => usual,
            }
        })
    })
}

fn composition(spec: MapSpec, aim: Aim) -> Composition {
    let squad = |n: usize| Squad {
        name: format!("The {n}th"),
        members: vec![
            ("ogre".into(), 1),
            ("goblin".into(), 4),
            ("crossbowman".into(), 1),
        ],
    };
    Composition {
        title: "Made".into(),
        briefing: "By \"chance\".".into(),
        place: Site::of_ground(&ground(spec)),
        squads: (0..spec.sides).map(squad).collect(),
        aim,
        rules: None,
        kinds: String::new(),
    }
}

fn read(composition: &Composition) -> Level {
    let text = composition.text();
    match check_file("made.ron", &text) {
        Ok((level, hints)) => {
            assert!(hints.is_empty(), "{}\n{text}", hints[0]);
            level
        }
        Err(problems) => panic!("{}\n{text}", problems[0]),
    }
}

/// The cells that a walking unit can reach, opening doors on the way.
fn reach(board: &Board, from: Cell) -> BTreeSet<Cell> {
    let mut met = BTreeSet::from([from]);
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
            let next = Cell::new(cell.x + dx, cell.y + dy);
            let is_way = board.contains(next)
                && (board.can_stand(Space::new(next, 1)) || board.door(next).is_some())
                && (board.stand(next) - board.stand(cell)).abs() <= 5.0;
            if is_way && met.insert(next) {
                queue.push_back(next);
            }
        }
    }
    met
}

#[test]
fn generated_levels_have_no_problems_and_no_enclosed_units() {
    for (n, spec) in all().enumerate() {
        let level = read(&composition(spec, Aim::ALL[n % 3]));
        assert_eq!(level.sides.len(), spec.sides);
        let board = level.board();
        let first = level.combatants[0].cell;
        let met = reach(&board, first);
        for one in &level.combatants {
            assert!(
                met.contains(&one.cell),
                "{spec:?}: {}\n{}",
                one.name,
                level.source
            );
        }
        // Every open cell can be reached; only a low wall can be isolated.
        let open = |cell: &Cell| {
            let floor = board
                .ground(*cell)
                .is_some_and(|g| g.feature == fivefoot_core::grid::Feature::Open);
            floor && board.can_stand(Space::new(*cell, 1))
        };
        let lost: Vec<Cell> = board
            .cells()
            .filter(|c| open(c) && !met.contains(c))
            .collect();
        assert!(lost.is_empty(), "{spec:?}: {lost:?}\n{}", level.source);
        assert!(
            met.len() * 4 > board.cells().count(),
            "{spec:?} is mostly rock"
        );
    }
}

#[test]
fn generated_maps_are_symmetric_and_deterministic() {
    let mut seen = BTreeSet::new();
    for spec in all() {
        let made = ground(spec);
        assert_eq!(made, ground(spec), "{spec:?}");
        let turned = |rows: &[String]| -> Vec<String> {
            rows.iter()
                .rev()
                .map(|row| row.chars().rev().collect())
                .collect()
        };
        assert_eq!(made.rows, turned(&made.rows), "{spec:?}");
        if spec.sides > 2 {
            let cells: Vec<Vec<char>> = made.rows.iter().map(|r| r.chars().collect()).collect();
            let edge = cells.len();
            for (y, row) in cells.iter().enumerate() {
                assert_eq!(row.len(), edge);
                for (x, &cell) in row.iter().enumerate() {
                    assert_eq!(cell, cells[x][edge - 1 - y], "{spec:?}");
                }
            }
        }
        let GeneratedMap { starts, exits, .. } = &made;
        assert_eq!((starts.len(), exits.len()), (spec.sides, spec.sides));
        assert!(starts.iter().all(|start| start.len() == starts[0].len()));
        seen.insert(made.rows);
    }
    assert!(seen.len() as u64 > 4 * SEEDS, "seeds make different ground");
}

#[test]
fn built_in_levels_can_serve_as_maps() {
    for level in built_in() {
        let Some(place) = Site::of_level(level) else {
            continue;
        };
        let squad = |n| Squad {
            name: format!("The {n}th"),
            members: vec![("goblin".into(), 5), ("goblin_chief".into(), 1)],
        };
        let made = Composition {
            title: "Again".into(),
            briefing: String::new(),
            squads: (0..place.sides()).map(squad).collect(),
            place,
            aim: Aim::Hold,
            rules: Some("Speed"),
            kinds: String::new(),
        };
        let text = made.text();
        let made = match check_file("again.ron", &text) {
            Ok((made, _)) => made,
            Err(problems) => panic!("{}: {}\n{text}", level.id, problems[0]),
        };
        assert_eq!(made.board().width(), level.board().width());
        assert_eq!(made.combatants.len(), 6 * level.sides.len());
    }
    let fit = built_in().iter().filter(|l| Site::of_level(l).is_some());
    assert!(fit.count() >= 5);
}

/// With equal squads on generated maps, neither side wins much more often.
#[test]
fn generated_maps_favour_no_side() {
    for rules in ALL {
        let mut first = 0.0;
        let fights = 60;
        for seed in 0..fights {
            let form = Form::ALL[seed as usize % 5];
            let squad = |name: &str| Squad {
                name: name.into(),
                members: vec![("watchman".into(), 2), ("crossbowman".into(), 1)],
            };
            let made = Composition {
                title: "Fair".into(),
                briefing: String::new(),
                place: Site::of_ground(&ground(MapSpec::new(form, seed, 2))),
                squads: vec![squad("One"), squad("Two")],
                aim: Aim::Defeat,
                rules: None,
                kinds: String::new(),
            };
            first += points::fight(&Arc::new(read(&made)), rules, seed);
        }
        // Within three standard deviations of a fair coin.
        let (share, error) = (first / fights as f64, 0.5 / (fights as f64).sqrt());
        assert!((share - 0.5).abs() < 3.0 * error, "{}: {share}", rules.id);
    }
}

#[test]
fn every_kind_has_points_under_every_ruleset() {
    for rules in ALL {
        for kind in points::kinds() {
            let of = points::of(rules, &kind);
            let of = of.unwrap_or_else(|| panic!("{kind} under {} is not measured", rules.id));
            assert!(
                of.points > 0.0 && of.error >= 0.0,
                "{kind} under {}: {of:?}",
                rules.id
            );
            let is_sure = of.error < 0.5 * of.points + 1.0;
            assert!(is_sure, "{kind} under {}: {of:?}", rules.id);
        }
    }
    let squad = Squad {
        name: String::new(),
        members: vec![("watchman".into(), 2), ("no such".into(), 3)],
    };
    assert_eq!(
        points::of_squad(ALL[0], &squad).points,
        2.0 * points::MEASURE.1
    );
}
