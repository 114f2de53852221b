//! Measures how the time of a battle grows with the size of the map and with the number of units:
//! AI against AI under each ruleset, on one core.
//!
//! ```text
//! cargo bench --no-default-features --bench growth [-- growth.svg]
//! ```
//!
//! Prints two tables, and with a file name draws both as a picture. Battles of one level share the
//! board's caches, as in `sim`; the first battle of each level is not counted.

use fivefoot::{
    battle::{Battle, DiceBox, level_setup},
    control::{Controllers, Player, play},
    levels,
    rulesets::ALL,
};
use std::{fmt::Write, sync::Arc, time::Instant};

/// Lengths of a side of the square map, in cells.
const SIDES: [u16; 5] = [20, 50, 100, 150, 200];
/// Numbers of units, half of them on each side.
const UNITS: [usize; 4] = [8, 16, 32, 64];
/// Battles measured for each level, after a first one that is not counted.
const BATTLES: u64 = 3;

fn main() {
    let file = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let by_map = Growth::measure("map side, cells (8 combatants)", &SIDES, |&side| {
        level(side, 8)
    });
    let by_units = Growth::measure("combatants (map of 60 by 60)", &UNITS, |&units| {
        level(60, units)
    });
    print!("{}\n{}", by_map.controllers(), by_units.controllers());
    if let Some(file) = file {
        std::fs::write(&file, picture(&[by_map, by_units])).expect("the picture can be written");
    }
}

/// Milliseconds per battle under each ruleset, by map size or by number of units.
struct Growth {
    title: &'static str,
    sizes: Vec<f64>,
    /// Milliseconds per battle, by ruleset, then by size.
    took: Vec<Vec<f64>>,
}

impl Growth {
    fn measure<T: Copy + Into<Size>>(
        title: &'static str,
        sizes: &[T],
        text: impl Fn(&T) -> String,
    ) -> Self {
        let took = ALL.map(|rules| {
            sizes
                .iter()
                .map(|size| battle(rules, &text(size)))
                .collect()
        });
        Self {
            title,
            sizes: sizes.iter().map(|&size| size.into().0).collect(),
            took: took.to_vec(),
        }
    }

    fn controllers(&self) -> String {
        let mut out = format!("\n| {} |", self.title);
        self.sizes
            .iter()
            .for_each(|size| _ = write!(out, " {size} |"));
        out += "\n| --- |";
        self.sizes.iter().for_each(|_| out += " ---: |");
        for (rules, took) in ALL.iter().zip(&self.took) {
            _ = write!(out, "\n| {} |", rules.id);
            took.iter().for_each(|ms| _ = write!(out, " {ms:.1} ms |"));
        }
        out + "\n"
    }
}

struct Size(f64);

impl From<u16> for Size {
    fn from(size: u16) -> Self {
        Self(size.into())
    }
}

impl From<usize> for Size {
    fn from(size: usize) -> Self {
        Self(size as f64)
    }
}

/// The text of a level with two sides at opposite edges, and a wall in one of 16 cells.
fn level(side: u16, units: usize) -> String {
    let mut map = String::new();
    for y in 0..side {
        let cell = |x: u16| match (x * 7 + y * 11) % 16 == 3 && (4..side - 4).contains(&x) {
            true => '#',
            false => '.',
        };
        _ = writeln!(map, "{:?},", (0..side).map(cell).collect::<String>());
    }
    let mut combatants = String::new();
    let half = units / 2;
    let rows = half.min(usize::from(side) / 2);
    for n in 0..half {
        let (column, row) = (n / rows, n % rows * usize::from(side) / rows);
        let east_column = usize::from(side) - 1 - column;
        let west = ["mara", "brandt", "tobin", "hild"][n % 4];
        let east = ["hobgoblin", "goblin_archer", "goblin", "bandit"][n % 4];
        _ = writeln!(
            combatants,
            "(kind: {west:?}, side: \"west\", at: ({column}, {row})),"
        );
        _ = writeln!(
            combatants,
            "(kind: {east:?}, side: \"east\", at: ({east_column}, {row})),"
        );
    }
    format!(
        "(title: \"Growth\", map: [{map}], sides: [(id: \"west\", control: Ai), \
         (id: \"east\", control: Ai)], combatants: [{combatants}])"
    )
}

/// Mean milliseconds per battle.
fn battle(rules: &'static fivefoot::battle::Ruleset, text: &str) -> f64 {
    let (level, _) = levels::check_file("growth.ron", text).expect("the level is right");
    let setup = level_setup(&Arc::new(level));
    let mut controllers = Controllers::new(&[Player::Quick; 2], &setup, rules, 1);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(1));
    let mut fight = |seed| {
        battle.restart(DiceBox::seeded(seed));
        controllers.restart(&mut battle, seed);
        play(&mut battle, &mut controllers, 100_000);
    };
    fight(1);
    let start = Instant::now();
    (2..2 + BATTLES).for_each(fight);
    start.elapsed().as_secs_f64() * 1000.0 / BATTLES as f64
}

const COLOURS: [&str; 5] = ["#a33b2e", "#2d5f8a", "#4c7a34", "#8a5a9e", "#b07d1e"];

/// An SVG with the plots side by side, both axes logarithmic.
fn picture(all: &[Growth]) -> String {
    let (width, height) = (380.0, 300.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbf7ec\"/>\n",
        2.0 * width + 90.0,
        height + 20.0
    );
    for (n, growth) in all.iter().enumerate() {
        let left = n as f64 * width + 50.0;
        let ends = [
            growth.sizes[0].ln(),
            growth.sizes[growth.sizes.len() - 1].ln(),
        ];
        let x = |size: f64| left + (size.ln() - ends[0]) / (ends[1] - ends[0]) * (width - 70.0);
        // The axis runs from 1 ms to 1 s.
        let y = |ms: f64| height - 40.0 - ms.log10() / 3.0 * (height - 70.0);
        _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"18\">ms a battle, by {}</text>",
            growth.title
        );
        for power in 0..=3 {
            let (ms, at) = (10f64.powi(power), y(10f64.powi(power)));
            _ = writeln!(
                out,
                "<path d=\"M{left} {at}h{}\" stroke=\"#d8ccb0\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#665\">{ms}</text>",
                width - 70.0,
                left - 4.0,
                at + 4.0
            );
        }
        for &size in &growth.sizes {
            _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#665\">{size}</text>",
                x(size),
                height - 22.0
            );
        }
        for ((took, colour), rules) in growth.took.iter().zip(COLOURS).zip(ALL) {
            let points = growth.sizes.iter().zip(took);
            let points: Vec<String> = points
                .map(|(&size, &ms)| format!("{:.1},{:.1}", x(size), y(ms)))
                .collect();
            _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\">\
                 <title>{}</title></polyline>",
                points.join(" "),
                rules.id
            );
        }
    }
    for (n, (rules, colour)) in ALL.iter().zip(COLOURS).enumerate() {
        _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>",
            50.0 + 110.0 * n as f64,
            height + 8.0,
            rules.id
        );
    }
    out + "</svg>\n"
}
