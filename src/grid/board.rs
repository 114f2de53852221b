//! The map: the ground of every cell and the solids on it.

use std::sync::Arc;

use super::{
    Block, Cell, Feature, Ground, Space,
    solid::{CELL, DEPTH, FLOOR_LIMIT, FOOT, feet},
};

/// A map of cells (GR-01, GR-02). Cells off the map are nothing: nobody stands
/// there, and asking about them is harmless. A clone shares all but the state
/// of the doors.
#[derive(Clone, Debug)]
pub struct Board {
    grid: Arc<Grid>,
    /// Bit by bit whether each door stands open, in the order of `grid.doors`.
    open: Vec<u64>,
}

/// What all clones of a board share.
#[derive(Clone, Debug)]
struct Grid {
    width: u16,
    height: u16,
    spots: Vec<Spot>,
    /// Percent by which fog or dark in each cell conceals.
    haze: Vec<u8>,
    doors: Vec<Door>,
}

#[derive(Clone, Debug)]
struct Door {
    cell: Cell,
    open: Spot,
}

/// One cell, ready for use.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub ground: Ground,
    /// Its solids where they really are, in units; not the ground itself.
    pub blocks: Vec<Block>,
    /// Height of the floor, in units.
    pub floor: i32,
    /// Height at which one stands, in units.
    pub stand: i32,
    /// Number of its door, from 1; 0 for none.
    door: u16,
}

impl Spot {
    fn new(cell: Cell, mut ground: Ground) -> Self {
        ground.floor = ground.floor.clamp(-FLOOR_LIMIT, FLOOR_LIMIT);
        let floor = i32::from(ground.floor) * FOOT;
        let [x, y, _] = corner(cell);
        let blocks: Vec<Block> = ground
            .feature
            .blocks(floor)
            .into_iter()
            .map(|block| block.shifted([x, y, 0]))
            .collect();
        let stand = standing_height(floor, &blocks);
        Self {
            ground,
            blocks,
            floor,
            stand,
            door: 0,
        }
    }
}

/// One stands on a box that fills the cell's footprint and rises at most 5 ft
/// above the floor; boxes may be piled up to that height.
fn standing_height(floor: i32, blocks: &[Block]) -> i32 {
    let mut stand = floor;
    loop {
        let higher = blocks.iter().find(|block| {
            let fills = (0..2).all(|k| block.max[k] - block.min[k] == CELL);
            fills && block.min[2] <= stand && block.max[2] > stand && block.max[2] <= floor + CELL
        });
        match higher {
            Some(block) => stand = block.max[2],
            None => return stand,
        }
    }
}

/// A cell's north-west corner at the datum, in units.
pub(super) fn corner(cell: Cell) -> [i32; 3] {
    [i32::from(cell.x) * CELL, i32::from(cell.y) * CELL, 0]
}

impl Board {
    /// Boards are at most this many cells wide and high.
    pub const MAX_SIDE: u16 = 1000;

    /// An open level map at the datum. Sides beyond [`Self::MAX_SIDE`] are cut.
    pub fn new(width: u16, height: u16) -> Self {
        let (width, height) = (width.min(Self::MAX_SIDE), height.min(Self::MAX_SIDE));
        let cells =
            (0..height as i16).flat_map(|y| (0..width as i16).map(move |x| Cell::new(x, y)));
        let spots: Vec<Spot> = cells
            .map(|cell| Spot::new(cell, Ground::default()))
            .collect();
        let haze = vec![0; spots.len()];
        Self {
            grid: Arc::new(Grid {
                width,
                height,
                spots,
                haze,
                doors: vec![],
            }),
            open: vec![],
        }
    }

    /// Columns.
    pub fn width(&self) -> u16 {
        self.grid.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        self.grid.height
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.grid.width as i16, self.grid.height as i16);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Whether the cell is on the map.
    pub fn contains(&self, cell: Cell) -> bool {
        self.index(cell).is_some()
    }

    /// Whether all of the space is on the map.
    pub fn holds(&self, space: Space) -> bool {
        let last = space.at.offset(space.side() - 1, space.side() - 1);
        self.contains(space.at) && self.contains(last)
    }

    /// Changes a cell's ground; off the map nothing happens.
    pub fn set(&mut self, cell: Cell, ground: Ground) {
        let Some(index) = self.index(cell) else {
            return;
        };
        let grid = Arc::make_mut(&mut self.grid);
        let is_open = ground.feature == Feature::Door { open: true };
        let has_door = is_open || ground.feature == Feature::Door { open: false };
        let number = match (grid.spots[index].door, has_door) {
            (0, true) => {
                grid.doors.push(Door {
                    cell,
                    open: Spot::new(cell, Ground::default()),
                });
                grid.doors.len() as u16
            }
            (number, _) => number,
        };
        let with = |feature: Feature| {
            let ground = Ground {
                feature,
                ..ground.clone()
            };
            Spot {
                door: number * u16::from(has_door),
                ..Spot::new(cell, ground)
            }
        };
        if has_door {
            grid.doors[number as usize - 1] = Door {
                cell,
                open: with(Feature::Door { open: true }),
            };
            grid.spots[index] = with(Feature::Door { open: false });
        } else {
            grid.spots[index] = with(ground.feature.clone());
            if number > 0 {
                self.forget_door(number);
            }
        }
        self.open.resize(self.grid.doors.len().div_ceil(64), 0);
        if has_door {
            self.put_door(number, is_open);
        }
    }

