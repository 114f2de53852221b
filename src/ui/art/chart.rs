//! Line charts.

use super::{
    canvas::{DrawnShape, Point, Sheet},
    palette::{self, Rgb},
};
use tiny_skia::Pixmap;

/// A curve of a share over time, both from 0 to 1.
pub struct Curve<'a> {
    /// Pairs of time and share, in the order of time.
    pub points: &'a [Point],
    /// The error margin, up or down.
    pub error: f32,
    /// The times at which rounds begin; every other round is shaded.
    pub stretches: &'a [f32],
    /// Times of notable events.
    pub notes: &'a [f32],
    /// The two points of the largest single change.
    pub swing: Option<(Point, Point)>,
}

/// Draws the curve at this size in screen pixels; `scale` is the number of screen
/// pixels per layout pixel.
pub fn curve(curve: &Curve, width_px: u32, height_px: u32, scale: f32) -> Pixmap {
    let mut sheet = Sheet::new(width_px, height_px, scale);
    let (width, height) = (width_px as f32 / scale, height_px as f32 / scale);
    let at = placed_in(width, height);
    ground(&mut sheet, curve.stretches, at);
    for &time in curve.notes {
        let line = [
            at((time, value_at(curve.points, time).unwrap_or(0.5))),
            (at((time, 0.0)).0, height),
        ];
        sheet.stroke_line(&line, 1.0, palette::INK.alpha(0.35));
    }
    let upper = curve.points.iter().map(|&(t, s)| at((t, s + curve.error)));
    let lower = curve.points.iter().map(|&(t, s)| at((t, s - curve.error)));
    let band: Vec<Point> = upper.chain(lower.rev()).collect();
    sheet.fill(&DrawnShape::polygon(&band), palette::BLUE.alpha(0.16));
    let line: Vec<Point> = curve.points.iter().map(|&point| at(point)).collect();
    sheet.stroke_line(&line, 2.4, palette::BLUE.solid());
    if let Some((from, to)) = curve.swing {
        let (from, to) = (at(from), at(to));
        let line = DrawnShape::polyline(&[from, to]);
        sheet.stroke(&line, 6.5, palette::INK.solid());
        sheet.stroke(&line, 4.0, palette::GOLD.solid());
        ends(&mut sheet, [from, to]);
    }
    axes(&mut sheet, at);
    sheet.pixmap
}

/// The place on a sheet of this size for a time and a share.
fn placed_in(width: f32, height: f32) -> impl Fn(Point) -> Point + Copy {
    // Space for what lies on the edge.
    let edge = 6.0;
    move |(time, share): Point| {
        let share = share.clamp(0.0, 1.0);
        (
            edge + time * (width - 2.0 * edge),
            edge + (1.0 - share) * (height - 2.0 * edge),
        )
    }
}

/// A dot at each end of a line.
fn ends(sheet: &mut Sheet, points: [Point; 2]) {
    for (x, y) in points {
        sheet.fill_circle(x, y, 4.6, palette::INK.solid());
        sheet.fill_circle(x, y, 2.8, palette::WHITE.solid());
    }
}

/// Shades every other stretch of time, and draws a line at one half.
fn ground(sheet: &mut Sheet, stretches: &[f32], at: impl Fn(Point) -> Point) {
    let (floor, ceiling) = (at((0.0, 0.0)).1, at((0.0, 1.0)).1);
    let ends = stretches.iter().skip(1).copied().chain([1.0]);
    for (n, (from, to)) in std::iter::zip(stretches.iter().copied(), ends).enumerate() {
        if n % 2 == 1 {
            let (left, right) = (at((from, 0.0)).0, at((to, 0.0)).0);
            let shade = DrawnShape::rect(left, ceiling, right - left, floor - ceiling);
            sheet.fill(&shade, palette::ROCK.alpha(0.45));
        }
    }
    let middle = DrawnShape::polyline(&[at((0.0, 0.5)), at((1.0, 0.5))]);
    sheet.dash(&middle, 1.0, palette::FADED_INK.alpha(0.6), &[4.0, 4.0]);
}

fn axes(sheet: &mut Sheet, at: impl Fn(Point) -> Point) {
    let ((left, floor), (_, ceiling)) = (at((0.0, 0.0)), at((0.0, 1.0)));
    let right = at((1.0, 0.0)).0;
    let axes = [(left, ceiling - 2.0), (left, floor), (right, floor)];
    sheet.stroke_line(&axes, 1.6, palette::INK.solid());
}

/// The win probability over a battle, with what changed it.
pub struct Judged<'a> {
    /// Time, win probability, its error margin, and whether an order led there;
    /// otherwise dice did.
    pub points: &'a [(f32, f32, f32, bool)],
    /// The times at which rounds begin; every other round is shaded.
    pub stretches: &'a [f32],
    pub mistakes: &'a [MistakeMark],
    /// Whether the points are final; otherwise their line is faint.
    pub is_final: bool,
}

/// A mistake on the curve.
pub struct MistakeMark {
    pub from: Point,
    pub to: Point,
    /// The win probability that the better order would have led to.
    pub better: f32,
    pub is_chosen: bool,
    pub ink: Rgb,
}

