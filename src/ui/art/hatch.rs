//! The hatching outside walls: bundles of three short parallel strokes on blue-noise
//! points, each bundle at another angle than its neighbours.
//!
//! The bundles are laid out once, on a square that tiles without a seam; a board
//! takes those that lie beside its walls. Any part of a board can therefore be drawn
//! on its own, and the parts fit together.

use std::f32::consts::PI;
use std::sync::OnceLock;

use super::canvas::Point;
use super::noise::{Scatter, hash};

/// The side of the repeating square, in cells.
pub const REPEAT: i32 = 9;

/// Least distance between bundles, in cells: about 11 px on a cell of 48 px.
const APART: f32 = 0.235;

/// Strokes that run side by side. Lengths in cells.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its number. Bundles in cells that repeat each other have equal numbers.
    pub index: usize,
    pub middle: Point,
    /// The ground that is nearer to this bundle than to any other, relative to its
    /// middle.
    pub plot: Vec<Point>,
    /// Thin closed shapes, tapered like pen strokes, relative to its middle.
    pub strokes: Vec<[Point; 4]>,
}

/// The bundles in one cell of the repeating square, with their middles relative to
/// the square's corner. Accepts any cell of a map.
pub fn bundles(x: i32, y: i32) -> &'static [Bundle] {
    static PATTERN: OnceLock<Vec<Vec<Bundle>>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(lay);
    &pattern[(y.rem_euclid(REPEAT) * REPEAT + x.rem_euclid(REPEAT)) as usize]
}

fn lay() -> Vec<Vec<Bundle>> {
    let points = scatter();
    let near: Vec<Vec<Point>> = points
        .iter()
        .map(|&from| neighbours(&points, from, APART * 3.0))
        .collect();
    let angles = turn_away(&points);
    let mut cells = vec![Vec::new(); (REPEAT * REPEAT) as usize];
    for (i, &(x, y)) in points.iter().enumerate() {
        let plot = plot(&near[i]);
        let strokes = strokes(&near[i], angles[i], i as i64);
        cells[(y as i32 * REPEAT + x as i32) as usize].push(Bundle {
            index: i,
            middle: (x, y),
            plot,
            strokes,
        });
    }
    cells
}

/// Blue noise: random points, each kept if it is far enough from all points kept
/// before, until hardly any more would fit.
fn scatter() -> Vec<Point> {
    let mut chance = Scatter::new(&[hash(&[0x4A7C]) as i64]);
    let mut kept: Vec<Point> = Vec::new();
    let side = REPEAT as f32;
    // A bin of the grid holds at most a few points, so that nine bins contain all
    // neighbours of a point.
    let bins = (side / APART) as i32;
    let bin = |v: f32| (v / side * bins as f32) as i32;
    let mut grid: Vec<Vec<Point>> = vec![Vec::new(); (bins * bins) as usize];
    for _ in 0..60_000 {
        let point = (chance.between(0.0, side), chance.between(0.0, side));
        let (bx, by) = (bin(point.0), bin(point.1));
        let round = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (bx + dx, by + dy)));
        let free = round
            .flat_map(|(x, y)| &grid[(y.rem_euclid(bins) * bins + x.rem_euclid(bins)) as usize])
            .all(|&other| length(across(point, other)) >= APART);
        if free {
            grid[(by.min(bins - 1) * bins + bx.min(bins - 1)) as usize].push(point);
            kept.push(point);
        }
    }
    kept
}

/// An angle for each point, as different as possible from those of its neighbours.
fn turn_away(points: &[Point]) -> Vec<f32> {
    const TURNS: usize = 18;
    let mut chance = Scatter::new(&[0x7012]);
    let mut angles: Vec<f32> = points.iter().map(|_| chance.between(0.0, PI)).collect();
    let near: Vec<Vec<(usize, f32)>> = points
        .iter()
        .map(|&from| {
            let ways = points
                .iter()
                .enumerate()
                .map(|(i, &to)| (i, length(across(from, to))));
            ways.filter(|&(_, way)| way > 0.0 && way < APART * 2.0)
                .collect()
        })
        .collect();
    for _ in 0..4 {
        for i in 0..points.len() {
            let offset = chance.unit();
            let tries = (0..TURNS).map(|turn| (turn as f32 + offset) * PI / TURNS as f32);
            // The nearer a neighbour, the more its angle counts.
            let room = |angle: f32| -> f32 {
                near[i]
                    .iter()
                    .map(|&(other, way)| apart(angle, angles[other]) * (way / APART))
                    .fold(f32::MAX, f32::min)
            };
            let best = tries.max_by(|&a, &b| room(a).total_cmp(&room(b)));
            angles[i] = best.unwrap_or(angles[i]);
        }
    }
    angles
}

