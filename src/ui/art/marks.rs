//! Marks over the board while the player plans: cells in reach, the path, threats,
//! the target of an attack.
//!
//! Positions are in cells from the map's north-west corner: the centre of the first
//! cell is (0.5, 0.5).

use std::collections::BTreeSet;

use tiny_skia::{Pixmap, Transform};

use super::board::{DrawnArea, Picture};
use super::canvas::{DrawnShape, Point, Sheet, push_polyline, push_rect};
use super::lettering::{Typeface, centred};
use super::palette::{self, INK, Rgb};
use super::tokens::Base;
use crate::grid::Cell;

/// The cost of reaching a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The usual cost of moving.
    Plain,
    /// More than the usual cost. Also smaller, so that it does not depend on colour.
    Extra,
}

/// A cell in reach: a plain tint that leaves the grid lines visible. Hatching is for cells that
/// enemies reach.
pub fn reach(reach: Reach, cell_px: u32) -> Pixmap {
    let cell_px = cell_px.max(4);
    let mut sheet = Sheet::new(cell_px, cell_px, 1.0);
    let (colour, strength, margin) = match reach {
        Reach::Plain => (palette::TEAL, palette::REACH_MOVE_ALPHA, 1.0 / 32.0),
        Reach::Extra => (palette::OCHRE, palette::REACH_MAIN_ALPHA, 1.0 / 10.0),
    };
    let edge = (cell_px as f32 * margin).round().max(1.0);
    let side = cell_px as f32 - 2.0 * edge;
    sheet.fill_rect(edge, edge, side, side, colour.alpha(strength));
    sheet.pixmap
}

/// A path through the centres of a moving unit: a white halo, dashed ink, a dot at each step, and a
/// ring at the end that fits a unit of `cells` by `cells`. `None` without steps.
pub fn path(points: &[Point], cells: u32, cell_px: u32) -> Option<Picture> {
    let &(end_x, end_y) = points.last()?;
    let ring = 0.36 * cells.max(1) as f32;
    let line = DrawnShape::polyline(&shortened(points, ring));
    let halo = palette::WHITE.alpha(0.92);
    Some(over(points, ring + 0.2, cell_px, |sheet| {
        sheet.stroke(&line, 0.135, halo);
        for &(x, y) in points.iter().skip(1).rev().skip(1) {
            sheet.fill_circle(x, y, 0.125, halo);
        }
        sheet.stroke_circle(end_x, end_y, ring, 0.13, halo);
        sheet.dash(&line, 0.068, INK.solid(), &[0.2, 0.13]);
        for &(x, y) in points.iter().skip(1).rev().skip(1) {
            sheet.fill_circle(x, y, 0.085, INK.solid());
        }
        sheet.stroke_circle(end_x, end_y, ring, 0.062, INK.solid());
    }))
}

/// The line, cut off where it enters the ring at its end.
fn shortened(points: &[Point], ring: f32) -> Vec<Point> {
    let mut line = points.to_vec();
    while let [.., before, end] = line[..] {
        let way = apart(before, end);
        let &last = points.last().unwrap_or(&end);
        line.pop();
        if apart(last, before) >= ring {
            // The previous step lies outside the ring: end the line at the ring.
            line.push(between(before, end, ((way - ring) / way).max(0.0)));
            break;
        }
    }
    line
}

/// A red disc with "!", `px` pixels square: an attack is provoked here.
pub fn danger(px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32 / 0.54).origin(0.27, 0.27);
    sheet.fill_circle(0.0, 0.0, 0.265, palette::WHITE.solid());
    sheet.fill_circle(0.0, 0.0, 0.225, palette::DANGER.solid());
    for part in [
        DrawnShape::marks("M -0.042 -0.145 L 0.042 -0.145 L 0.024 0.04 L -0.024 0.04 Z"),
        DrawnShape::circle(0.0, 0.105, 0.04),
    ] {
        sheet.fill(&part, palette::WHITE.solid());
    }
    sheet.pixmap
}

