//! What stands on the map: solid boxes, and the features made of them.

use serde::{Deserialize, Serialize};

/// Units in a foot: all geometry is whole numbers of a twentieth of a foot.
pub(super) const FOOT: i32 = 20;
/// Units along a cell.
pub(super) const CELL: i32 = 5 * FOOT;
/// Where the ground below every floor ends, in units: deeper than any floor.
pub(super) const DEPTH: i32 = -15_000 * FOOT;
/// Floors lie within this many feet of the datum.
pub(super) const FLOOR_LIMIT: i16 = 2_000;

/// A closed solid box, in twentieths of a foot: x runs east, y south, z up
/// from the common datum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Block {
    /// Its west, north and lower end.
    pub min: [i32; 3],
    /// Its east, south and upper end.
    pub max: [i32; 3],
}

impl Block {
    /// The box between two corners given in feet, or none if a coordinate is
    /// no multiple of 0.05 ft, lies beyond 2,000 ft, or if the box is flat.
    pub fn from_feet(min: [f64; 3], max: [f64; 3]) -> Option<Self> {
        let block = Self {
            min: units(min)?,
            max: units(max)?,
        };
        (!block.is_flat()).then_some(block)
    }

    /// Its two corners in feet.
    pub fn feet(&self) -> [[f64; 3]; 2] {
        [self.min.map(feet), self.max.map(feet)]
    }

    pub(super) const fn new(min: [i32; 3], max: [i32; 3]) -> Self {
        Self { min, max }
    }

    pub(super) fn is_flat(&self) -> bool {
        (0..3).any(|k| self.min[k] >= self.max[k])
    }

    /// The part of it that lies in `other`; flat where they only touch.
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

/// Units to feet.
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

/// A direction along the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Axis {
    /// East and west.
    X,
    /// North and south.
    Y,
}

/// What stands in a cell (GR-02). Heights count from the cell's floor, but
/// for [`Feature::Blocks`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Feature {
    /// Nothing.
    #[default]
    Open,
    /// A wall over the whole cell, 100 ft high.
    Wall,
    /// A wall over the whole cell, 3 ft high: climbed onto, seen over.
    LowWall,
    /// A wall over the whole cell, 10 ft high, with an opening 1.5 ft wide in
    /// the middle, 2.5 to 5.5 ft above the floor. One looks through it along
    /// the axis.
    Window(Axis),
    /// As a window, but with an opening 0.5 ft wide, 2 to 5 ft above the floor.
    Slit(Axis),
    /// A pillar 2.5 ft square in the middle of the cell, 100 ft high.
    Pillar,
    /// A door: closed it fills the cell as a wall 10 ft high, open it is
    /// nothing.
    Door {
        /// Whether it stands open.
        open: bool,
    },
    /// Any boxes: x and y count from the cell's north-west corner, z from the
    /// common datum (not from the floor). What sticks out of the cell is cut
    /// off.
    Blocks(Vec<Block>),
}

impl Feature {
    /// Its boxes, relative to the cell's north-west corner and to the datum.
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

/// A wall 10 ft high with one opening in its middle, `width` wide, between
/// two heights: sill, lintel and the two sides.
fn pierced(axis: Axis, floor: i32, width: i32, opening: [i32; 2]) -> Vec<Block> {
    let (near, far) = ((CELL - width) / 2, (CELL + width) / 2);
    // Across the axis from `side[0]` to `side[1]`, over the whole cell along it.
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

/// A cell's ground and what stands on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ground {
    /// Height of the floor above the common datum, in feet; negative for a
    /// pit. The ground below it is solid without limit. Kept within 2,000 ft.
    pub floor: i16,
    /// Rough ground: a step into it costs double (GR-32).
    pub rough: bool,
    /// Shallow water: a step into it costs double.
    pub water: bool,
    /// A face of this cell, up or down to any neighbour, can be climbed.
    pub climbable: bool,
    /// What stands here.
    pub feature: Feature,
}

impl Ground {
    /// Open level ground at a height in feet.
    pub fn floor(floor: i16) -> Self {
        Self {
            floor,
            ..Self::default()
        }
    }

    /// A feature on level ground at the datum.
    pub fn of(feature: Feature) -> Self {
        Self {
            feature,
            ..Self::default()
        }
    }
}
