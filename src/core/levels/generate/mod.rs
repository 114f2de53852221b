//! Ground made by chance, the same for the same seed: halls, caves, ruins, woods,
//! hills. It is the same from every side that stands on it, turned about its
//! middle, and nobody on it is shut in.

mod caves;
mod halls;
mod hills;
mod ruins;
mod sketch;
mod woods;

use crate::battle::Chance;
use crate::grid::Cell;
use sketch::Sketch;

/// What ground is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Halls,
    Caves,
    Ruins,
    Woods,
    Hills,
}

impl Form {
    pub const ALL: [Self; 5] = [
        Self::Halls,
        Self::Caves,
        Self::Ruins,
        Self::Woods,
        Self::Hills,
    ];

    /// "halls".
    pub fn name(self) -> &'static str {
        match self {
            Self::Halls => "halls",
            Self::Caves => "caves",
            Self::Ruins => "ruins",
            Self::Woods => "woods",
            Self::Hills => "hills",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// Cells along an edge, the least and the most.
pub const EDGE: (i16, i16) = (12, 40);
/// Sides at most.
pub const MOST_SIDES: usize = 4;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    pub form: Form,
    pub seed: u64,
    /// In cells, within [`EDGE`]. With three or four sides the map is as high as it
    /// is wide.
    pub width: i16,
    pub height: i16,
    /// Two to four.
    pub sides: usize,
}

impl Wish {
    /// As large as fits a small window.
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

/// Ground, in characters that the legend of [`Ground::LEGEND`] explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ground {
    pub rows: Vec<String>,
    /// Where the sides begin, in their order: as many cells each, the first ones
    /// apart from each other, the farthest last.
    pub starts: Vec<Vec<Cell>>,
    /// So many of the first ones are a start, the others the floor round it.
    pub core: usize,
    /// Where each of them leaves.
    pub exits: Vec<Vec<Cell>>,
    /// Cells in the middle, to be held.
    pub middle: Vec<Cell>,
}

impl Ground {
    /// What characters mean that mean nothing by themselves, with what is written in
    /// a legend.
    pub const LEGEND: [(char, &str); 4] = [
        ('1', "(floor: 5)"),
        ('2', "(floor: 10)"),
        ('3', "(floor: 5, rough: true)"),
        ('4', "(floor: 10, feature: Pillar)"),
    ];
}

/// Makes ground.
pub fn ground(wish: Wish) -> Ground {
    let edge = |n: i16| n.clamp(EDGE.0, EDGE.1);
    let (width, height) = (edge(wish.width), edge(wish.height));
    let sides = wish.sides.clamp(2, MOST_SIDES);
    // Each form has dice of its own, so that no two of a seed look alike.
    let nth = Form::ALL.iter().position(|form| *form == wish.form);
    let seed = wish
        .seed
        .wrapping_mul(8)
        .wrapping_add(nth.unwrap_or(0) as u64);
    let mut sketch = match sides {
        2 => Sketch::new(width, height, 2),
        _ => Sketch::new(width, width, 4),
    };
    let mut chance = Chance::new(seed);
    match wish.form {
        Form::Halls => halls::draw(&mut sketch, &mut chance),
        Form::Caves => caves::draw(&mut sketch, &mut chance),
        Form::Ruins => ruins::draw(&mut sketch, &mut chance),
        Form::Woods => woods::draw(&mut sketch, &mut chance),
        Form::Hills => hills::draw(&mut sketch, &mut chance),
    }
    sketch.finish(&mut chance, sides)
}
