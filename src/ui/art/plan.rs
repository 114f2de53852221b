//! The data about a board that the drawings need.

use super::noise;
use crate::{
    grid::{Board, CellGround, Feature},
    levels::Light,
};

/// A board for drawing: a rectangle of cells with row one at the top. Everything
/// outside it is solid rock.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPlan {
    width: i32,
    height: i32,
    tiles: Vec<CellGround>,
    /// How much fog or darkness conceals in each cell, in percent.
    fog: Vec<u8>,
    /// Whether that is darkness.
    is_dark: bool,
    // Cached, because these are slow to compute for each part of a large map.
    ground_level: i32,
    seed: u64,
    heights: Vec<(i32, i32, i32)>,
}

/// The side of a cell in feet.
pub const CELL_FT: f32 = 5.0;

impl BoardPlan {
    /// Writes or removes the height labels.
    pub fn write_heights(&mut self, is_written: bool) {
        self.heights = if is_written { self.stretches() } else { vec![] };
    }

    /// Opens or shuts a door. Does nothing if the cell has no door.
    pub fn set_door(&mut self, x: i32, y: i32, open: bool) {
        let tile = self.tile(x, y);
        if tile.is_some_and(|tile| matches!(tile.feature, Feature::Door { .. })) {
            self.tiles[(y * self.width + x) as usize].feature = Feature::Door { open };
        }
    }

    /// Number of columns.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// The cell in column `x` and row `y`, counted from 0. `None` outside the map.
    pub fn tile(&self, x: i32, y: i32) -> Option<&CellGround> {
        self.index(x, y).map(|index| &self.tiles[index])
    }

    /// How much fog or darkness conceals in a cell, in percent; 0 outside the map.
    pub fn fog(&self, x: i32, y: i32) -> u8 {
        self.index(x, y).map_or(0, |index| self.fog[index])
    }

    /// Whether darkness conceals rather than fog.
    pub fn is_dark(&self) -> bool {
        self.is_dark
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then_some((y * self.width + x) as usize)
    }

    /// Every cell of the map, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (i32, i32, &CellGround)> {
        let (width, tiles) = (self.width, self.tiles.iter().enumerate());
        tiles.map(move |(i, tile)| (i as i32 % width, i as i32 / width, tile))
    }

    /// Whether a cell is floor, so that a wall's outline can run beside it. Walls,
    /// including those with an opening, and cells outside the map are not.
    pub fn is_floor(&self, x: i32, y: i32) -> bool {
        self.tile(x, y).is_some_and(|tile| !is_wall(&tile.feature))
    }

    /// The most common floor height in feet, which is drawn plain.
    pub fn ground_level(&self) -> i32 {
        self.ground_level
    }

    /// The seed of the scattered details of the drawing. Opening a door does not
    /// change it.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The height labels: column, row and height in feet, one for each connected area
    /// of floor that is not at height 0.
    pub fn heights(&self) -> &[(i32, i32, i32)] {
        &self.heights
    }

    fn commonest_floor(&self) -> i32 {
        let floors = self.tiles.iter().filter(|tile| !is_wall(&tile.feature));
        let mut heights: Vec<i32> = floors.map(|tile| tile.floor.into()).collect();
        heights.sort_unstable();
        // Of two equally common heights take the one nearer to zero, so that small
        // changes of a pit do not change the result.
        let runs = heights.chunk_by(|a, b| a == b);
        runs.max_by_key(|run| (run.len(), -run[0].abs()))
            .map_or(0, |run| run[0])
    }

    fn fingerprint(&self) -> u64 {
        let tile = |tile: &CellGround| {
            let kind = match &tile.feature {
                Feature::Open => 0,
                Feature::Wall => 1,
                Feature::LowWall => 2,
                Feature::Window(axis) => 3 + *axis as i64,
                Feature::Slit(axis) => 5 + *axis as i64,
                Feature::Pillar => 7,
                Feature::Door { .. } => 8,
                Feature::Blocks(blocks) => 9 + blocks.len() as i64,
            };
            [
                kind,
                i64::from(tile.floor),
                i64::from(tile.rough) * 2 + i64::from(tile.water),
            ]
        };
        let size = [i64::from(self.width), i64::from(self.height)];
        let parts = size.into_iter().chain(self.tiles.iter().flat_map(tile));
        noise::hash(&Vec::from_iter(parts))
    }

    fn stretches(&self) -> Vec<(i32, i32, i32)> {
        let mut seen = vec![false; self.tiles.len()];
        let mut found = Vec::new();
        for (x, y, tile) in self.cells().filter(|(_, _, tile)| tile.floor != 0) {
            let mut stretch = Vec::new();
            let mut edge = vec![(x, y)];
            while let Some((x, y)) = edge.pop() {
                let other = self.tile(x, y);
                if other.is_some_and(|other| other.floor == tile.floor)
                    && self.is_floor(x, y)
                    && !std::mem::replace(&mut seen[(y * self.width + x) as usize], true)
                {
                    stretch.push((x, y));
                    edge.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
                }
            }
            // Prefer an empty cell, because in another the label would be overdrawn.
            // Of several, take the last in reading order.
            let bare = |x, y| {
                self.tile(x, y)
                    .is_some_and(|tile| tile.feature == Feature::Open && !tile.rough && !tile.water)
            };
            if let Some(&(x, y)) = stretch.iter().max_by_key(|&&(x, y)| (bare(x, y), y, x)) {
                found.push((x, y, tile.floor.into()));
            }
        }
        found
    }
}

impl BoardPlan {
    /// The plan of a board in this light.
    pub fn of(board: &Board, light: Light) -> Self {
        let tiles = board.cells().filter_map(|cell| board.ground(cell).cloned());
        let mut plan = Self {
            width: board.width().into(),
            height: board.height().into(),
            tiles: tiles.collect(),
            fog: board.cells().map(|cell| board.fog(cell)).collect(),
            is_dark: light.is_dark(),
            ground_level: 0,
            seed: 0,
            heights: Vec::new(),
        };
        plan.ground_level = plan.commonest_floor();
        plan.seed = plan.fingerprint();
        plan.heights = plan.stretches();
        plan
    }
}

/// Whether a feature fills its cell up to the ceiling, apart from a window's opening.
fn is_wall(feature: &Feature) -> bool {
    matches!(
        feature,
        Feature::Wall | Feature::Window(_) | Feature::Slit(_)
    )
}
