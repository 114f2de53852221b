//! Solid boxes, and the features made of them.

use serde::{Deserialize, Serialize};

/// Units in a foot. All geometry uses integers, in units of 1/20 ft.
pub(super) const FOOT: i32 = 20;
/// Units along the side of a cell.
pub(super) const CELL: i32 = 5 * FOOT;
/// The lower end of the ground in units, deeper than any floor.
pub(super) const DEPTH: i32 = -15_000 * FOOT;
/// The maximum height or depth of a floor, in feet.
pub(super) const FLOOR_LIMIT: i16 = 2_000;

/// A closed solid box, in units of 1/20 ft: x runs east, y south, z up from height 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Block {
    /// The west, north and lower end.
    pub min: [i32; 3],
    /// The east, south and upper end.
    pub max: [i32; 3],
}

impl Block {
    /// The box between two corners in feet. `None` if a coordinate is not a multiple of 0.05 ft
    /// or lies beyond 2,000 ft, or if the box is flat.
    pub fn from_feet(min: [f64; 3], max: [f64; 3]) -> Option<Self> {
        let block = Self {
            min: units(min)?,
            max: units(max)?,
        };
        (!block.is_flat()).then_some(block)
    }

    /// The two corners in feet.
    pub fn feet(&self) -> [[f64; 3]; 2] {
        [self.min.map(feet), self.max.map(feet)]
    }

    pub(super) const fn new(min: [i32; 3], max: [i32; 3]) -> Self {
        Self { min, max }
    }

    pub(super) fn is_flat(&self) -> bool {
        (0..3).any(|k| self.min[k] >= self.max[k])
    }

    /// The part of the box inside `other`; flat if they only touch.
    pub(super) fn clip(&self, other: &Block) -> Block {
        Block {
            min: std::array::from_fn(|k| self.min[k].max(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].min(other.max[k])),
        }
    }

    pub(super) fn shifted(&self, by: [i32; 3]) -> Block {
        Block {
            min: std::array::from_fn(|k| self.min[k] + by[k]),
            max: std::array::from_fn(|k| self.max[k] + by[k]),
        }
    }

    pub(super) fn middle(&self) -> [i32; 3] {
        std::array::from_fn(|k| (self.min[k] + self.max[k]) / 2)
    }

    /// The eight corners: x changes fastest, then y; the lower four first.
    pub(super) fn corners(&self) -> [[i32; 3]; 8] {
        std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                if i >> k & 1 == 0 {
                    self.min[k]
                } else {
                    self.max[k]
                }
            })
        })
    }
}

/// Converts units to feet.
pub(super) fn feet(units: i32) -> f64 {
    f64::from(units) / f64::from(FOOT)
}

fn units(point: [f64; 3]) -> Option<[i32; 3]> {
    let unit = |feet: f64| {
        let exact = feet * f64::from(FOOT);
        let rounded = exact.round();
        ((exact - rounded).abs() < 1e-6 && feet.abs() <= f64::from(FLOOR_LIMIT))
            .then_some(rounded as i32)
    };
    Some([unit(point[0])?, unit(point[1])?, unit(point[2])?])
}

file_words! {
    /// A horizontal direction on the map.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Axis {
        /// East and west.
        X,
        /// North and south.
        Y,
    }
}

/// What stands in a cell (GR-02). Heights are measured from the cell's floor, except for
/// [`Feature::Blocks`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Feature {
    /// Nothing.
    #[default]
    Open,
    /// A wall over the whole cell, 100 ft high.
    Wall,
    /// A wall over the whole cell, 3 ft high. Units can climb it and see over it.
    LowWall,
    /// A wall over the whole cell, 10 ft high, with an opening 1.5 ft wide in the middle, 2.5 to
    /// 5.5 ft above the floor. The axis is the direction of sight through it.
    Window(Axis),
    /// Like a window, but with an opening 0.5 ft wide, 2 to 5 ft above the floor.
    Slit(Axis),
    /// A pillar 2.5 ft square in the middle of the cell, 100 ft high.
    Pillar,
    /// A door: closed, a wall over the whole cell, 10 ft high; open, nothing.
    Door {
        /// Whether the door is open.
        open: bool,
    },
    /// Any boxes: x and y are measured from the cell's north-west corner, z from height 0 (not
    /// from the floor). Parts outside the cell are cut off.
    Blocks(Vec<Block>),
}

impl Feature {
    /// The feature's boxes, relative to the cell's north-west corner and height 0.
    pub(super) fn blocks(&self, floor: i32) -> Vec<Block> {
        let tall = |x: [i32; 2], y: [i32; 2], height: i32| {
            Block::new([x[0], y[0], floor], [x[1], y[1], floor + height])
        };
        match self {
            Feature::Open | Feature::Door { open: true } => vec![],
            Feature::Wall => vec![tall([0, CELL], [0, CELL], 100 * FOOT)],
            Feature::LowWall => vec![tall([0, CELL], [0, CELL], 3 * FOOT)],
            Feature::Door { open: false } => vec![tall([0, CELL], [0, CELL], 10 * FOOT)],
            Feature::Pillar => vec![tall(
                [CELL / 4, 3 * CELL / 4],
                [CELL / 4, 3 * CELL / 4],
                100 * FOOT,
            )],
            Feature::Window(axis) => {
                pierced(*axis, floor, 3 * FOOT / 2, [5 * FOOT / 2, 11 * FOOT / 2])
            }
            Feature::Slit(axis) => pierced(*axis, floor, FOOT / 2, [2 * FOOT, 5 * FOOT]),
            Feature::Blocks(blocks) => {
                let cell = Block::new([0, 0, DEPTH], [CELL, CELL, -DEPTH]);
                blocks
                    .iter()
                    .map(|b| b.clip(&cell))
                    .filter(|b| !b.is_flat())
                    .collect()
            }
        }
    }
}

/// A wall 10 ft high with one opening in its middle, `width` wide, between two heights: sill,
/// lintel and the two sides.
fn pierced(axis: Axis, floor: i32, width: i32, opening: [i32; 2]) -> Vec<Block> {
    let (near, far) = ((CELL - width) / 2, (CELL + width) / 2);
    // Spans `side[0]` to `side[1]` across the axis, and the whole cell along it.
    let part = |side: [i32; 2], low: i32, high: i32| match axis {
        Axis::X => Block::new([0, side[0], floor + low], [CELL, side[1], floor + high]),
        Axis::Y => Block::new([side[0], 0, floor + low], [side[1], CELL, floor + high]),
    };
    vec![
        part([0, near], 0, 10 * FOOT),
        part([far, CELL], 0, 10 * FOOT),
        part([near, far], 0, opening[0]),
        part([near, far], opening[1], 10 * FOOT),
    ]
}

/// A cell's ground and the feature on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CellGround {
    /// Height of the floor in feet, negative for a pit, limited to 2,000 ft. The ground below is
    /// solid without limit.
    pub floor: i16,
    /// Rough ground: a step into it costs double (GR-32).
    pub rough: bool,
    /// Shallow water: a step into it costs double.
    pub water: bool,
    /// Units can climb the vertical face between this cell and any neighbour.
    pub climbable: bool,
    /// The feature on the ground.
    pub feature: Feature,
}

impl CellGround {
    /// Open, level ground at a height in feet.
    pub fn floor(floor: i16) -> Self {
        Self {
            floor,
            ..Self::default()
        }
    }

    /// A feature on level ground at height 0.
    pub fn of(feature: Feature) -> Self {
        Self {
            feature,
            ..Self::default()
        }
    }
}
