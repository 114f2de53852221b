//! The scenery of the map: river, hills, woods, compass, and the keep at the road's end.

use super::{LabelArea, SIZE};
use crate::ui::art::{
    canvas::{DrawnShape, Point, Sheet},
    noise::Scatter,
    palette,
};

/// The area of the compass.
pub const COMPASS: LabelArea = LabelArea {
    left: 889.0,
    top: 427.0,
    right: 971.0,
    bottom: 509.0,
};

/// Draws the river, hills, woods and mountains of a seed, away from the road and the labels.
pub fn ground(sheet: &mut Sheet, seed: u64, road: &[Point], written: &[LabelArea]) {
    let mut noise = Scatter::new(&[seed as i64, 2]);
    river(sheet, bend(&mut noise));
    let water = river_points(seed);
    // One hill, wood or mountain per grid cell at most, if the place is free.
    let is_free = |(x, y): Point| {
        let drawn = LabelArea::round((x, y - 18.0), 30.0, 26.0);
        let is_near = |&(a, b): &Point| (x - a).hypot(y - 12.0 - b) < 42.0;
        let is_wet = |&(a, b): &Point| (x - a).hypot(y - 8.0 - b) < 44.0;
        !road.iter().any(is_near)
            && !water.iter().any(is_wet)
            && !written.iter().any(|area| area.shared(&drawn) > 0.0)
    };
    let woods = noise.between(0.25, 0.5);
    let mut places: Vec<(Point, f32)> = vec![];
    for row in 0..11 {
        for column in 0..15 {
            let x = 45.0 + 66.0 * column as f32 + noise.between(-26.0, 26.0);
            let y = 50.0 + 44.0 * row as f32 + noise.between(-14.0, 14.0);
            places.push(((x, y), noise.unit()));
        }
    }
    places.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    for ((x, y), kind) in places {
        let size = noise.between(0.8, 1.15);
        if !is_free((x, y)) || y > 505.0 || kind > 0.85 {
            continue;
        }
        let far = x / SIZE.0 + (SIZE.1 - y) / SIZE.1;
        match kind {
            _ if far > 1.45 => mountain(sheet, (x, y), size),
            k if k < woods * 0.5 => pine(sheet, (x, y), size),
            k if k < woods => tree(sheet, (x, y), size),
            k if k < woods + 0.3 => hill(sheet, (x, y), size),
            _ => grass(sheet, (x, y)),
        }
    }
    compass(sheet, (930.0, 468.0));
}

/// Where the river enters at the top, and how far to the side it leaves at the bottom.
fn bend(noise: &mut Scatter) -> (f32, f32) {
    (noise.between(330.0, 620.0), noise.between(-90.0, 90.0))
}

/// The river's Bézier curve: start, two control points, end.
fn course((top, swing): (f32, f32)) -> [Point; 4] {
    [
        (top, -10.0),
        (top - 70.0, 150.0),
        (top + swing + 60.0, 300.0),
        (top + swing, 560.0),
    ]
}

/// Points along the middle of the river.
pub fn river_points(seed: u64) -> Vec<Point> {
    let course = course(bend(&mut Scatter::new(&[seed as i64, 2])));
    super::points(course, 60).collect()
}

fn river(sheet: &mut Sheet, bend: (f32, f32)) {
    let [from, one, two, to] = course(bend);
    let bank = |by: f32| {
        DrawnShape::of(|pen| {
            pen.move_to(from.0 + by, from.1);
            let (one_x, two_x, to_x) = (one.0 + by, two.0 + by, to.0 + by);
            pen.cubic_to(one_x, one.1, two_x, two.1, to_x, to.1);
        })
    };
    sheet.stroke(&bank(0.0), 40.0, palette::INK.alpha(0.75));
    sheet.stroke(&bank(0.0), 36.0, palette::WATER.solid());
    for by in [-9.0_f32, 0.0, 9.0] {
        let dashes = [14.0, 12.0 + by.abs()];
        sheet.dash(&bank(by), 1.3, palette::WATER_INK.alpha(0.8), &dashes);
    }
}

fn hill(sheet: &mut Sheet, (x, y): Point, size: f32) {
    let shape = DrawnShape::of(|pen| {
        pen.move_to(x - 30.0 * size, y);
        pen.cubic_to(
            x - 14.0 * size,
            y - 34.0 * size,
            x + 8.0 * size,
            y - 34.0 * size,
            x + 30.0 * size,
            y,
        );
    });
    sheet.fill(&shape, palette::STONE_LIGHT.solid());
    sheet.stroke(&shape, 1.6, palette::INK.solid());
    for n in 0..4 {
        let at = x + (6.0 + 5.0 * n as f32) * size;
        let top = y - (21.0 - 4.6 * n as f32) * size;
        let hatch = DrawnShape::polyline(&[(at, top), (at - 4.0 * size, top + 11.0 * size)]);
        sheet.stroke(&hatch, 0.9, palette::INK.alpha(0.8));
    }
}