    /// Sets by how much fog or dark in a cell conceals, in percent, at most 100
    /// (PH-27); off the map nothing happens.
    pub fn set_haze(&mut self, cell: Cell, percent: u8) {
        if let Some(index) = self.index(cell) {
            Arc::make_mut(&mut self.grid).haze[index] = percent.min(100);
        }
    }

    /// By how much fog or dark in a cell conceals, in percent.
    pub fn haze(&self, cell: Cell) -> u8 {
        self.index(cell).map_or(0, |index| self.grid.haze[index])
    }

    /// Opens or closes a door; says whether the cell has one.
    pub fn set_door(&mut self, cell: Cell, open: bool) -> bool {
        let Some(index) = self.index(cell) else {
            return false;
        };
        let number = self.grid.spots[index].door;
        if number > 0 {
            self.put_door(number, open);
        }
        number > 0
    }

    /// Whether the cell's door stands open, if it has one.
    pub fn door(&self, cell: Cell) -> Option<bool> {
        match self.ground(cell)?.feature {
            Feature::Door { open } => Some(open),
            _ => None,
        }
    }

    /// The cells with doors.
    pub fn doors(&self) -> impl Iterator<Item = Cell> + '_ {
        self.grid.doors.iter().map(|door| door.cell)
    }

    /// A cell's ground; none off the map.
    pub fn ground(&self, cell: Cell) -> Option<&Ground> {
        Some(&self.spot(cell)?.ground)
    }

    /// The solids of a cell, in their places on the map: its boxes, and last
    /// the ground, whose lower end stands for "without limit". None off the
    /// map.
    pub fn solids(&self, cell: Cell) -> Vec<Block> {
        let Some(spot) = self.spot(cell) else {
            return vec![];
        };
        spot.blocks
            .iter()
            .copied()
            .chain([earth(cell, spot.floor)])
            .collect()
    }

    /// The height in feet above the datum at which one stands in a cell: on
    /// its floor, or on what fills it up to 5 ft above that, such as a low
    /// wall. 0 off the map.
    pub fn stand(&self, cell: Cell) -> f64 {
        self.spot(cell).map_or(0.0, |spot| feet(spot.stand))
    }

    /// Whether a body can stand there: all of the space is on the map, and the
    /// open cube on its highest cell meets no solid.
    pub fn can_stand(&self, space: Space) -> bool {
        self.cube(space)
            .is_some_and(|cube| self.is_free(space, cube.min[2], cube.max[2]))
    }

    /// The cube of a body in a space, on its highest cell; none unless all of
    /// it is on the map.
    pub fn cube(&self, space: Space) -> Option<Block> {
        if !self.holds(space) {
            return None;
        }
        let floor = space
            .cells()
            .filter_map(|cell| self.spot(cell))
            .map(|spot| spot.stand)
            .max()?;
        let [x, y, _] = corner(space.at);
        let side = i32::from(space.side()) * CELL;
        Some(Block::new(
            [x, y, floor],
            [x + side, y + side, floor + side],
        ))
    }

    /// Whether no solid reaches into the air over a space between two heights
    /// in units.
    pub(super) fn is_free(&self, space: Space, low: i32, high: i32) -> bool {
        space.cells().all(|cell| {
            self.spot(cell).is_some_and(|spot| {
                spot.floor <= low
                    && spot
                        .blocks
                        .iter()
                        .all(|b| b.max[2] <= low || b.min[2] >= high)
            })
        })
    }

    pub(super) fn spot(&self, cell: Cell) -> Option<&Spot> {
        let spot = &self.grid.spots[self.index(cell)?];
        let door = usize::from(spot.door);
        if door > 0 && self.open[(door - 1) / 64] >> ((door - 1) % 64) & 1 == 1 {
            return Some(&self.grid.doors[door - 1].open);
        }
        Some(spot)
    }

    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let (width, height) = (self.grid.width, self.grid.height);
        let on_map = (0..width as i16).contains(&cell.x) && (0..height as i16).contains(&cell.y);
        on_map.then(|| cell.y as usize * usize::from(width) + cell.x as usize)
    }

    fn put_door(&mut self, number: u16, open: bool) {
        let bit = usize::from(number) - 1;
        self.open[bit / 64] =
            self.open[bit / 64] & !(1 << (bit % 64)) | u64::from(open) << (bit % 64);
    }

    /// Takes a door away; the last one gets its number.
    fn forget_door(&mut self, number: u16) {
        let last = self.grid.doors.len() as u16;
        let cell = self.grid.doors[usize::from(last) - 1].cell;
        let was_open = self.door(cell) == Some(true);
        let last_index = self.index(cell);
        let grid = Arc::make_mut(&mut self.grid);
        grid.doors.swap_remove(usize::from(number) - 1);
        if number < last
            && let Some(index) = last_index
        {
            grid.spots[index].door = number;
            grid.doors[usize::from(number) - 1].open.door = number;
            self.put_door(number, was_open);
        }
    }
}

/// The ground under a cell's floor.
pub(super) fn earth(cell: Cell, floor: i32) -> Block {
    let [x, y, _] = corner(cell);
    Block::new([x, y, DEPTH], [x + CELL, y + CELL, floor])
}
