//! Random battlefields, to test that AIs fight: 10 by 10 to 40 by 20 cells with walls, doors,
//! heights and pits, and two to four sides of mixed units. Every unit can walk to an enemy, and
//! every side's only goal is to defeat the others.

use fivefoot_core::{
    battle::Chance,
    content::Content,
    grid::{Cell, CellGround, Feature, Fields, Space},
    levels::{
        Level, check_file,
        generate::{Form, GeneratedMap as Terrain, MapSpec, ground},
    },
};
use std::{fmt::Write, sync::Arc};

/// Attempts per seed to generate a level on which every unit can walk to an enemy.
const ATTEMPTS: u64 = 200;

/// Features on open ground: the character and its legend entry.
const SCATTERED: [(char, &str); 13] = [
    ('#', ""),
    ('=', ""),
    ('o', ""),
    ('+', ""),
    (',', ""),
    ('~', ""),
    ('l', "(floor: 5)"),
    ('h', "(floor: 10)"),
    ('c', "(floor: 15, climbable: true)"),
    ('p', "(floor: -10)"),
    ('q', "(floor: -20, climbable: true)"),
    ('w', "Window(X)"),
    ('f', "(fog: 50)"),
];

/// A random battlefield, deterministic for its seed.
///
/// # Panics
/// If all attempts for the seed fail.
pub fn battlefield(seed: u64) -> Arc<Level> {
    for attempt in 0..ATTEMPTS {
        let text = drawn(seed.wrapping_mul(ATTEMPTS).wrapping_add(attempt));
        if let Ok((level, _)) = check_file("battlefield.ron", &text)
            && all_can_meet(&level)
        {
            return Arc::new(level);
        }
    }
    panic!("seed {seed}: no attempt is a battlefield");
}

fn drawn(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let sides = [2, 2, 2, 3, 4][chance.below(5)];
    let (rows, legend) = match chance.below(2) {
        0 => made(&mut chance, seed, sides),
        _ => scattered(&mut chance),
    };
    let mut text = String::from("(\n    title: \"Battlefield\",\n    map: [\n");
    for row in &rows {
        let _ = writeln!(text, "        {:?},", row.iter().collect::<String>());
    }
    text += "    ],\n    legend: {\n";
    for (letter, what) in legend.iter().filter(|(_, what)| !what.is_empty()) {
        let _ = writeln!(text, "        {letter:?}: {what},");
    }
    text += "    },\n    sides: [\n";
    for side in 0..sides {
        let _ = writeln!(text, "        (id: \"side_{side}\"),");
    }
    text += "    ],\n    combatants: [\n";
    let kinds: Vec<&String> = Content::built_in().creatures.keys().collect();
    let most = if sides == 2 { 5 } else { 3 };
    for side in 0..sides {
        // Units of a side start near each other.
        let (width, height) = (rows[0].len(), rows.len());
        let home = (chance.below(width), chance.below(height));
        for _ in 0..1 + chance.below(most) {
            let kind = kinds[chance.below(kinds.len())];
            let spread = |chance: &mut Chance, home: usize, edge: usize| {
                (home + chance.below(7)).saturating_sub(3).min(edge - 1)
            };
            let at = (
                spread(&mut chance, home.0, width),
                spread(&mut chance, home.1, height),
            );
            let with = match chance.below(3) {
                0 => ", with: (morale: Fearless)",
                _ => "",
            };
            let _ = writeln!(
                text,
                "        (kind: {kind:?}, side: \"side_{side}\", at: ({}, {}){with}),",
                at.0, at.1
            );
        }
    }
    text + "    ],\n)\n"
}

type Drawn = (Vec<Vec<char>>, Vec<(char, &'static str)>);

/// A generated map: halls, caves, ruins, woods or hills.
fn made(chance: &mut Chance, seed: u64, sides: usize) -> Drawn {
    let form = Form::ALL[chance.below(Form::ALL.len())];
    let spec = MapSpec {
        width: 12 + chance.below(29) as i16,
        height: 12 + chance.below(9) as i16,
        ..MapSpec::new(form, seed, sides)
    };
    let rows = ground(spec).rows;
    let rows = rows.iter().map(|row| row.chars().collect()).collect();
    (rows, Terrain::LEGEND.to_vec())
}

/// Open ground with scattered features, in one of three cases with a wall across it.
fn scattered(chance: &mut Chance) -> Drawn {
    let (width, height) = (10 + chance.below(31), 10 + chance.below(11));
    let features: Vec<(char, usize)> = (0..chance.below(5))
        .map(|_| {
            let (letter, _) = SCATTERED[chance.below(SCATTERED.len())];
            (letter, 6 + chance.below(24))
        })
        .collect();
    let mut cell = || {
        let mut cell = '.';
        for &(letter, rarity) in &features {
            if chance.below(rarity) == 0 {
                cell = letter;
            }
        }
        cell
    };
    let mut rows: Vec<Vec<char>> = (0..height)
        .map(|_| (0..width).map(|_| cell()).collect())
        .collect();
    if chance.below(3) == 0 {
        let column = 1 + chance.below(width - 2);
        rows.iter_mut().for_each(|row| row[column] = '#');
        for _ in 0..1 + chance.below(2) {
            rows[chance.below(height)][column] = '+';
        }
    }
    (rows, SCATTERED.to_vec())
}

/// Height in feet of a slope that a slow unit cannot climb in one move under some rulesets.
const TOO_HIGH: i16 = 15;

/// Whether every unit can walk to an enemy through gaps wide enough for it, without slopes of
/// [`TOO_HIGH`] or more, and starts neither on top of nor below such a slope.
fn all_can_meet(level: &Level) -> bool {
    let mut board = level.board();
    let too_high: Vec<Cell> = board
        .cells()
        .filter(|&cell| {
            let floor = board.ground(cell).map_or(0, |ground| ground.floor);
            floor.abs() >= TOO_HIGH
        })
        .collect();
    if level
        .combatants
        .iter()
        .any(|one| too_high.contains(&one.cell))
    {
        return false;
    }
    for cell in too_high {
        board.set(cell, CellGround::of(Feature::Wall));
    }
    let mut fields = Fields::default();
    let meets = |one: &fivefoot_core::levels::Combatant| {
        let enemies = level
            .combatants
            .iter()
            .filter(|enemy| enemy.side != one.side);
        let foes: Vec<Space> = enemies.map(|foe| foe.space()).collect();
        fields.nearest_of(&board, foes).distance_in_cells(one.cell) < u16::MAX
    };
    let large = fivefoot_core::levels::isolated_unit(level);
    large.is_none() && level.combatants.iter().all(meets)
}
