//! The ground of one cell, light, until the board takes over.

/// A cell: `x` counts east from 0, `y` counts south from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell {
    pub x: i32,
    pub y: i32,
}

/// What a cell is made of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ground {
    /// Height of its floor in feet, negative in a pit.
    pub floor: i32,
    /// Rubble, brush: costs double.
    pub rough: bool,
    /// Shallow water: costs double.
    pub water: bool,
    /// Its faces can be climbed.
    pub climbable: bool,
    pub feature: Feature,
}

/// What stands in a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Feature {
    #[default]
    Open,
    Wall,
    LowWall,
    Window(Axis),
    Slit(Axis),
    Pillar,
    Door {
        open: bool,
    },
    Blocks(Vec<Block>),
}

/// The way one looks through an opening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    X,
    Y,
}

/// A solid box inside a cell, in feet from its north-west corner and floor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    pub from: [f32; 3],
    pub to: [f32; 3],
}

impl Cell {
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}
