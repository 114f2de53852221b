//! The board: an inked map on parchment.
//!
//! It has two layers. The [`Atlas`] holds one square picture for each look of a cell,
//! for a tilemap: floors, water, rubble, doors, everything that can change during
//! play. The [`ink`] lies above it as one image or as several adjacent chunks: paper
//! around the map, walls with hatching, ledges, grid lines and written heights. It is
//! transparent over the floor.

mod area;
mod ink;
mod props;
mod tiles;

use tiny_skia::Pixmap;

pub use area::{DrawnArea, MARGIN, Picture};
pub use ink::ink;
pub use tiles::Atlas;

use super::canvas::lay;
use super::paper;
use super::plan::BoardPlan;

/// A whole map with its margin as one picture: both layers, no units.
pub fn preview(plan: &BoardPlan, cell_px: u32) -> Pixmap {
    picture(plan, cell_px, DrawnArea::whole(plan)).pixmap
}

/// Part of a map as one picture of both layers.
pub fn picture(plan: &BoardPlan, cell_px: u32, area: DrawnArea) -> Picture {
    let above = ink(plan, cell_px, area);
    let mut pixmap =
        Pixmap::new(above.pixmap.width(), above.pixmap.height()).expect("as big as the ink");
    paper::lay(&mut pixmap, above.left, above.top);
    let atlas = Atlas::new(plan, cell_px);
    for (x, y, _) in plan.cells().filter(|&(x, y, _)| area.touches(x, y)) {
        let tile = atlas.tile(atlas.tile_index(plan, x, y));
        let px = |cell: i32| cell * cell_px as i32;
        lay(
            &mut pixmap,
            &tile,
            (px(x) - above.left, px(y) - above.top),
            1.0,
        );
    }
    lay(&mut pixmap, &above.pixmap, (0, 0), 1.0);
    Picture { pixmap, ..above }
}