/// Draws the curve of a review at this size in screen pixels; `scale` is the number
/// of screen pixels per layout pixel.
pub fn judged(judged: &Judged, width_px: u32, height_px: u32, scale: f32) -> Pixmap {
    let mut sheet = Sheet::new(width_px, height_px, scale);
    let (width, height) = (width_px as f32 / scale, height_px as f32 / scale);
    let at = placed_in(width, height);
    ground(&mut sheet, judged.stretches, at);
    let upper = judged.points.iter().map(|p| at((p.0, p.1 + p.2)));
    let lower = judged.points.iter().map(|p| at((p.0, p.1 - p.2)));
    let band: Vec<Point> = upper.chain(lower.rev()).collect();
    if band.len() > 2 {
        sheet.fill(&DrawnShape::polygon(&band), palette::BLUE.alpha(0.16));
    }
    let ink = palette::BLUE.alpha(if judged.is_final { 1.0 } else { 0.3 });
    for pair in judged.points.windows(2) {
        let line = DrawnShape::polyline(&[at((pair[0].0, pair[0].1)), at((pair[1].0, pair[1].1))]);
        match pair[1].3 {
            true => sheet.stroke(&line, 2.6, ink),
            false => sheet.dash(&line, 2.0, ink, &[2.5, 3.0]),
        }
    }
    for mark in judged.mistakes {
        let (from, to) = (at(mark.from), at(mark.to));
        let line = DrawnShape::polyline(&[from, to]);
        if mark.is_chosen {
            sheet.stroke(&line, 8.0, palette::GOLD.solid());
            let better = at((mark.to.0, mark.better));
            let stub = DrawnShape::polyline(&[from, better]);
            sheet.dash(&stub, 2.4, palette::TEAL.solid(), &[4.0, 3.0]);
            sheet.fill_circle(better.0, better.1, 4.4, palette::TEAL.solid());
        }
        sheet.stroke(&line, 4.0, mark.ink.solid());
        ends(&mut sheet, [from, to]);
    }
    axes(&mut sheet, at);
    sheet.pixmap
}

/// Damage dealt and damage taken, as functions of a number that the player chooses.
pub struct Pair<'a> {
    /// The average damage dealt for each number, in ascending order.
    pub dealt: &'a [(i32, f32)],
    /// The average damage taken for each number, drawn dashed. May be empty.
    pub taken: &'a [(i32, f32)],
    /// The current number.
    pub now: i32,
}

/// Draws both lines at this size in screen pixels; `scale` is the number of screen
/// pixels per layout pixel.
pub fn pair(pair: &Pair, width_px: u32, height_px: u32, scale: f32) -> Pixmap {
    let mut sheet = Sheet::new(width_px, height_px, scale);
    let (width, height) = (width_px as f32 / scale, height_px as f32 / scale);
    let (Some(first), Some(last)) = (pair.dealt.first(), pair.dealt.last()) else {
        return sheet.pixmap;
    };
    let edge = 4.0;
    let all = pair.dealt.iter().chain(pair.taken);
    let most = all.map(|&(_, points)| points).fold(1.0, f32::max);
    let x = |n: i32| {
        let share = (n - first.0) as f32 / (last.0 - first.0).max(1) as f32;
        edge + share.clamp(0.0, 1.0) * (width - 2.0 * edge)
    };
    let y = |points: f32| height - edge - points / most * (height - 2.0 * edge);
    let axes = [
        (edge, edge),
        (edge, height - edge),
        (width - edge, height - edge),
    ];
    sheet.stroke_line(&axes, 1.2, palette::INK.solid());
    let now = DrawnShape::polyline(&[(x(pair.now), edge), (x(pair.now), height - edge)]);
    sheet.dash(&now, 1.2, palette::INK.alpha(0.7), &[3.0, 3.0]);
    for (points, ink, is_dashed) in [
        (pair.taken, palette::DANGER, true),
        (pair.dealt, palette::TEAL, false),
    ] {
        let line: Vec<Point> = points.iter().map(|&(n, of)| (x(n), y(of))).collect();
        let shape = DrawnShape::polyline(&line);
        match is_dashed {
            true => sheet.dash(&shape, 2.2, ink.solid(), &[5.0, 3.0]),
            false => sheet.stroke(&shape, 2.4, ink.solid()),
        }
        if let Some(of) = value_at(points, pair.now) {
            let dot = DrawnShape::circle(x(pair.now), y(of), 3.6);
            sheet.fill(&dot, ink.solid());
            sheet.stroke(&dot, 1.0, palette::INK.solid());
        }
    }
    sheet.pixmap
}

/// The value of a line at a number, interpolated between its points. `None` without
/// points.
pub fn value_at<N: Copy + PartialOrd + Into<f64>>(points: &[(N, f32)], now: N) -> Option<f32> {
    let after = points.partition_point(|&(n, _)| n < now);
    let to = points.get(after).or(points.last())?;
    let from = points.get(after.saturating_sub(1))?;
    let (first, last, now): (f64, f64, f64) = (from.0.into(), to.0.into(), now.into());
    if last <= first {
        return Some(to.1);
    }
    let share = ((now - first) / (last - first)).clamp(0.0, 1.0) as f32;
    Some(from.1 + (to.1 - from.1) * share)
}