fn mountain(sheet: &mut Sheet, (x, y): Point, size: f32) {
    let peak = (x + 3.0 * size, y - 52.0 * size);
    let ridge = [
        (x - 32.0 * size, y),
        (x - 12.0 * size, y - 32.0 * size),
        peak,
        (x + 17.0 * size, y - 27.0 * size),
        (x + 34.0 * size, y),
    ];
    sheet.fill(&DrawnShape::polygon(&ridge), palette::STONE.solid());
    sheet.stroke_line(&ridge, 1.7, palette::INK.solid());
    for n in 0..5 {
        let share = n as f32 / 5.0;
        let from = (
            peak.0 + 3.0 * size + 20.0 * share * size,
            peak.1 + 12.0 * size + 34.0 * share * size,
        );
        let hatch = DrawnShape::polyline(&[from, (from.0 - 7.0 * size, from.1 + 13.0 * size)]);
        sheet.stroke(&hatch, 0.9, palette::INK.alpha(0.8));
    }
}

fn tree(sheet: &mut Sheet, (x, y): Point, size: f32) {
    sheet.stroke_line(&[(x, y), (x, y - 10.0 * size)], 2.2, palette::INK.solid());
    let crown = DrawnShape::circle(x, y - 17.0 * size, 9.5 * size);
    sheet.fill(&crown, palette::OLIVE.mix(palette::PAPER, 0.55).solid());
    sheet.stroke(&crown, 1.4, palette::INK.solid());
    sheet.stroke(
        &DrawnShape::arc(x, y - 17.0 * size, 5.5 * size, 0.0, 90.0),
        0.9,
        palette::INK.alpha(0.7),
    );
}

fn pine(sheet: &mut Sheet, (x, y): Point, size: f32) {
    sheet.stroke_line(&[(x, y), (x, y - 6.0)], 2.0, palette::INK.solid());
    let crown = DrawnShape::polygon(&[
        (x - 8.0 * size, y - 5.0),
        (x, y - 31.0 * size),
        (x + 8.0 * size, y - 5.0),
    ]);
    sheet.fill(&crown, palette::GREEN.mix(palette::PAPER, 0.62).solid());
    sheet.stroke(&crown, 1.4, palette::INK.solid());
    for n in 1..4 {
        let at = y - 5.0 - 5.0 * n as f32 * size;
        let wide = (6.5 - 1.8 * n as f32) * size;
        sheet.stroke(
            &DrawnShape::polyline(&[(x, at), (x + wide, at + 2.5)]),
            0.9,
            palette::INK.alpha(0.8),
        );
    }
}

fn grass(sheet: &mut Sheet, (x, y): Point) {
    for lean in [-3.5, 0.0, 3.5] {
        let blade = DrawnShape::polyline(&[(x + lean * 0.5, y), (x + lean * 1.3, y - 7.0)]);
        sheet.stroke(&blade, 1.0, palette::INK.alpha(0.6));
    }
}

fn compass(sheet: &mut Sheet, (x, y): Point) {
    let ink = palette::INK.solid();
    sheet.stroke_circle(x, y, 27.0, 1.2, ink);
    sheet.stroke_circle(x, y, 23.0, 0.8, ink);
    for n in 0..8 {
        let turn = (n as f32 * 45.0).to_radians();
        let long = if n % 2 == 0 { 36.0 } else { 18.0 };
        let tip = (x + long * turn.sin(), y - long * turn.cos());
        let side = |by: f32| {
            let turn = turn + by;
            (x + 6.0 * turn.sin(), y - 6.0 * turn.cos())
        };
        let left = DrawnShape::polygon(&[(x, y), side(-0.8), tip]);
        let right = DrawnShape::polygon(&[(x, y), side(0.8), tip]);
        sheet.fill(&left, palette::CARD_ACTIVE.solid());
        sheet.fill(&right, ink);
        sheet.stroke(&left, 0.8, ink);
    }
}

/// Draws a keep with a flag.
pub fn keep(sheet: &mut Sheet, (x, y): Point) {
    let ink = palette::INK.solid();
    let stone = palette::STONE.solid();
    for (left, top, wide) in [
        (-26.0, -12.0, 14.0),
        (12.0, -12.0, 14.0),
        (-13.0, -28.0, 26.0),
    ] {
        let mut outline = vec![(x + left, y + 28.0), (x + left, y + top)];
        let tooth = wide / 5.0;
        for n in 0..5 {
            let up = if n % 2 == 0 { -6.0 } else { 0.0 };
            let from = x + left + tooth * n as f32;
            outline.extend([(from, y + top + up), (from + tooth, y + top + up)]);
        }
        outline.push((x + left + wide, y + 28.0));
        let tower = DrawnShape::polygon(&outline);
        sheet.fill(&tower, stone);
        sheet.stroke(&tower, 1.8, ink);
    }
    let gate = DrawnShape::of(|pen| {
        pen.move_to(x - 6.0, y + 28.0);
        pen.line_to(x - 6.0, y + 14.0);
        pen.quad_to(x, y + 4.0, x + 6.0, y + 14.0);
        pen.line_to(x + 6.0, y + 28.0);
        pen.close();
    });
    sheet.fill(&gate, ink);
    sheet.stroke_line(&[(x, y - 34.0), (x, y - 54.0)], 1.8, ink);
    let flag = DrawnShape::polygon(&[(x, y - 54.0), (x + 17.0, y - 49.0), (x, y - 43.0)]);
    sheet.fill(&flag, palette::DANGER.solid());
    sheet.stroke(&flag, 1.4, ink);
}