/// The length of a strip of dots, in cells.
const STRIP: u32 = 40;

/// A strip of dots running east, [`STRIP`] cells long. Lines from an attacker to its
/// possible targets are cut from it.
pub fn dots(colour: Rgb, cell_px: u32) -> Pixmap {
    // Textures must not be wider than this.
    let px = cell_px.clamp(4, 8000 / STRIP);
    let high = (px as f32 * 0.22).ceil().max(1.0) as u32;
    let middle = high as f32 / 2.0 / px as f32;
    let mut sheet = Sheet::new(STRIP * px, high, px as f32).origin(0.0, middle);
    let line = DrawnShape::polyline(&[(0.05, 0.0), (STRIP as f32 - 0.05, 0.0)]);
    draw_dots(&mut sheet, &line, colour);
    sheet.pixmap
}

/// A dotted path through the centres of a moving unit, up to the rim of the place where it ends.
/// `None` without steps.
pub fn dotted(points: &[Point], colour: Rgb, cell_px: u32) -> Option<Picture> {
    if points.len() < 2 {
        return None;
    }
    let line = DrawnShape::polyline(&shortened(points, RIM));
    Some(over(points, 0.1, cell_px, |sheet| {
        draw_dots(sheet, &line, colour)
    }))
}

fn draw_dots(sheet: &mut Sheet, line: &DrawnShape, colour: Rgb) {
    sheet.dots(line, 0.105, palette::WHITE.alpha(0.85), 0.135);
    sheet.dots(line, 0.062, colour.solid(), 0.135);
}

/// A corner of a target: a full dot if it is visible, otherwise an empty one.
pub fn corner(seen: bool, cell_px: u32) -> Pixmap {
    let px = ((cell_px as f32 * 0.2).round() as u32).max(5);
    let mut sheet = Sheet::new(px, px, px as f32 / 0.2).origin(0.1, 0.1);
    sheet.fill_circle(0.0, 0.0, 0.095, palette::WHITE.solid());
    if seen {
        sheet.fill_circle(0.0, 0.0, 0.07, palette::TEAL.solid());
    } else {
        sheet.stroke_circle(0.0, 0.0, 0.06, 0.03, palette::DANGER.solid());
    }
    sheet.pixmap
}

/// A cell higher or lower than the datum, with its height in feet: darker the farther
/// from the datum, blue below it.
pub fn height(feet: i32, cell_px: u32) -> Pixmap {
    let cell_px = cell_px.max(4);
    let mut sheet = Sheet::new(cell_px, cell_px, cell_px as f32);
    let ink = match feet > 0 {
        true => palette::OAK_DARK,
        false => palette::BLUE,
    };
    let strength = (0.14 + feet.abs() as f32 * 0.016).min(0.6);
    sheet.fill_rect(0.0, 0.0, 1.0, 1.0, ink.alpha(strength));
    let words = crate::battle::signed(feet);
    let number = centred(Typeface::Bold, &words, 0.36, 0.5, 0.5);
    sheet.stroke(&number, 0.09, palette::WHITE.alpha(0.9));
    sheet.fill(&number, INK.solid());
    sheet.pixmap
}

/// A cell that `enemies` enemies could attack in melee: hatched, denser the more there are;
/// cross-hatched from three on.
pub fn attacked(enemies: usize, cell_px: u32) -> Pixmap {
    let cell_px = cell_px.max(4);
    let mut sheet = Sheet::new(cell_px, cell_px, 1.0);
    let side = cell_px as f32;
    let (tint, alpha, strokes, is_crossed) = match enemies {
        0 | 1 => (0.04, 0.25, 2, false),
        2 => (0.05, 0.25, 3, false),
        _ => (0.07, 0.25, 3, true),
    };
    let ink = palette::DANGER;
    sheet.fill_rect(0.0, 0.0, side, side, ink.alpha(tint));
    let line = (side / 40.0).max(1.0);
    for i in 1..2 * strokes {
        // From the left or lower side to the upper or right one, at a fixed spacing, so that the
        // lines of neighbouring cells meet.
        let sum = side * i as f32 / strokes as f32;
        let (from, to) = if sum <= side {
            ((0.0, sum), (sum, 0.0))
        } else {
            ((sum - side, side), (side, sum - side))
        };
        sheet.stroke_line_butt(&[from, to], line, ink.alpha(alpha));
        if is_crossed {
            let over = |(x, y): Point| (side - x, y);
            sheet.stroke_line_butt(&[over(from), over(to)], line, ink.alpha(alpha));
        }
    }
    sheet.pixmap
}

