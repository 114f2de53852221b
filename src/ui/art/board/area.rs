//! Parts of a map, in cells and in pixels.

use tiny_skia::Pixmap;

use crate::ui::art::{canvas::Sheet, plan::BoardPlan};

/// The width of the paper margin around a map, in cells.
pub const MARGIN: f32 = 1.5;

/// A rectangle of a map; its edges in cells from the map's north-west corner. The
/// margin has negative coordinates in the north and west.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnArea {
    pub west: f32,
    pub north: f32,
    pub east: f32,
    pub south: f32,
}

/// A picture and its position on the map.
#[derive(Clone, Debug)]
pub struct Picture {
    pub pixmap: Pixmap,
    /// The x offset of its left edge from the map's north-west corner, in pixels.
    pub left: i32,
    /// The y offset of its top edge from that corner, in pixels.
    pub top: i32,
}

impl DrawnArea {
    /// A map with its margin.
    pub fn whole(plan: &BoardPlan) -> DrawnArea {
        DrawnArea {
            west: -MARGIN,
            north: -MARGIN,
            east: plan.width() as f32 + MARGIN,
            south: plan.height() as f32 + MARGIN,
        }
    }

    /// A map with its margin, cut into rectangles of at most `side` cells a side, row
    /// by row, without gaps.
    pub fn chunks(plan: &BoardPlan, side: u32) -> Vec<DrawnArea> {
        let whole = DrawnArea::whole(plan);
        let cuts = |from: f32, to: f32| {
            // Cut on grid lines, so that each cell lies in one chunk only.
            let inner = (0..)
                .map(move |i| (i * side.max(1)) as f32)
                .skip(1)
                .take_while(move |&cut| cut < to - MARGIN);
            let cuts: Vec<f32> = std::iter::once(from).chain(inner).chain([to]).collect();
            let pairs = cuts.windows(2).map(|pair| (pair[0], pair[1]));
            pairs.collect::<Vec<_>>()
        };
        let columns = cuts(whole.west, whole.east);
        let rows = cuts(whole.north, whole.south);
        let row = |(north, south)| {
            columns.iter().map(move |&(west, east)| DrawnArea {
                west,
                north,
                east,
                south,
            })
        };
        rows.iter().flat_map(|&span| row(span)).collect()
    }

    /// Whether a cell lies at least partly inside.
    pub fn touches(&self, x: i32, y: i32) -> bool {
        let (x, y) = (x as f32, y as f32);
        x + 1.0 > self.west && x < self.east && y + 1.0 > self.north && y < self.south
    }

    /// The area, extended by `cells` cells on all sides.
    pub(super) fn grown(self, cells: f32) -> DrawnArea {
        DrawnArea {
            west: self.west - cells,
            north: self.north - cells,
            east: self.east + cells,
            south: self.south + cells,
        }
    }

    /// The cells of the area and those up to `reach` cells around it.
    pub(super) fn cells(self, reach: i32) -> impl Iterator<Item = (i32, i32)> {
        let [west, north] = [self.west, self.north].map(|edge| edge.floor() as i32 - reach);
        let [east, south] = [self.east, self.south].map(|edge| edge.ceil() as i32 + reach);
        (north..south).flat_map(move |y| (west..east).map(move |x| (x, y)))
    }

    /// The area as a picture with cells of `cell_px` pixels. `draw` draws in cells from the map's
    /// north-west corner.
    pub(in crate::ui::art) fn draw(self, cell_px: u32, draw: impl FnOnce(&mut Sheet)) -> Picture {
        let (left, top, width, height) = self.pixels(cell_px);
        let unit = cell_px as f32;
        let sheet = Sheet::new(width, height, unit);
        let mut sheet = sheet.origin(-left as f32 / unit, -top as f32 / unit);
        draw(&mut sheet);
        Picture {
            pixmap: sheet.pixmap,
            left,
            top,
        }
    }

    /// Left, top, width and height in pixels. Areas that share an edge in cells also
    /// share it in pixels.
    pub(in crate::ui::art) fn pixels(self, cell_px: u32) -> (i32, i32, u32, u32) {
        let px = |cells: f32| (cells * cell_px as f32).round() as i32;
        let (left, top) = (px(self.west), px(self.north));
        (
            left,
            top,
            (px(self.east) - left).max(1) as u32,
            (px(self.south) - top).max(1) as u32,
        )
    }
}
