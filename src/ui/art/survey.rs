//! Converts the rules' board to a drawing plan. The drawings know boards only through this file.

use crate::grid::{self, Board, Cell};

use super::plan::{Block, BoardPlan, Feature, Tile};

impl From<&Board> for BoardPlan {
    fn from(board: &Board) -> BoardPlan {
        BoardPlan::new(board.width().into(), board.height().into(), |x, y| {
            let cell = Cell::new(x as i16, y as i16);
            let ground = board.ground(cell);
            ground.map_or_else(Tile::wall, |ground| Tile {
                floor: ground.floor.into(),
                rough: ground.rough,
                water: ground.water,
                fog: board.fog(cell),
                climbable: ground.climbable,
                feature: feature(&ground.feature, ground.floor.into()),
            })
        })
    }
}

fn feature(feature: &grid::Feature, floor: f64) -> Feature {
    match feature {
        grid::Feature::Open => Feature::Open,
        grid::Feature::Wall => Feature::Wall,
        grid::Feature::LowWall => Feature::LowWall,
        grid::Feature::Window(along) => Feature::Window(*along),
        grid::Feature::Slit(along) => Feature::Slit(*along),
        grid::Feature::Pillar => Feature::Pillar,
        grid::Feature::Door { open } => Feature::Door { open: *open },
        grid::Feature::Blocks(blocks) => {
            Feature::Blocks(blocks.iter().map(|it| block(it, floor)).collect())
        }
    }
}

/// Block heights are measured from the datum in the rules, and from the cell's floor
/// in a plan.
fn block(block: &grid::Block, floor: f64) -> Block {
    let [min, max] = block.feet();
    Block {
        west: min[0] as f32,
        north: min[1] as f32,
        east: max[0] as f32,
        south: max[1] as f32,
        bottom: (min[2] - floor) as f32,
        top: (max[2] - floor) as f32,
    }
}