/// The number of enemies that could attack a unit, on a red disc.
pub fn attackers(enemies: usize, px: u32) -> Pixmap {
    let px = px.max(8);
    let mut sheet = Sheet::new(px, px, px as f32);
    sheet.fill_circle(0.5, 0.5, 0.48, palette::DANGER.solid());
    sheet.stroke_circle(0.5, 0.5, 0.46, 0.06, palette::WHITE.solid());
    let number = centred(Typeface::Bold, &enemies.to_string(), 0.62, 0.5, 0.5);
    sheet.fill(&number, palette::WHITE.solid());
    sheet.pixmap
}

/// The number of a column, a row or a unit at font size `size` in pixels, on a small paper plate so
/// that it is readable on any ground.
pub fn number(words: &str, size: f32) -> Pixmap {
    let size = size.max(6.0);
    let width = super::lettering::text(Typeface::Bold, words, size).width + size * 0.8;
    let (width, height) = (width.ceil() as u32, (size * 1.3).ceil() as u32);
    let mut sheet = Sheet::new(width, height, 1.0);
    let (w, h) = (width as f32, height as f32);
    let plate = DrawnShape::rounded(0.0, 0.0, w, h, h / 2.0);
    sheet.fill(&plate, palette::PAPER.alpha(0.9));
    let shape = centred(Typeface::Bold, words, size, w / 2.0, h / 2.0);
    sheet.fill(&shape, palette::INK.solid());
    sheet.pixmap
}

/// A ring around a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Dashed and red: the reach of a threat.
    Threat,
    /// The unit under the cursor.
    Hover,
    /// A possible target of an action.
    Target,
    /// A unit whose turn it is.
    Active,
    /// The attacker.
    Attacker,
}

/// The arcs of a ring around a unit, in degrees clockwise from the east. They leave the unit's
/// number, at the upper left, and its hit points, at the bottom, free.
const CLEAR_ARCS: [(f32, f32); 2] = [(-70.0, 35.0), (145.0, 198.0)];

/// A ring centred in the picture; `radius` in cells.
pub fn ring(ring: Ring, radius: f32, cell_px: u32) -> Pixmap {
    let side = ((radius * 2.0 + 0.3) * cell_px as f32).ceil().max(1.0);
    let middle = side / 2.0 / cell_px as f32;
    let mut sheet = Sheet::new(side as u32, side as u32, cell_px as f32).origin(middle, middle);
    let circle = DrawnShape::circle(0.0, 0.0, radius);
    let (halo, width, ink) = match ring {
        Ring::Threat => {
            sheet.dash(&circle, 0.085, palette::WHITE.alpha(0.5), &[0.14, 0.09]);
            sheet.dash(&circle, 0.042, palette::DANGER.solid(), &[0.14, 0.09]);
            return sheet.pixmap;
        }
        Ring::Hover => (palette::WHITE.alpha(0.0), 0.05, INK.alpha(0.75)),
        Ring::Target => (palette::WHITE.alpha(0.9), 0.065, palette::TEAL.solid()),
        Ring::Active => (INK.solid(), 0.09, palette::GOLD.solid()),
        Ring::Attacker => (palette::WHITE.alpha(0.8), 0.065, palette::DANGER.solid()),
    };
    for (from, to) in CLEAR_ARCS {
        let arc = DrawnShape::arc(0.0, 0.0, radius, from, to);
        sheet.stroke(&arc, width + 0.045, halo);
        sheet.stroke(&arc, width, ink);
    }
    sheet.pixmap
}

