//! Maps generated from a seed: halls, caves, ruins, woods, hills. Each has rotational
//! symmetry, so that it is the same for every side, and every unit can reach the
//! others.

mod caves;
mod halls;
mod hills;
mod ruins;
mod sketch;
mod woods;

use crate::battle::Chance;
use crate::content::section::word_enum;
use crate::grid::Cell;
use sketch::Sketch;

word_enum! {
    /// The kind of terrain.
    pub enum Form {
        Halls = "halls",
        Caves = "caves",
        Ruins = "ruins",
        Woods = "woods",
        Hills = "hills",
    }
}

impl Form {
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// The least and greatest length of an edge, in cells.
pub const EDGE: (i16, i16) = (12, 40);
/// The greatest number of sides.
pub const MAX_SIDES: usize = 4;

/// The parameters of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapSpec {
    pub form: Form,
    pub seed: u64,
    /// In cells, within [`EDGE`]. With three or four sides, the map is a square of
    /// this width.
    pub width: i16,
    pub height: i16,
    /// Two to four.
    pub sides: usize,
}

impl MapSpec {
    /// A map that fits a small window.
    pub fn new(form: Form, seed: u64, sides: usize) -> Self {
        let (width, height) = if sides > 2 { (16, 16) } else { (18, 12) };
        Self {
            form,
            seed,
            width,
            height,
            sides,
        }
    }
}

/// A generated map, in characters that [`GeneratedMap::LEGEND`] explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneratedMap {
    pub rows: Vec<String>,
    /// The cells where each side starts, equally many for each. The first ones are
    /// not adjacent; the farthest come last.
    pub starts: Vec<Vec<Cell>>,
    /// The number of these cells that form the starting area. The others are the
    /// floor around it.
    pub core: usize,
    /// The cells where each side can leave.
    pub exits: Vec<Vec<Cell>>,
    /// Cells in the middle, for objectives that hold it.
    pub middle: Vec<Cell>,
}

impl GeneratedMap {
    /// The characters without a standard meaning, with their legend text.
    pub const LEGEND: [(char, &str); 4] = [
        ('1', "(floor: 5)"),
        ('2', "(floor: 10)"),
        ('3', "(floor: 5, rough: true)"),
        ('4', "(floor: 10, feature: Pillar)"),
    ];
}

/// Generates a map.
pub fn ground(spec: MapSpec) -> GeneratedMap {
    let edge = |n: i16| n.clamp(EDGE.0, EDGE.1);
    let (width, height) = (edge(spec.width), edge(spec.height));
    let sides = spec.sides.clamp(2, MAX_SIDES);
    // Each form has its own dice, so that two forms with the same seed do not look
    // alike.
    let nth = Form::ALL.iter().position(|form| *form == spec.form);
    let seed = spec.seed.wrapping_mul(8);
    let seed = seed.wrapping_add(nth.unwrap_or(0) as u64);
    let mut sketch = match sides {
        2 => Sketch::new(width, height, 2),
        _ => Sketch::new(width, width, 4),
    };
    let mut chance = Chance::new(seed);
    match spec.form {
        Form::Halls => halls::draw(&mut sketch, &mut chance),
        Form::Caves => caves::draw(&mut sketch, &mut chance),
        Form::Ruins => ruins::draw(&mut sketch, &mut chance),
        Form::Woods => woods::draw(&mut sketch, &mut chance),
        Form::Hills => hills::draw(&mut sketch, &mut chance),
    }
    sketch.finish(&mut chance, sides)
}
