//! Drawings of what stands on a floor or hangs in the air: water, fog, rubble, low
//! walls, pillars, doors, openings.

use super::tiles::Fog;
use crate::ui::art::{
    canvas::{DrawnShape, Point, Sheet},
    noise::Scatter,
    palette::{self, INK},
    plan::CELL_FT,
};
use tiny_skia::Transform;

/// Thickness of the dressed stones that line an opening, in cells.
pub(super) const LINING: f32 = 0.15;
/// Thickness of the ink line on both sides of an opening, in cells. It lies outside
/// the opening.
pub(super) const JAMB: f32 = 0.045;

/// Draws with x and y swapped if `exchange`.
pub(super) fn upright_if(sheet: &mut Sheet, exchange: bool, draw: impl FnOnce(&mut Sheet)) {
    let frame = if exchange {
        Transform::from_row(0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    } else {
        Transform::identity()
    };
    sheet.within(frame, draw);
}

/// A blue wash with short waves in staggered rows.
pub(super) fn draw_water(sheet: &mut Sheet, variant: u8) {
    let mut chance = Scatter::new(&[0x3A7E, i64::from(variant)]);
    sheet.pixmap.fill(palette::WATER.solid());
    for row in 0..4 {
        let y = 0.14 + row as f32 * 0.245 + chance.between(-0.02, 0.02);
        let shift = if row % 2 == 0 { 0.0 } else { 0.42 };
        let x = 0.1 + shift + chance.between(-0.05, 0.09);
        wave(sheet, x, y, chance.between(0.26, 0.36));
        if row % 2 == 0 && chance.unit() < 0.55 {
            let x = x + chance.between(0.46, 0.54);
            wave(sheet, x, y + chance.between(-0.03, 0.05), 0.22);
        }
    }
}

/// A grey haze with curls. Thick fog is denser and has more curls.
pub(super) fn draw_fog(sheet: &mut Sheet, fog: Fog) {
    if fog.is_dark {
        return draw_darkness(sheet, fog.is_thick);
    }
    let mut chance = Scatter::new(&[0xF06, i64::from(fog.variant)]);
    let (alpha, curls) = if fog.is_thick { (0.42, 5) } else { (0.2, 3) };
    sheet.fill_rect(0.0, 0.0, 1.0, 1.0, palette::GREY.alpha(alpha));
    for n in 0..curls {
        let y = (n as f32 + 0.5) / curls as f32 + chance.between(-0.04, 0.04);
        let x = chance.between(0.06, 0.42);
        let long = chance.between(0.34, 0.5);
        let curl = DrawnShape::of(|pen| {
            pen.move_to(x, y);
            pen.cubic_to(
                x + long * 0.5,
                y - 0.09,
                x + long,
                y - 0.07,
                x + long,
                y + 0.01,
            );
            pen.cubic_to(
                x + long,
                y + 0.06,
                x + long - 0.1,
                y + 0.06,
                x + long - 0.09,
                y + 0.015,
            );
        });
        sheet.stroke(&curl, 0.034, palette::WHITE.alpha(0.75));
    }
}

/// A shade of ink with slanting strokes that meet those of the next cells.
fn draw_darkness(sheet: &mut Sheet, is_thick: bool) {
    let (alpha, strokes) = if is_thick { (0.5, 6) } else { (0.25, 3) };
    sheet.fill_rect(0.0, 0.0, 1.0, 1.0, palette::INK.alpha(alpha));
    for n in 0..2 * strokes {
        let x = (n as f32 + 0.5) / strokes as f32;
        let stroke = DrawnShape::of(|pen| {
            pen.move_to(x, -0.02);
            pen.line_to(x - 1.02, 1.0);
        });
        sheet.stroke(&stroke, 0.018, palette::INK.alpha(0.35));
    }
}

fn wave(sheet: &mut Sheet, x: f32, y: f32, long: f32) {
    let (high, half) = (0.055, long / 2.0);
    let shape = DrawnShape::of(|pen| {
        pen.move_to(x, y);
        pen.cubic_to(
            x + half * 0.4,
            y - high,
            x + half * 0.7,
            y - high * 0.6,
            x + half,
            y,
        );
        pen.cubic_to(
            x + half * 1.3,
            y + high * 0.6,
            x + half * 1.6,
            y + high * 0.8,
            x + long,
            y - high * 0.2,
        );
    });
    sheet.stroke(&shape, 0.03, palette::WATER_INK.solid());
}

/// Scattered stones that do not overlap, the large ones placed first.
pub(super) fn draw_rubble(sheet: &mut Sheet, variant: u8, pillar: bool) {
    let mut chance = Scatter::new(&[0x20BB1E, i64::from(variant)]);
    let mut laid: Vec<(Point, f32)> = Vec::new();
    let sizes = [0.145, 0.12, 0.105, 0.09, 0.075, 0.065, 0.055, 0.045];
    for size in sizes {
        for _ in 0..30 {
            let edge = size + 0.03;
            let point = (
                chance.between(edge, 1.0 - edge),
                chance.between(edge, 1.0 - edge),
            );
            let on_pillar =
                pillar && (point.0 - 0.5).abs().max((point.1 - 0.5).abs()) < 0.27 + size;
            let apart = |&((x, y), other): &(Point, f32)| {
                (x - point.0).hypot(y - point.1) > size + other + 0.045
            };
            if !on_pillar && laid.iter().all(apart) {
                laid.push((point, size));
                break;
            }
        }
    }
    // Draw the stones nearer to the viewer last.
    laid.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    for (point, size) in laid {
        stone(sheet, point, size, &mut chance);
    }
}

/// A stone with a flat base, lit from the upper left.
fn stone(sheet: &mut Sheet, (x, y): Point, size: f32, chance: &mut Scatter) {
    let left = (x - size * chance.between(0.95, 1.15), y + size * 0.6);
    let right = (x + size * chance.between(0.95, 1.15), y + size * 0.6);
    let shoulder = (
        x - size * chance.between(0.45, 0.75),
        y - size * chance.between(0.35, 0.65),
    );
    let crown = (
        x + size * chance.between(0.1, 0.45),
        y - size * chance.between(0.65, 0.85),
    );
    let hip = (
        x + size * chance.between(0.75, 0.95),
        y - size * chance.between(-0.1, 0.25),
    );
    let ridge = (
        x + size * chance.between(-0.1, 0.2),
        y - size * chance.between(0.0, 0.15),
    );
    let outline = DrawnShape::polygon(&[left, shoulder, crown, hip, right]);
    let (top, width) = (left.1 - size * 0.1, right.0 - left.0 + size * 0.15);
    let shadow = DrawnShape::rect(left.0, top, width, size * 0.28);
    sheet.fill(&shadow, INK.alpha(0.13));
    sheet.fill(&outline, palette::STONE.solid());
    if size > 0.05 {
        let foot = (x + size * 0.3, y + size * 0.6);
        let shade = DrawnShape::polygon(&[crown, hip, right, foot, ridge]);
        sheet.fill(&shade, palette::STONE_DARK.solid());
    }
    sheet.stroke(&outline, 0.024, INK.solid());
}

/// Distance of a low wall from the edge of its cell, in cells. The wall fills the
/// cell, but this rim separates it from the floor.
const RIM: f32 = 0.07;

/// A broad band of stone courses, joined to its neighbours.
pub(super) fn draw_low_wall(sheet: &mut Sheet, [east, west, south, north]: [bool; 4]) {
    let (near, far) = (RIM, 1.0 - RIM);
    let (left, right) = (if west { 0.0 } else { near }, if east { 1.0 } else { far });
    let (top, bottom) = (
        if north { 0.0 } else { near },
        if south { 1.0 } else { far },
    );
    // The middle, and an arm to each joined side. The corners stay free, so that a
    // bend has an inner corner.
    let mut parts = vec![(near, near, far - near, far - near)];
    parts.extend(west.then_some((left, near, near, far - near)));
    parts.extend(east.then_some((far, near, right - far, far - near)));
    parts.extend(north.then_some((near, top, far - near, near)));
    parts.extend(south.then_some((near, far, far - near, bottom - far)));
    for &(x, y, w, h) in &parts {
        sheet.fill_rect(x + 0.02, y + 0.06, w, h, INK.alpha(0.2));
    }
    // Outlines first, then the bodies, so that no line runs across a joint. The
    // bodies overlap slightly, so that no ink shows between them.
    for &(x, y, w, h) in &parts {
        sheet.stroke(&DrawnShape::rect(x, y, w, h), 0.075, INK.solid());
    }
    for &(x, y, w, h) in &parts {
        let body = DrawnShape::rect(x - 0.005, y - 0.005, w + 0.01, h + 0.01);
        sheet.fill(&body, palette::STONE.solid());
    }
    let upright = (north || south) && !(east || west);
    upright_if(sheet, upright, |sheet| {
        let (from, to) = match upright {
            true => (top, bottom),
            false => (left, right),
        };
        courses(sheet, from, to);
    });
    // Arms across the courses continue them with a joint.
    if !upright {
        for (joined, y) in [(north, near), (south, far)] {
            if joined {
                sheet.stroke_line_butt(&[(near, y), (far, y)], 0.022, INK.alpha(0.5));
            }
        }
    }
    // A sliver of the south face shows that the wall stands upright. Beside an arm to
    // the south, the face ends at that arm.
    let high = 0.13;
    let faces = if south {
        [west.then_some((0.0, near)), east.then_some((far, 1.0))]
    } else {
        [Some((left, right)), None]
    };
    for (from, to) in faces.into_iter().flatten() {
        let face = DrawnShape::rect(from, far - high, to - from, high);
        sheet.fill(&face, palette::STONE_DARK.solid());
        sheet.stroke_line_butt(&[(from, far - high), (to, far - high)], 0.035, INK.solid());
        let joints = [0.17, 0.5, 0.83].into_iter();
        for x in joints.filter(|&x| from < x && x < to) {
            sheet.stroke_line_butt(&[(x, far - high), (x, far)], 0.022, INK.alpha(0.5));
        }
    }
    if south {
        for (joined, x) in [(west, near), (east, far)] {
            if joined {
                sheet.stroke_line_butt(&[(x, far - high), (x, far)], 0.035, INK.solid());
            }
        }
    }
}

/// Three courses of stones in a band from west to east, with staggered joints. Joints
/// are counted from the edge of the cell, so that they continue in the next cell.
fn courses(sheet: &mut Sheet, from: f32, to: f32) {
    let (near, far) = (RIM, 1.0 - RIM);
    let high = (far - near) / 3.0;
    let line = |sheet: &mut Sheet, a: Point, b: Point| {
        sheet.stroke_line_butt(&[a, b], 0.022, INK.alpha(0.5));
    };
    // Highlights on some upper faces.
    for (x, row, wide) in [(0.0, 0.0, 0.5), (0.25, 1.0, 0.5), (0.5, 2.0, 0.5)] {
        let (left, right) = (f32::max(x, from), f32::min(x + wide, to));
        let face = DrawnShape::rect(left, near + row * high, right - left, high);
        sheet.fill(&face, palette::STONE_LIGHT.alpha(0.6));
    }
    for row in 1..3 {
        let y = near + row as f32 * high;
        line(sheet, (from, y), (to, y));
    }
    let joints = [[0.0, 0.5], [0.25, 0.75], [0.5, 1.0]];
    for (row, joints) in joints.into_iter().enumerate() {
        let (y, joints) = (near + row as f32 * high, joints.into_iter());
        for x in joints.filter(|&x| x > from + 0.04 && x < to - 0.04) {
            line(sheet, (x, y), (x, y + high));
        }
    }
}

/// A pillar 2.5 ft square, drawn like the rock of the walls.
pub(super) fn draw_pillar(sheet: &mut Sheet) {
    for (grow, strength) in [(0.05, 0.08), (0.09, 0.05)] {
        let (corner, side) = (0.25 - grow, 0.5 + 2.0 * grow);
        let shadow = DrawnShape::rounded(corner, corner + 0.02, side, side, grow);
        sheet.fill(&shadow, INK.alpha(strength));
    }
    let body = DrawnShape::rect(0.25, 0.25, 0.5, 0.5);
    sheet.fill(&body, palette::ROCK.solid());
    let strokes = super::ink::diagonals(0.25, 0.25, 0.5, 0.5, 0.1);
    sheet.fill(&strokes, INK.alpha(0.85));
    sheet.stroke(&body, 0.065, INK.solid());
}

/// Two oak leaves between the jambs. Open, they stand at right angles, with the arc
/// of their swing.
pub(super) fn draw_door(sheet: &mut Sheet, open: bool) {
    let jamb = 0.05;
    if open {
        let sill = DrawnShape::polyline(&[(0.0, 0.5), (1.0, 0.5)]);
        sheet.dash(&sill, 0.025, INK.alpha(0.5), &[0.07, 0.055]);
        for (hinge, from, to) in [(jamb, 0.0, 90.0), (1.0 - jamb, 180.0, 90.0)] {
            let swing = DrawnShape::arc(hinge, 0.5, 0.43, from, to);
            sheet.dash(&swing, 0.02, INK.alpha(0.4), &[0.05, 0.045]);
        }
        for x in [jamb, 1.0 - jamb - 0.12] {
            leaf(sheet, (x, 0.5, 0.12, 0.44));
        }
    } else {
        sheet.fill_rect(0.0, 0.36, 1.0, 0.36, INK.alpha(0.15));
        leaf(sheet, (0.0, 0.335, 0.5, 0.33));
        leaf(sheet, (0.5, 0.335, 0.5, 0.33));
        for x in [0.43, 0.57] {
            sheet.fill_circle(x, 0.5, 0.026, INK.solid());
        }
    }
}

/// A leaf of a door, with planks along its longer side.
fn leaf(sheet: &mut Sheet, (x, y, w, h): (f32, f32, f32, f32)) {
    let body = DrawnShape::rect(x, y, w, h);
    sheet.fill(&body, palette::OAK.solid());
    let grain = palette::OAK_DARK.alpha(0.8);
    for i in 1..3 {
        let part = i as f32 / 3.0;
        let line = if w > h {
            [(x, y + h * part), (x + w, y + h * part)]
        } else {
            [(x + w * part, y), (x + w * part, y + h)]
        };
        sheet.stroke_line_butt(&line, 0.018, grain);
    }
    sheet.stroke(&body, 0.045, INK.solid());
}

/// The opening of a wall for looking along x, true to its width, between dressed
/// stones. A line at each face of the wall shows that it is not an entrance.
pub(super) fn draw_opening(sheet: &mut Sheet, wide_ft: f32) {
    let half = wide_ft / CELL_FT / 2.0;
    let (north, south) = (0.5 - half, 0.5 + half);
    for y in [north - LINING, south] {
        sheet.fill_rect(0.0, y, 1.0, LINING, palette::STONE_LIGHT.solid());
        for joint in [0.3, 0.7] {
            sheet.stroke_line_butt(&[(joint, y), (joint, y + LINING)], 0.02, INK.alpha(0.55));
        }
    }
    sheet.fill_rect(0.0, north, 1.0, south - north, palette::FLOOR.solid());
    for y in [north - LINING, south + LINING] {
        sheet.stroke_line_butt(&[(0.0, y), (1.0, y)], 0.03, INK.alpha(0.9));
    }
    // The lines beside the opening lie outside it, so that its width is true.
    for y in [north - JAMB / 2.0, south + JAMB / 2.0] {
        sheet.stroke_line_butt(&[(0.0, y), (1.0, y)], JAMB, INK.solid());
    }
    // The sill at both faces of the wall. A window also has one inside.
    let inner: &[f32] = if wide_ft > 1.0 { &[0.44, 0.56] } else { &[] };
    for &x in inner.iter().chain(&[0.0, 1.0]) {
        let wide = if inner.contains(&x) { 0.024 } else { 0.06 };
        sheet.stroke_line_butt(&[(x, north), (x, south)], wide, INK.alpha(0.8));
    }
}