/// Cells marked as one area, such as a blast, a cone or a starting area: a light tint
/// and an outline around all of them. `None` without cells.
pub fn area(cells: &[Cell], colour: Rgb, cell_px: u32) -> Option<Picture> {
    let tint = DrawnShape::of(|pen| {
        for cell in cells {
            let (x, y) = (f32::from(cell.x), f32::from(cell.y));
            push_rect(pen, [x, y, x + 1.0, y + 1.0]);
        }
    });
    over_cells(cells, cell_px, |sheet, border| {
        sheet.fill(&tint, colour.alpha(0.18));
        sheet.stroke(border, 0.055, colour.alpha(0.95));
    })
}

/// The cells at which an action can be aimed: a dashed outline, and a dot in each cell. Without a tint,
/// it is not taken for the reach of a move, and leaves that of an area on it as it is. `None` without
/// cells.
pub fn aim(cells: &[Cell], cell_px: u32) -> Option<Picture> {
    over_cells(cells, cell_px, |sheet, border| {
        sheet.stroke(border, 0.1, palette::WHITE.alpha(0.6));
        sheet.dash(border, 0.055, palette::PURPLE.solid(), &[0.16, 0.09]);
        for cell in cells {
            let (x, y) = (f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
            sheet.fill_circle(x, y, 0.07, palette::PURPLE.alpha(0.75));
        }
    })
}

/// Only the border of an area, thin and dashed. `None` without cells.
pub fn dashed_border(cells: &[Cell], colour: Rgb, cell_px: u32) -> Option<Picture> {
    over_cells(cells, cell_px, |sheet, border| {
        sheet.dash(border, 0.035, colour.alpha(0.7), &[0.12, 0.08]);
    })
}

/// Only the border of an area, thin. `None` without cells.
pub fn thin_border(cells: &[Cell], colour: Rgb, cell_px: u32) -> Option<Picture> {
    over_cells(cells, cell_px, |sheet, border| {
        sheet.stroke(border, 0.05, colour.alpha(0.7));
    })
}

/// A picture that covers these cells; `draw` gets their outline.
fn over_cells(
    cells: &[Cell],
    cell_px: u32,
    draw: impl FnOnce(&mut Sheet, &DrawnShape),
) -> Option<Picture> {
    let corners: Vec<Point> = cells
        .iter()
        .map(|cell| (f32::from(cell.x), f32::from(cell.y)))
        .flat_map(|(x, y)| [(x, y), (x + 1.0, y + 1.0)])
        .collect();
    if corners.is_empty() {
        return None;
    }
    let inside: BTreeSet<Cell> = cells.iter().copied().collect();
    let border = DrawnShape::of(|pen| {
        for &Cell { x, y } in &inside {
            let (fx, fy) = (f32::from(x), f32::from(y));
            let sides = [
                (Cell::new(x - 1, y), (fx, fy), (fx, fy + 1.0)),
                (Cell::new(x + 1, y), (fx + 1.0, fy), (fx + 1.0, fy + 1.0)),
                (Cell::new(x, y - 1), (fx, fy), (fx + 1.0, fy)),
                (Cell::new(x, y + 1), (fx, fy + 1.0), (fx + 1.0, fy + 1.0)),
            ];
            let edges = sides.into_iter();
            for (_, from, to) in edges.filter(|(other, ..)| !inside.contains(other)) {
                push_polyline(pen, &[from, to]);
            }
        }
    });
    Some(over(&corners, 0.1, cell_px, |sheet| draw(sheet, &border)))
}

/// A brush stroke along a path, with a head at its end.
pub struct IntentArrow {
    outline: Vec<Point>,
    head: [Point; 3],
    /// Before its head, where the number of its unit says whose it is.
    pub number: Point,
}

impl IntentArrow {
    /// A stroke along a path of at least two points, to a unit or, with `is_cell`, to a cell: thin
    /// at its start, and as wide as it is likely. `share` is the likelihood from 0 to 1, `sizes`
    /// the cells along one edge of the units at both ends. `None` if the distance is too short.
    pub fn new(path: &[Point], sizes: [u8; 2], (share, is_cell): (f32, bool)) -> Option<Self> {
        let line = rounded(path);
        let length: f32 = line.windows(2).map(|two| apart(two[0], two[1])).sum();
        if length < 0.1 {
            return None;
        }
        let is_short = !is_cell && length < 1.6;
        let (start, end) = match is_short {
            true => short_span(path, sizes[0], length),
            false => {
                // Keep the stroke clear of the tokens at both ends if there is space.
                let [by, at] = sizes.map(|size| f32::from(size.max(1)));
                let clear = if is_cell { 0.2 } else { RIM * at };
                let half = (length - 0.34) * 0.5;
                (half.min(0.44 * by), length - half.min(clear))
            }
        };
        let wide = 0.05 + 0.17 * share.clamp(0.0, 1.0);
        let drawn = end - start;
        let (head, barb) = match is_short {
            // Its shaft is longer than its head.
            true => ((0.15 + wide * 0.2).min(drawn * 0.45), wide * 0.35 + 0.12),
            false => ((0.16 + wide * 0.7).min(drawn * 0.7), wide * 0.5 + 0.1),
        };
        // A straight one is slightly curved, as if drawn by hand.
        let is_straight = path.len() == 2;
        let bow = 0.035 * (length - 1.0).clamp(0.0, 5.0) * f32::from(is_straight);
        let at = |along: f32, out: f32| {
            let x = (along - start) / (end - start).max(0.01);
            let out = out + bow * 4.0 * x * (1.0 - x);
            let (point, ahead) = after(&line, along);
            (point.0 - ahead.1 * out, point.1 + ahead.0 * out)
        };
        let neck = end - head * 0.8;
        let steps = 10 * (path.len() - 1);
        let side = |sign: f32, n: usize| {
            let x = n as f32 / steps as f32;
            let out = sign * wide * 0.5 * (0.3 + 0.7 * x);
            at(start + (neck - start) * x, out)
        };
        let number = at((end - head - 0.25).max(start), 0.0);
        let head = [at(end - head, -barb), at(end, 0.0), at(end - head, barb)];
        let mut outline: Vec<Point> = (0..=steps).map(|n| side(-1.0, n)).collect();
        outline.extend(head);
        outline.extend((0..=steps).rev().map(|n| side(1.0, n)));
        Some(Self {
            outline,
            head,
            number,
        })
    }

    pub fn picture(&self, ink: Rgb, cell_px: u32) -> Picture {
        outlined(&self.outline, ink, cell_px)
    }

    /// Only its head, to be drawn over what lies on the way.
    pub fn head(&self, ink: Rgb, cell_px: u32) -> Picture {
        outlined(&self.head, ink, cell_px)
    }
}

/// A short thin arrow with an open head: from the rim of a unit with its middle at the first point, in
/// the direction of the second. `size` is the cells along one edge of the unit.
pub fn heading_arrow([from, to]: [Point; 2], size: u8, ink: Rgb, cell_px: u32) -> Picture {
    const LENGTH: f32 = 0.5;
    const BARB: f32 = 0.16;
    let rim = 0.5 * f32::from(size.max(1));
    let length = apart(from, to).max(0.01);
    let ahead = ((to.0 - from.0) / length, (to.1 - from.1) / length);
    let at = |along: f32, out: f32| {
        let along = rim + along;
        let point = (from.0 + ahead.0 * along, from.1 + ahead.1 * along);
        (point.0 - ahead.1 * out, point.1 + ahead.0 * out)
    };
    let shaft = [at(0.0, 0.0), at(LENGTH, 0.0)];
    let head = [
        at(LENGTH - BARB, -BARB),
        at(LENGTH, 0.0),
        at(LENGTH - BARB, BARB),
    ];
    over(&[&shaft[..], &head].concat(), 0.1, cell_px, |sheet| {
        for (wide, ink) in [(0.13, palette::FLOOR.alpha(0.9)), (0.055, ink.solid())] {
            sheet.stroke(&DrawnShape::polyline(&shaft), wide, ink);
            sheet.stroke(&DrawnShape::polyline(&head), wide, ink);
        }
    })
}

fn outlined(points: &[Point], ink: Rgb, cell_px: u32) -> Picture {
    over(points, 0.1, cell_px, |sheet| {
        let stroke = DrawnShape::polygon(points);
        sheet.stroke(&stroke, 0.075, palette::FLOOR.alpha(0.9));
        sheet.fill(&stroke, ink.solid());
    })
}

/// Distance of the heads of arrows from the middle of their target, for each cell along its edge.
pub const RIM: f32 = 0.47;
/// The least angle between two heads on one target, in radians.
const HEADS_APART: f32 = 0.5;
/// Directions that are tried for a head, from half that angle to the next.
const HEADS_TRIED: u32 = 13;
/// How far an arrow runs straight at its target, in cells.
const RUN_IN: f32 = 0.8;

/// The heads of arrows around their targets: each points at the middle of its target, and no two lie
/// on each other.
#[derive(Default)]
pub struct Heads(Vec<(Point, f32)>);

impl Heads {
    /// The direction, of length 1, from the middle of a target to the head of an arrow that comes
    /// from a point: straight towards the point, or the nearest free one beside that.
    pub fn side(&mut self, from: Point, to: Point) -> Point {
        let straight = (from.1 - to.1).atan2(from.0 - to.0);
        let taken = self.0.iter().filter(|head| apart(head.0, to) < 0.1);
        let taken: Vec<f32> = taken.map(|head| head.1).collect();
        let is_free = |angle: &f32| {
            let between = |other: &f32| (angle - other).sin().atan2((angle - other).cos());
            let mut taken = taken.iter();
            taken.all(|other| between(other).abs() > HEADS_APART - 0.01)
        };
        let beside = |n: u32| {
            let sign = if n % 2 == 1 { 1.0 } else { -1.0 };
            straight + sign * n.div_ceil(2) as f32 * HEADS_APART / 2.0
        };
        let angle = (0..HEADS_TRIED).map(beside).find(is_free);
        self.keep(angle.unwrap_or(straight), to)
    }

    fn keep(&mut self, angle: f32, to: Point) -> Point {
        self.0.push((to, angle));
        (angle.cos(), angle.sin())
    }

    /// Lets a path end in the middle of its target, whose edges have `size` cells, on a side of its
    /// own. A path from a neighbour stays as it is.
    pub fn end(&mut self, path: &mut Vec<Point>, to: Point, size: u8) {
        let size = f32::from(size.max(1));
        // Bends at the edge of the target would turn the head aside.
        let bends = path.iter().skip(1).rev();
        let near = bends.take_while(|point| apart(**point, to) < 0.75 * size);
        let straight = path.len() - near.count();
        let Some(&before) = path[..straight].last() else {
            return;
        };
        let run = RIM * size + RUN_IN;
        if apart(before, to) < run + 0.3 {
            self.keep((before.1 - to.1).atan2(before.0 - to.0), to);
            return;
        }
        path.truncate(straight);
        let side = self.side(before, to);
        path.extend([(to.0 + side.0 * run, to.1 + side.1 * run), to]);
    }
}

/// How far arrows of enemies lie apart where they run side by side, in cells.
const LANE: f32 = 0.16;
/// Distance between the points at which arrows are compared, in cells.
const SAMPLE: f32 = 0.25;
/// Points that two arrows have in common where they run along each other: about a cell.
const COMMON: usize = 4;

/// Moves paths to one side where they run along earlier ones, so that their arrows lie side by side:
/// the first stays, the next ones lie to its right and left in turn.
pub fn side_by_side(paths: &mut [Vec<Point>]) {
    let samples = |path: &Vec<Point>| {
        let length: f32 = path.windows(2).map(|two| apart(two[0], two[1])).sum();
        let count = if path.len() > 1 {
            (length / SAMPLE) as usize + 1
        } else {
            0
        };
        Vec::from_iter((0..count).map(|n| after(path, n as f32 * SAMPLE).0))
    };
    let samples: Vec<Vec<Point>> = paths.iter().map(samples).collect();
    let mut lanes: Vec<usize> = Vec::new();
    for (n, path) in paths.iter_mut().enumerate() {
        let is_along = |other: &[Point]| {
            let is_near =
                |point: &&Point| other.iter().any(|it| apart(**point, *it) < SAMPLE * 0.7);
            samples[n].iter().filter(is_near).count() >= COMMON
        };
        let taken = lanes
            .iter()
            .zip(&samples)
            .filter(|(_, other)| is_along(other));
        let taken: Vec<usize> = taken.map(|(lane, _)| *lane).collect();
        let free = (0..).find(|lane| !taken.contains(lane)).unwrap_or_default();
        lanes.push(free);
        let side = if free % 2 == 1 { 1.0 } else { -1.0 };
        shift(path, side * free.div_ceil(2) as f32 * LANE);
    }
}

/// Moves a path sideways, to its right as seen on the map.
fn shift(path: &mut [Point], by: f32) {
    let old = path.to_vec();
    for (n, point) in path.iter_mut().enumerate() {
        let (from, to) = (old[n.saturating_sub(1)], old[(n + 1).min(old.len() - 1)]);
        let length = apart(from, to).max(0.01);
        point.0 -= (to.1 - from.1) / length * by;
        point.1 += (to.0 - from.0) / length * by;
    }
}

/// Least length of an arrow between neighbours across a corner, in cells.
const MIN_SHORT: f32 = 0.44;

/// Where an arrow between neighbours starts and ends on the line between their middles: it lies across
/// the edge that they share, clear of their faces. `cells` is the size of the unit at its start.
fn short_span(path: &[Point], cells: u8, length: f32) -> (f32, f32) {
    let (from, to) = (path[0], path[path.len() - 1]);
    let (east, south) = (to.0 - from.0, to.1 - from.1);
    let edge = 0.5 * f32::from(cells.max(1));
    match (east.abs() > 0.3, south.abs() > 0.3) {
        // Across a corner the hit points of its unit and of the unit beside it cover all that does
        // not reach the rim of the target.
        (true, true) => {
            let end = (length - RIM).max(0.3);
            ((end - MIN_SHORT).max(0.0).min(0.88 * edge), end)
        }
        // Above the shared edge are the hit points of the northern unit.
        (false, true) if south < 0.0 => (edge - 0.24, edge + 0.06),
        (false, true) => (edge - 0.06, edge + 0.24),
        _ => (edge - 0.2, edge + 0.2),
    }
}

/// A path with its corners cut twice.
fn rounded(path: &[Point]) -> Vec<Point> {
    let mut line = path.to_vec();
    for _ in 0..2 {
        let [first, .., last] = line[..] else { break };
        let cut = line.windows(2).flat_map(|two| {
            let (a, b) = (two[0], two[1]);
            [between(a, b, 0.25), between(a, b, 0.75)]
        });
        let cut: Vec<Point> = cut.collect();
        line = [&[first], &cut[1..cut.len() - 1], &[last]].concat();
    }
    line
}

/// The point between two others at this share of the way, from 0 to 1.
fn between(a: Point, b: Point, x: f32) -> Point {
    (a.0 + (b.0 - a.0) * x, a.1 + (b.1 - a.1) * x)
}

fn apart(a: Point, b: Point) -> f32 {
    (b.0 - a.0).hypot(b.1 - a.1)
}

/// The point at a distance along a line, and the direction there, of length 1. Beyond its ends the
/// line goes straight on.
fn after(line: &[Point], along: f32) -> (Point, Point) {
    let mut left = along;
    let mut ahead = (1.0, 0.0);
    let mut from = line[0];
    for two in line.windows(2) {
        let length = apart(two[0], two[1]);
        if length < 1e-4 {
            continue;
        }
        from = two[0];
        ahead = ((two[1].0 - from.0) / length, (two[1].1 - from.1) / length);
        if left <= length {
            break;
        }
        left -= length;
        from = two[1];
    }
    ((from.0 + ahead.0 * left, from.1 + ahead.1 * left), ahead)
}

/// A cell to which a unit is likely to come: the base of its side, dashed.
pub fn likely_place(base: Base, cell_px: u32) -> Pixmap {
    let mut sheet = Sheet::square(cell_px.max(4));
    let shape = base.outline(0.34);
    sheet.stroke(&shape, 0.085, palette::FLOOR.alpha(0.8));
    sheet.dash(&shape, 0.045, palette::INTENT.solid(), &[0.12, 0.08]);
    sheet.pixmap
}

/// The head of an arrow that points east, `px` pixels square, with its tip in the
/// middle of the right edge.
pub fn arrow_head(colour: Rgb, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32);
    sheet.fill(
        &DrawnShape::polygon(&[(0.04, 0.12), (0.98, 0.5), (0.04, 0.88), (0.26, 0.5)]),
        colour.solid(),
    );
    sheet.pixmap
}

