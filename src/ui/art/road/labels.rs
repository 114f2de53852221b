//! Placement of the labels on the map, so that none covers another label, a stop or the
//! squad.

use super::{RoadMap, SIZE};
use crate::ui::art::{
    canvas::{DrawnShape, Point, Sheet},
    lettering::{self, Typeface},
    palette::{self, Rgb},
};

/// A rectangle on the sheet, in drawing units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelArea {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

impl LabelArea {
    /// The area around a middle, with half its width and height.
    pub fn round((x, y): Point, wide: f32, high: f32) -> Self {
        Self {
            left: x - wide,
            top: y - high,
            right: x + wide,
            bottom: y + high,
        }
    }

    /// The size of the overlap of two areas; 0 if there is none.
    pub fn shared(&self, other: &Self) -> f32 {
        let wide = self.right.min(other.right) - self.left.max(other.left);
        let high = self.bottom.min(other.bottom) - self.top.max(other.top);
        wide.max(0.0) * high.max(0.0)
    }

    fn middle(&self) -> Point {
        (
            (self.left + self.right) / 2.0,
            (self.top + self.bottom) / 2.0,
        )
    }

    fn has(&self, (x, y): Point) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }
}

/// A line of a label.
pub struct LabelLine {
    pub typeface: Typeface,
    pub size: f32,
    pub words: String,
    pub ink: Rgb,
}

/// Lines of text beside a place on the map.
pub struct Label {
    pub lines: Vec<LabelLine>,
    /// The edge colour of the card under the text. `None`: no card.
    pub edge: Option<Rgb>,
    /// The middle of the place that the label names.
    pub at: Point,
    /// The radius of that place.
    pub radius: f32,
}

/// The height of a line, as a factor of the text size.
const LEADING: f32 = 1.12;
/// Space around the text of a card.
const PAD: f32 = 7.0;
/// Minimum distance of labels from the edge of the sheet.
const MARGIN: f32 = 9.0;

impl Label {
    /// Half of the label's width and height.
    fn size(&self, text_scale: f32) -> (f32, f32) {
        let wide = |line: &LabelLine| lettering::width(line.typeface, &line.words, line.size);
        let wide = self.lines.iter().map(wide).fold(0.0, f32::max);
        let high: f32 = self.lines.iter().map(|line| line.size * LEADING).sum();
        let half = |size: f32| size * text_scale / 2.0 + self.pad();
        (half(wide), half(high))
    }

    fn pad(&self) -> f32 {
        if self.edge.is_some() { PAD } else { 1.0 }
    }

    /// Candidate positions of the label's middle, closest to the place first.
    fn candidates(&self, (wide, high): (f32, f32)) -> impl Iterator<Item = Point> {
        let (x, y) = self.at;
        let rings = [3.0, 11.0, 21.0, 33.0, 47.0, 63.0, 81.0, 101.0, 125.0, 150.0];
        rings.into_iter().flat_map(move |far| {
            let (beside, above) = (self.radius + far + wide, self.radius + far + high);
            let upright = [0.0, -0.5, 0.5, -1.0, 1.0]
                .into_iter()
                .flat_map(move |part| [above, -above].map(|by| (x + part * wide, y + by)));
            let level = [0.0, -0.8, 0.8, -1.6, 1.6]
                .into_iter()
                .flat_map(move |part| [beside, -beside].map(|by| (x + by, y + part * high)));
            upright.chain(level)
        })
    }

    pub fn draw(&self, sheet: &mut Sheet, text_scale: f32, area: &LabelArea) {
        if let Some(edge) = self.edge {
            let (wide, high) = (area.right - area.left, area.bottom - area.top);
            let card = DrawnShape::rounded(area.left, area.top, wide, high, 5.0);
            sheet.fill(&card, palette::CARD_ACTIVE.solid());
            sheet.stroke(&card, 1.8, edge.mix(palette::INK, 0.2).solid());
        }
        let (x, middle) = area.middle();
        let (_, high) = self.size(text_scale);
        let mut top = middle - high + self.pad();
        for line in &self.lines {
            let size = line.size * text_scale;
            let y = top + size * LEADING / 2.0;
            let shape = lettering::centred(line.typeface, &line.words, size, x, y);
            // A paper-coloured outline keeps the text readable over ink.
            if self.edge.is_none() {
                sheet.stroke(&shape, size * 0.30, palette::PAPER.alpha(0.9));
            }
            sheet.fill(&shape, line.ink.solid());
            top += size * LEADING;
        }
    }
}

/// The areas of the labels, in order. They avoid the areas in `taken` and each other, and
/// the road as far as possible.
pub fn places(
    labels: &[Label],
    text_scale: f32,
    taken: &[LabelArea],
    road: &[Point],
) -> Vec<LabelArea> {
    let mut taken = taken.to_vec();
    let mut all = vec![];
    for label in labels {
        let (wide, high) = label.size(text_scale);
        let inside = |(x, y): Point| {
            let clamp = |at: f32, half: f32, of: f32| at.clamp(MARGIN + half, of - MARGIN - half);
            let middle = (clamp(x, wide, SIZE.0), clamp(y, high, SIZE.1));
            LabelArea::round(middle, wide, high)
        };
        let covered = |area: &LabelArea| taken.iter().map(|taken| taken.shared(area)).sum::<f32>();
        let cost = |area: &LabelArea| {
            let on_road = road.iter().filter(|point| area.has(**point)).count();
            let (x, y) = area.middle();
            let far = (x - label.at.0).hypot(y - label.at.1) - wide.min(high);
            covered(area) * 100.0 + on_road as f32 * 5.0 + far
        };
        let least = |candidates: &mut dyn Iterator<Item = Point>| {
            let areas = candidates.map(inside);
            areas.min_by(|a, b| cost(a).total_cmp(&cost(b)))
        };
        let beside = least(&mut label.candidates((wide, high)));
        // If there is no free position beside the place, search the whole sheet.
        let best = beside.filter(|area| covered(area) == 0.0).or_else(|| {
            let rows = (0..45_u8).map(|n| f32::from(n) * 12.0);
            let mut all = rows.flat_map(|y| (0..84_u8).map(move |n| (f32::from(n) * 12.0, y)));
            least(&mut all)
        });
        let best = best.unwrap_or_else(|| inside(label.at));
        taken.push(best);
        all.push(best);
    }
    all
}

/// The areas of a map's labels, and the areas that they must avoid: for tests.
pub fn areas(of: &RoadMap) -> (Vec<LabelArea>, Vec<LabelArea>) {
    let layout = super::RoadLayout::new(of);
    (layout.areas, layout.taken)
}
