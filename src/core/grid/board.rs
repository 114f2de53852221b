//! The map: the ground of each cell and the solids on it.

use std::sync::Arc;

use super::{
    Block, Cell, CellGround, Feature, Space,
    memo::DoorCache,
    reach::Reaches,
    sight_cache::SightCache,
    solid::{CELL, DEPTH, FLOOR_LIMIT, FOOT, feet},
    step_cost::StepCache,
};

/// A map of cells (GR-01, GR-02). Cells off the map can be queried, but no body can stand there.
/// Clones share everything except the state of the doors.
#[derive(Clone, Debug)]
pub struct Board {
    grid: Arc<Grid>,
    /// One bit for each door: whether it is open, in the order of `grid.doors`.
    open: Vec<u64>,
    sight_cache: DoorCache<SightCache>,
    strides: DoorCache<StepCache>,
    reaches: DoorCache<Reaches>,
    /// Disables the caches of sight and reach.
    forgets: bool,
}

/// The part that all clones of a board share.
#[derive(Clone, Debug)]
struct Grid {
    width: u16,
    height: u16,
    cells: Vec<CellData>,
    /// For each cell, how much of a unit fog or darkness hides there, in percent.
    fog: Vec<u8>,
    /// Whether no cell has ever had fog or darkness.
    is_clear: bool,
    doors: Vec<Door>,
}

#[derive(Clone, Debug)]
struct Door {
    cell: Cell,
    open: CellData,
}

/// One cell with derived values.
#[derive(Clone, Debug)]
pub(super) struct CellData {
    pub ground: CellGround,
    /// The cell's solids at their place on the map, in units; without the ground.
    pub blocks: Vec<Block>,
    /// Height of the floor, in units.
    pub floor: i32,
    /// Height at which a body stands, in units.
    pub stand: i32,
    /// Height up to which the whole cell is solid, in units.
    pub rise: i32,
    /// The number of the cell's door, from 1; 0 without a door.
    door: usize,
}

impl CellData {
    fn new(cell: Cell, mut ground: CellGround) -> Self {
        ground.floor = ground.floor.clamp(-FLOOR_LIMIT, FLOOR_LIMIT);
        let floor = i32::from(ground.floor) * FOOT;
        let [x, y, _] = corner(cell);
        let blocks: Vec<Block> = ground
            .feature
            .blocks(floor)
            .into_iter()
            .map(|block| block.shifted([x, y, 0]))
            .collect();
        let stand = solid_height(floor, &blocks, floor + CELL);
        let rise = solid_height(floor, &blocks, i32::MAX);
        Self {
            ground,
            blocks,
            floor,
            stand,
            rise,
            door: 0,
        }
    }
}

/// The top of the boxes that fill a cell's footprint and are stacked on its floor, without boxes
/// that end above `limit`. With a limit of 5 ft above the floor, this is the height at which a
/// body stands.
fn solid_height(floor: i32, blocks: &[Block], limit: i32) -> i32 {
    let mut top = floor;
    loop {
        let higher = blocks.iter().find(|block| {
            let fills = (0..2).all(|k| block.max[k] - block.min[k] == CELL);
            fills && block.min[2] <= top && block.max[2] > top && block.max[2] <= limit
        });
        match higher {
            Some(block) => top = block.max[2],
            None => return top,
        }
    }
}

/// A cell's north-west corner at height 0, in units.
pub(super) fn corner(cell: Cell) -> [i32; 3] {
    [i32::from(cell.x) * CELL, i32::from(cell.y) * CELL, 0]
}

impl Board {
    /// The maximum width and height of a board, in cells.
    pub const MAX_SIDE: u16 = 1000;

    /// An open, level map at height 0. Sides longer than [`Self::MAX_SIDE`] are cut.
    pub fn new(width: u16, height: u16) -> Self {
        let (width, height) = (width.min(Self::MAX_SIDE), height.min(Self::MAX_SIDE));
        let cells =
            (0..height as i16).flat_map(|y| (0..width as i16).map(move |x| Cell::new(x, y)));
        let cells: Vec<CellData> = cells
            .map(|cell| CellData::new(cell, CellGround::default()))
            .collect();
        let fog = vec![0; cells.len()];
        Self {
            grid: Arc::new(Grid {
                width,
                height,
                cells,
                fog,
                is_clear: true,
                doors: vec![],
            }),
            open: vec![],
            sight_cache: DoorCache::default(),
            strides: DoorCache::default(),
            reaches: DoorCache::default(),
            forgets: false,
        }
    }

