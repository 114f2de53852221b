//! A moment of a battle, drawn as a piece torn out of its map.

use super::{
    board::{self, DrawnArea},
    canvas::{DrawnShape, Point, Sheet, lay},
    lettering::{self, Typeface},
    noise::Scatter,
    palette::{self, Rgb},
    plan::BoardPlan,
};
use tiny_skia::{FillRule, Mask, Pixmap};

/// The content of the picture. All positions are in cells of the map.
pub struct Scene<'a> {
    pub plan: &'a BoardPlan,
    pub area: DrawnArea,
    /// Pictures of the units, with the positions of their centres.
    pub tokens: Vec<(Pixmap, Point)>,
    /// Arrows from the acting unit to each target.
    pub arrows: Vec<(Point, Point)>,
    /// The compared orders; the last is drawn on top.
    pub orders: Vec<DrawnOrder>,
    /// The centre of a spell's burst, and its radius.
    pub burst: Option<(Point, f32)>,
    /// Short texts with their positions.
    pub words: Vec<(String, Point)>,
}

/// An order on the map: a dotted path with a ring at its end, and an arrow to its
/// target.
pub struct DrawnOrder {
    /// The positions from where the unit stands to where it goes; just one if it
    /// stays.
    pub walk: Vec<Point>,
    pub target: Option<Point>,
    pub ink: Rgb,
}

/// Draws the picture with cells of `cell_px` pixels and a torn edge.
pub fn scene(scene: &Scene, cell_px: u32) -> Pixmap {
    let map = board::picture(scene.plan, cell_px, scene.area);
    let unit = cell_px.max(1) as f32;
    let (left, top) = (map.left as f32 / unit, map.top as f32 / unit);
    let (width, height) = (map.pixmap.width(), map.pixmap.height());
    let mut sheet = Sheet::new(width, height, unit).origin(-left, -top);
    sheet.pixmap = map.pixmap;
    if let Some(((x, y), reach)) = scene.burst {
        blaze(&mut sheet, x, y, reach);
    }
    for (token, (x, y)) in &scene.tokens {
        let px = |cells: f32, size: u32| (cells * unit - size as f32 / 2.0).round() as i32;
        let corner = (px(x - left, token.width()), px(y - top, token.height()));
        lay(&mut sheet.pixmap, token, corner, 1.0);
    }
    for &(from, to) in &scene.arrows {
        arrow(&mut sheet, from, to, palette::INK);
    }
    for order in &scene.orders {
        drawn(&mut sheet, order);
    }
    for (words, (x, y)) in &scene.words {
        let shape = lettering::centred(Typeface::Bold, words, 0.42, *x, *y);
        sheet.stroke(&shape, 0.13, palette::WHITE.alpha(0.95));
        sheet.fill(&shape, palette::DANGER.solid());
    }
    tear(
        sheet,
        width as f32 / unit,
        height as f32 / unit,
        (left, top),
    )
}

/// A thick, slightly curved arrow that ends short of its target.
fn arrow(sheet: &mut Sheet, from: Point, to: Point, ink: Rgb) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let way = dx.hypot(dy);
    if way < 0.9 {
        return;
    }
    let (ux, uy) = (dx / way, dy / way);
    let start = (from.0 + ux * 0.42, from.1 + uy * 0.42);
    let tip = (to.0 - ux * 0.40, to.1 - uy * 0.40);
    let neck = (tip.0 - ux * 0.34, tip.1 - uy * 0.34);
    let bow = (way * 0.10).min(0.6);
    let middle = (
        (start.0 + neck.0) / 2.0 + uy * bow,
        (start.1 + neck.1) / 2.0 - ux * bow,
    );
    let shaft = DrawnShape::of(|pen| {
        pen.move_to(start.0, start.1);
        pen.quad_to(middle.0, middle.1, neck.0, neck.1);
    });
    let head = DrawnShape::polygon(&[
        tip,
        (neck.0 - uy * 0.22, neck.1 + ux * 0.22),
        (neck.0 + uy * 0.22, neck.1 - ux * 0.22),
    ]);
    sheet.stroke(&shaft, 0.2, palette::WHITE.alpha(0.9));
    sheet.stroke(&head, 0.12, palette::WHITE.alpha(0.9));
    sheet.stroke(&shaft, 0.12, ink.solid());
    sheet.fill(&head, ink.solid());
}

