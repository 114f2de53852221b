//! Parts of a map, in cells and in pixels.

use tiny_skia::Pixmap;

use crate::ui::art::plan::BoardPlan;

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
        let (east, south) = (plan.width() as f32 + MARGIN, plan.height() as f32 + MARGIN);
        DrawnArea {
            west: -MARGIN,
            north: -MARGIN,
            east,
            south,
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
            cuts.windows(2)
                .map(|pair| (pair[0], pair[1]))
                .collect::<Vec<_>>()
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
        let DrawnArea {
            west,
            north,
            east,
            south,
        } = self;
        DrawnArea {
            west: west - cells,
            north: north - cells,
            east: east + cells,
            south: south + cells,
        }
    }

    /// The cells of the area and those up to `reach` cells around it.
    pub(super) fn cells(self, reach: i32) -> impl Iterator<Item = (i32, i32)> {
        let (west, east) = (
            self.west.floor() as i32 - reach,
            self.east.ceil() as i32 + reach,
        );
        let (north, south) = (
            self.north.floor() as i32 - reach,
            self.south.ceil() as i32 + reach,
        );
        (north..south).flat_map(move |y| (west..east).map(move |x| (x, y)))
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