/// A spark that flies east with a tail behind it, `px` pixels long.
pub fn spark(colour: Rgb, px: u32) -> Pixmap {
    let px = px.max(2);
    let mut sheet = Sheet::new(px, px / 2, px as f32).origin(0.0, 0.25);
    for (from, wide, strength) in [(0.0, 0.05, 0.25), (0.25, 0.09, 0.45), (0.5, 0.14, 0.8)] {
        let tail = DrawnShape::polygon(&[(from, 0.0), (0.82, -wide), (0.82, wide)]);
        sheet.fill(&tail, colour.alpha(strength));
    }
    sheet.fill_circle(0.82, 0.0, 0.16, colour.solid());
    sheet.fill_circle(0.84, 0.0, 0.08, palette::WHITE.solid());
    sheet.pixmap
}

/// A ring with rays, `px` pixels square: where a spell takes effect.
pub fn burst(colour: Rgb, px: u32) -> Pixmap {
    let mut sheet = Sheet::square(px.max(2));
    let ring = DrawnShape::circle(0.0, 0.0, 0.3);
    sheet.fill(&ring, colour.alpha(0.25));
    sheet.stroke(&ring, 0.06, colour.solid());
    let ray = DrawnShape::polyline(&[(0.37, 0.0), (0.47, 0.0)]);
    for turn in 0..8 {
        sheet.within(Transform::from_rotate(turn as f32 * 45.0), |sheet| {
            sheet.stroke(&ray, 0.045, colour.solid())
        });
    }
    sheet.pixmap
}

/// What `draw` draws, on the smallest picture that contains all positions with a margin of `edge`
/// around them.
fn over(points: &[Point], edge: f32, cell_px: u32, draw: impl FnOnce(&mut Sheet)) -> Picture {
    let fold = |start: f32, least_or_most: fn(f32, f32) -> f32, of: fn(&Point) -> f32| {
        points.iter().map(of).fold(start, least_or_most)
    };
    let area = DrawnArea {
        west: fold(f32::MAX, f32::min, |point| point.0) - edge,
        north: fold(f32::MAX, f32::min, |point| point.1) - edge,
        east: fold(f32::MIN, f32::max, |point| point.0) + edge,
        south: fold(f32::MIN, f32::max, |point| point.1) + edge,
    };
    area.draw(cell_px.max(1), draw)
}