    /// The same board without the caches of sight and reach, to measure their benefit and to test
    /// that they change nothing.
    pub fn forgetful(self) -> Self {
        Self {
            forgets: true,
            ..self
        }
    }

    pub(super) fn forgets(&self) -> bool {
        self.forgets
    }

    /// The number of columns.
    #[inline]
    pub fn width(&self) -> u16 {
        self.grid.width
    }

    /// The number of rows.
    #[inline]
    pub fn height(&self) -> u16 {
        self.grid.height
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.grid.width as i16, self.grid.height as i16);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Whether the cell is on the map.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.index(cell).is_some()
    }

    /// Whether the whole space is on the map.
    pub fn holds(&self, space: Space) -> bool {
        let last = space.at.offset(space.side() - 1, space.side() - 1);
        self.contains(space.at) && self.contains(last)
    }

    /// Changes a cell's ground. Does nothing off the map.
    pub fn set(&mut self, cell: Cell, ground: CellGround) {
        let Some(index) = self.index(cell) else {
            return;
        };
        let old = &self.grid.cells[index].ground;
        if (old.floor, &old.feature) != (ground.floor, &ground.feature) {
            self.sight_cache = DoorCache::default();
            self.reaches = DoorCache::default();
        }
        self.strides = DoorCache::default();
        let grid = Arc::make_mut(&mut self.grid);
        let Feature::Door { open } = ground.feature else {
            grid.cells[index] = CellData::new(cell, ground);
            return;
        };
        let with = |open: bool| {
            CellData::new(
                cell,
                CellGround {
                    feature: Feature::Door { open },
                    ..ground.clone()
                },
            )
        };
        let door = Door {
            cell,
            open: with(true),
        };
        let number = match grid.cells[index].door {
            0 => {
                grid.doors.push(door);
                grid.doors.len()
            }
            number => {
                grid.doors[number - 1] = door;
                number
            }
        };
        grid.cells[index] = CellData {
            door: number,
            ..with(false)
        };
        self.open.resize(grid.doors.len().div_ceil(64), 0);
        self.put_door(number, open);
    }

    /// Opens or closes a door. Returns whether the cell has one.
    pub fn set_door(&mut self, cell: Cell, open: bool) -> bool {
        let Some(index) = self.index(cell) else {
            return false;
        };
        let number = self.grid.cells[index].door;
        if number > 0 {
            self.put_door(number, open);
        }
        number > 0
    }

    /// The same board with all doors open.
    pub fn opened(&self) -> Self {
        let mut board = self.clone();
        let mut open = self.open.clone();
        for index in self.doors().filter_map(|cell| self.index(cell)) {
            let door = self.grid.cells[index].door;
            open[(door - 1) / 64] |= 1 << ((door - 1) % 64);
        }
        if open != self.open {
            board.turn_doors(open);
        }
        board
    }

    /// Sets how much of a unit fog or darkness hides in a cell, in percent up to 100 (PH-27).
    /// Does nothing off the map.
    pub fn set_fog(&mut self, cell: Cell, percent: u8) {
        if let Some(index) = self.index(cell) {
            let grid = Arc::make_mut(&mut self.grid);
            grid.fog[index] = percent.min(100);
            grid.is_clear &= percent == 0;
        }
    }

    /// Whether no cell has fog or darkness.
    pub(super) fn is_clear(&self) -> bool {
        self.grid.is_clear
    }

    /// How much of a unit fog or darkness hides in a cell, in percent; 0 off the map.
    pub fn fog(&self, cell: Cell) -> u8 {
        self.index(cell).map_or(0, |index| self.grid.fog[index])
    }

    /// Whether the cell's door is open. `None` if the cell has no door.
    pub fn door(&self, cell: Cell) -> Option<bool> {
        match self.ground(cell)?.feature {
            Feature::Door { open } => Some(open),
            _ => None,
        }
    }

    /// The cells with doors.
    pub fn doors(&self) -> impl Iterator<Item = Cell> + '_ {
        let is_current = |(index, door): &(usize, &Door)| {
            self.index(door.cell)
                .is_some_and(|at| self.grid.cells[at].door == index + 1)
        };
        self.grid
            .doors
            .iter()
            .enumerate()
            .filter(is_current)
            .map(|(_, door)| door.cell)
    }

    /// A cell's ground. `None` off the map.
    pub fn ground(&self, cell: Cell) -> Option<&CellGround> {
        Some(&self.cell_data(cell)?.ground)
    }

    /// The solids of a cell at their place on the map: its boxes, and last the ground, which is
    /// infinitely deep. Empty off the map.
    pub fn solids(&self, cell: Cell) -> Vec<Block> {
        let Some(data) = self.cell_data(cell) else {
            return vec![];
        };
        data.blocks
            .iter()
            .copied()
            .chain([earth(cell, data.floor)])
            .collect()
    }

    /// The height in feet at which a body stands in a cell: on its floor, or on a solid that
    /// fills the cell up to 5 ft above the floor, such as a low wall. 0 off the map.
    pub fn stand(&self, cell: Cell) -> f64 {
        self.cell_data(cell).map_or(0.0, |data| feet(data.stand))
    }

    /// The height in feet at which a body stands in a space: that of its highest cell.
    pub fn floor(&self, space: Space) -> f64 {
        let heights = space.cells().map(|cell| self.stand(cell));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether a body can stand in a space: all of it is on the map, and the cube on its highest
    /// cell is free of solids.
    #[inline]
    pub fn can_stand(&self, space: Space) -> bool {
        if space.side() == 1 {
            let Some(data) = self.cell_data(space.at) else {
                return false;
            };
            let top = data.stand + CELL;
            return data
                .blocks
                .iter()
                .all(|b| b.max[2] <= data.stand || b.min[2] >= top);
        }
        self.cube(space)
            .is_some_and(|cube| self.is_free(space, cube.min[2], cube.max[2]))
    }

    /// The cube of a body in a space, standing on the highest cell. `None` unless the whole space
    /// is on the map.
    pub fn cube(&self, space: Space) -> Option<Block> {
        if !self.holds(space) {
            return None;
        }
        let floor = space
            .cells()
            .filter_map(|cell| self.cell_data(cell))
            .map(|data| data.stand)
            .max()?;
        let [x, y, _] = corner(space.at);
        let side = i32::from(space.side()) * CELL;
        Some(Block::new(
            [x, y, floor],
            [x + side, y + side, floor + side],
        ))
    }

    /// Whether no solid reaches into the space between two heights in units.
    pub(super) fn is_free(&self, space: Space, low: i32, high: i32) -> bool {
        space.cells().all(|cell| {
            self.cell_data(cell).is_some_and(|data| {
                data.floor <= low
                    && data
                        .blocks
                        .iter()
                        .all(|b| b.max[2] <= low || b.min[2] >= high)
            })
        })
    }

    #[inline]
    pub(super) fn cell_data(&self, cell: Cell) -> Option<&CellData> {
        let data = &self.grid.cells[self.index(cell)?];
        if data.door > 0 && self.is_open(data.door) {
            return Some(&self.grid.doors[data.door - 1].open);
        }
        Some(data)
    }

    #[inline]
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        // Negative coordinates wrap around to more than any map has.
        let (x, y) = (cell.x as u16, cell.y as u16);
        let on_map = x < self.grid.width && y < self.grid.height;
        on_map.then(|| usize::from(y) * usize::from(self.grid.width) + usize::from(x))
    }

    fn is_open(&self, door: usize) -> bool {
        self.open[(door - 1) / 64] >> ((door - 1) % 64) & 1 == 1
    }

    fn put_door(&mut self, door: usize, open: bool) {
        if self.is_open(door) != open {
            let mut all = self.open.clone();
            all[(door - 1) / 64] ^= 1 << ((door - 1) % 64);
            self.turn_doors(all);
        }
    }

    /// Sets the state of all doors.
    fn turn_doors(&mut self, open: Vec<u64>) {
        self.sight_cache.turn(&self.open, &open);
        self.strides.turn(&self.open, &open);
        self.reaches.turn(&self.open, &open);
        self.open = open;
    }

    pub(super) fn sight_cache(&self) -> &SightCache {
        self.sight_cache.get()
    }

    pub(super) fn reaches(&self) -> &Reaches {
        self.reaches.get()
    }

    pub(super) fn step_cache(&self) -> &StepCache {
        self.strides.get()
    }

    pub(super) fn share_step_cache(&self) -> Arc<StepCache> {
        self.strides.handle()
    }
}

/// The ground below a cell's floor.
pub(super) fn earth(cell: Cell, floor: i32) -> Block {
    let [x, y, _] = corner(cell);
    Block::new([x, y, DEPTH], [x + CELL, y + CELL, floor])
}