fn drawn(sheet: &mut Sheet, order: &DrawnOrder) {
    let end = order.walk.last().copied();
    if order.walk.len() > 1 {
        let line = DrawnShape::polyline(&order.walk);
        sheet.stroke(&line, 0.2, palette::WHITE.alpha(0.7));
        sheet.dash(&line, 0.1, order.ink.solid(), &[0.12, 0.16]);
        if let Some((x, y)) = end {
            let ring = DrawnShape::circle(x, y, 0.4);
            sheet.fill(&ring, order.ink.alpha(0.25));
            sheet.dash(&ring, 0.08, order.ink.solid(), &[0.2, 0.1]);
        }
    }
    if let (Some(from), Some(to)) = (end, order.target) {
        arrow(sheet, from, to, order.ink);
    }
}

/// Flames in the shape of a star, and a ring at the edge of the area.
fn blaze(sheet: &mut Sheet, x: f32, y: f32, reach: f32) {
    let mut noise = Scatter::new(&[(x * 8.0) as i64, (y * 8.0) as i64]);
    let mut star = |size: f32| {
        let point = |n: usize| {
            let turn = n as f32 * std::f32::consts::TAU / 28.0;
            let far = match n % 2 {
                0 => size * noise.between(0.82, 1.0),
                _ => size * noise.between(0.52, 0.66),
            };
            (x + far * turn.cos(), y + far * turn.sin())
        };
        DrawnShape::polygon(&(0..28).map(point).collect::<Vec<_>>())
    };
    for (share, ink) in [
        (0.92, palette::VERMILION.mix(palette::INK, 0.15)),
        (0.70, palette::GOLD),
        (0.42, palette::CARD_ACTIVE),
    ] {
        let flame = star(reach * share);
        sheet.fill(&flame, ink.alpha(0.85));
        sheet.stroke(&flame, 0.03, palette::INK.alpha(0.6));
    }
    let ring = DrawnShape::circle(x, y, reach);
    sheet.dash(&ring, 0.045, palette::DANGER.solid(), &[0.18, 0.12]);
}

/// Cuts the picture along an edge that looks like torn paper.
fn tear(mut sheet: Sheet, width: f32, height: f32, (left, top): Point) -> Pixmap {
    let mut noise = Scatter::new(&[width as i64, height as i64, 7]);
    let step = 0.16;
    let mut edge = vec![];
    let mut side = |from: Point, to: Point| {
        let way = (to.0 - from.0).hypot(to.1 - from.1);
        let n = (way / step).max(1.0) as usize;
        for i in 0..n {
            let t = i as f32 / n as f32;
            let (x, y) = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            let inside = noise.between(0.03, 0.15);
            let (cx, cy) = (left + width / 2.0, top + height / 2.0);
            // Inwards, at right angles to this side.
            let (dx, dy) = match from.1 == to.1 {
                true => (0.0, (cy - y).signum() * inside),
                false => ((cx - x).signum() * inside, 0.0),
            };
            edge.push((x + dx, y + dy));
        }
    };
    let (right, bottom) = (left + width, top + height);
    side((left, top), (right, top));
    side((right, top), (right, bottom));
    side((right, bottom), (left, bottom));
    side((left, bottom), (left, top));
    let paper = DrawnShape::polygon(&edge);
    let (width_px, height_px) = (sheet.pixmap.width(), sheet.pixmap.height());
    if let (Some(mut mask), Some(path)) = (Mask::new(width_px, height_px), &paper.0) {
        mask.fill_path(path, FillRule::Winding, true, sheet.frame);
        sheet.pixmap.apply_mask(&mask);
    }
    sheet.stroke(&paper, 0.05, palette::FADED_INK.solid());
    sheet.pixmap
}