/// The angle between two lines, from 0 to a quarter turn.
fn apart(a: f32, b: f32) -> f32 {
    let turn = (a - b).rem_euclid(PI);
    turn.min(PI - turn)
}

/// The convex plot around the origin that is nearer to the origin than to any point
/// of `near`.
fn plot(near: &[Point]) -> Vec<Point> {
    let far = APART * 1.6;
    let mut plot = vec![(-far, -far), (far, -far), (far, far), (-far, far)];
    for &(nx, ny) in near {
        let half = (nx * nx + ny * ny) / 2.0;
        let beyond = |(x, y): Point| x * nx + y * ny - half;
        let mut cut = Vec::with_capacity(plot.len() + 1);
        for (i, &a) in plot.iter().enumerate() {
            let b = plot[(i + 1) % plot.len()];
            let (da, db) = (beyond(a), beyond(b));
            if da <= 0.0 {
                cut.push(a);
            }
            if (da < 0.0) != (db < 0.0) && da != db {
                let t = da / (da - db);
                cut.push((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t));
            }
        }
        plot = cut;
    }
    plot
}

/// Three parallel strokes over a plot, each ending slightly past its border.
fn strokes(near: &[Point], angle: f32, seed: i64) -> Vec<[Point; 4]> {
    const BETWEEN: f32 = 0.082;
    const PAST: f32 = 0.022;
    const LONGEST: f32 = 0.21;
    const HALF_WIDTH: f32 = 0.0135;
    let mut chance = Scatter::new(&[0x57, seed]);
    let (ux, uy) = (angle.cos(), angle.sin());
    let (vx, vy) = (-uy, ux);
    let mut strokes = Vec::new();
    for side in [-1.0, 0.0, 1.0] {
        let shift = side * BETWEEN + chance.between(-0.006, 0.006);
        let (mut from, mut to) = (-LONGEST, LONGEST);
        for &(nx, ny) in near {
            let way = length((nx, ny));
            let border = way / 2.0 + PAST;
            // The distance along the stroke at which the border of the plot lies.
            let (slope, rest) = (
                (ux * nx + uy * ny) / way,
                border - shift * (vx * nx + vy * ny) / way,
            );
            if slope > 1e-4 {
                to = f32::min(to, rest / slope);
            } else if slope < -1e-4 {
                from = f32::max(from, rest / slope);
            }
        }
        from += chance.between(-0.012, 0.02);
        to += chance.between(-0.02, 0.012);
        if to - from < 0.09 {
            continue;
        }
        // The pen presses at the start and lifts at the end.
        let (wide, thin) = (HALF_WIDTH * chance.between(0.95, 1.2), HALF_WIDTH * 0.55);
        let point = |along: f32, off: f32| {
            (
                ux * along + vx * (shift + off),
                uy * along + vy * (shift + off),
            )
        };
        strokes.push([
            point(from, -wide),
            point(to, -thin),
            point(to, thin),
            point(from, wide),
        ]);
    }
    strokes
}

/// The vectors to all other points nearer than `within`, across the seam if shorter.
fn neighbours(points: &[Point], from: Point, within: f32) -> Vec<Point> {
    points
        .iter()
        .map(|&to| across(from, to))
        .filter(|&way| way != (0.0, 0.0) && length(way) < within)
        .collect()
}

/// The shortest vector from one point to another on the repeating square.
fn across(from: Point, to: Point) -> Point {
    let side = REPEAT as f32;
    let one = |d: f32| d - (d / side).round() * side;
    (one(to.0 - from.0), one(to.1 - from.1))
}

fn length((x, y): Point) -> f32 {
    (x * x + y * y).sqrt()
}
