//! The layer above the tiles: opaque paper and rock where there is no floor, and only
//! lines over the floor.

use std::collections::HashMap;

use tiny_skia::{BlendMode, PathBuilder, Transform};

use crate::grid::{Axis, Block, Feature};
use crate::ui::art::canvas::{
    DrawnShape, Point, Sheet, Stamp, push_polygon, push_polyline, push_rect,
};
use crate::ui::art::hatch::{self, Bundle};
use crate::ui::art::lettering::{self, Typeface};
use crate::ui::art::noise::Scatter;
use crate::ui::art::palette::{self, INK};
use crate::ui::art::paper;
use crate::ui::art::plan::{BoardPlan, CELL_FT};

use super::area::{DrawnArea, Picture};
use super::tiles;

/// Width of a wall's outline in cells: 3.4 px on a cell of 48 px.
const OUTLINE: f32 = 0.071;
/// Width of the hatched band along a wall's outline, in cells.
const BAND: f32 = 0.5;

/// The ink over part of a map. Transparent where the floor shows through.
pub fn ink(plan: &BoardPlan, cell_px: u32, area: DrawnArea) -> Picture {
    area.draw(cell_px, |sheet| {
        let (left, top, ..) = area.pixels(cell_px);
        paper::lay(&mut sheet.pixmap, left, top);
        hatching(sheet, plan, area, cell_px);
        let walls = outline(plan, area);
        sheet.blend(BlendMode::DestinationOut);
        sheet.fill(&openings(plan, area), INK.solid());

        // From here on, only the floor is still transparent. What is drawn underneath
        // therefore shows on the floor only; the first drawing lies on top.
        sheet.blend(BlendMode::DestinationOver);
        ledges(sheet, plan, area);
        shores(sheet, plan, area);
        grid(sheet, plan, area, cell_px);
        for (wide, strength) in [(0.12, 0.07), (0.20, 0.045), (0.30, 0.035), (0.42, 0.025)] {
            sheet.stroke(&walls, wide, INK.alpha(strength));
        }

        sheet.blend(BlendMode::SourceOver);
        blocks(sheet, plan, area);
        sheet.stroke(&walls, OUTLINE.max(1.4 / cell_px as f32), INK.solid());
        heights(sheet, plan, area, cell_px);
    })
}

/// The band of hatching: every bundle whose middle is rock near a floor, each on its
/// own patch of ground.
fn hatching(sheet: &mut Sheet, plan: &BoardPlan, area: DrawnArea, cell_px: u32) {
    // Each map uses another part of the pattern.
    let (east, south) = ((plan.seed() % 97) as i32, (plan.seed() / 97 % 97) as i32);
    let mut taken = Vec::new();
    for (x, y) in area.cells(1).filter(|&(x, y)| near_floor(plan, x, y)) {
        for bundle in hatch::bundles(x + east, y + south) {
            let (dx, dy) = in_cell(bundle);
            if in_band(plan, (x as f32 + dx, y as f32 + dy)) {
                taken.push((x, y, bundle));
            }
        }
    }
    // A bundle repeats, always at the same position in its cell. Draw each one once
    // and stamp it wherever it appears.
    let pen = INK.mix(palette::ROCK, 0.08);
    let (left, top, ..) = area.pixels(cell_px);
    for (colour, shape) in [
        (palette::ROCK, ground as fn(&Bundle) -> DrawnShape),
        (pen, strokes),
    ] {
        let mut stamps: HashMap<usize, Option<Stamp>> = HashMap::new();
        for &(x, y, bundle) in &taken {
            let stamp = stamps.entry(bundle.index);
            let stamp = stamp.or_insert_with(|| Stamp::new(&shape(bundle), cell_px as f32));
            if let Some(stamp) = stamp {
                let (x, y) = (x * cell_px as i32 - left, y * cell_px as i32 - top);
                stamp.draw_on(&mut sheet.pixmap, x, y, colour);
            }
        }
    }
}

/// A bundle's middle, in cells from the corner of its cell.
fn in_cell(bundle: &Bundle) -> Point {
    let (x, y) = bundle.middle;
    (x.rem_euclid(1.0), y.rem_euclid(1.0))
}

/// A bundle's patch of ground, in cells from the corner of its cell.
fn ground(bundle: &Bundle) -> DrawnShape {
    let (x, y) = in_cell(bundle);
    // Slightly enlarged, so that neighbours overlap without a seam.
    let plot = bundle.plot.iter();
    let points = plot.map(|&(dx, dy)| (x + dx * 1.06, y + dy * 1.06));
    DrawnShape::polygon(&points.collect::<Vec<_>>())
}

/// A bundle's strokes, in cells from the corner of its cell.
fn strokes(bundle: &Bundle) -> DrawnShape {
    let (x, y) = in_cell(bundle);
    DrawnShape::of(|pen| {
        for stroke in &bundle.strokes {
            push_polygon(pen, &stroke.map(|(dx, dy)| (x + dx, y + dy)));
        }
    })
}

/// Whether the cell or one of its eight neighbours is floor, so that hatching can
/// reach into it.
fn near_floor(plan: &BoardPlan, x: i32, y: i32) -> bool {
    (-1..=1).any(|dy| (-1..=1).any(|dx| plan.is_floor(x + dx, y + dy)))
}

/// Whether a point of rock is hatched: near a floor, or in a gap between hatched
/// bands that is too small to stay bare. Bare paper must fit a disc with a radius of
/// a third of a cell.
fn in_band(plan: &BoardPlan, (x, y): Point) -> bool {
    const DISC: f32 = 0.33;
    if to_floor(plan, (x, y)) <= BAND {
        return true;
    }
    let bare = |point: Point| to_floor(plan, point) >= BAND + DISC;
    let round = |step: i32| (step as f32 * std::f32::consts::TAU / 16.0).sin_cos();
    let mut discs = (0..16)
        .map(round)
        .map(|(s, c)| (x + DISC * c, y + DISC * s));
    !bare((x, y)) && !discs.any(bare)
}

/// The distance from a point to the nearest floor, in cells. A large number if it is
/// more than one cell.
fn to_floor(plan: &BoardPlan, (x, y): Point) -> f32 {
    let (cx, cy) = (x.floor() as i32, y.floor() as i32);
    let mut least = f32::MAX;
    for (i, j) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (cx + dx, cy + dy))) {
        if plan.is_floor(i, j) {
            let off = |v: f32, low: i32| (low as f32 - v).max(v - (low + 1) as f32).max(0.0);
            least = least.min(off(x, i).hypot(off(y, j)));
        }
    }
    least
}

/// The area where tiles show: floors, and the openings in walls with their stone
/// frame.
fn openings(plan: &BoardPlan, area: DrawnArea) -> DrawnShape {
    DrawnShape::of(|pen| {
        for (x, y) in area.cells(1) {
            let (fx, fy) = (x as f32, y as f32);
            if plan.is_floor(x, y) {
                push_rect(pen, [fx, fy, fx + 1.0, fy + 1.0]);
            } else if let Some(opening) = tiles::opening(plan, (x, y)) {
                let [west, north, east, south] = opening.frame();
                push_rect(pen, [fx + west, fy + north, fx + east, fy + south]);
            }
        }
    })
}

/// The walls' outline: lines between floor and rock, with a gap at each opening.
fn outline(plan: &BoardPlan, area: DrawnArea) -> DrawnShape {
    let mut pen = PathBuilder::new();
    for (x, y) in area.cells(1) {
        for (other, axis) in [((x - 1, y), Axis::X), ((x, y - 1), Axis::Y)] {
            let wall = match (plan.is_floor(x, y), plan.is_floor(other.0, other.1)) {
                (true, false) => other,
                (false, true) => (x, y),
                _ => continue,
            };
            // The parts of this cell side that are not interrupted by the opening.
            let gap = tiles::opening(plan, wall).and_then(|opening| opening.gap(axis));
            let [from, to] = gap.unwrap_or([0.5, 0.5]);
            for (start, end) in [(0.0, from), (to, 1.0)] {
                let at = |along: f32| match axis {
                    Axis::X => (x as f32, y as f32 + along),
                    Axis::Y => (x as f32 + along, y as f32),
                };
                push_polyline(&mut pen, &[at(start), at(end)]);
            }
        }
    }
    DrawnShape(pen.finish())
}

/// Grid lines between floor cells, aligned to whole pixels.
fn grid(sheet: &mut Sheet, plan: &BoardPlan, area: DrawnArea, cell_px: u32) {
    let thick = (cell_px as f32 / 48.0).round().max(1.0) / cell_px as f32;
    let lines = DrawnShape::of(|pen| {
        for (x, y) in area.cells(1).filter(|&(x, y)| plan.is_floor(x, y)) {
            let (fx, fy) = (x as f32, y as f32);
            if plan.is_floor(x - 1, y) {
                push_rect(pen, [fx, fy, fx + thick, fy + 1.0]);
            }
            if plan.is_floor(x, y - 1) {
                push_rect(pen, [fx, fy, fx + 1.0, fy + thick]);
            }
        }
    });
    // On tiny cells the lines would hide everything else.
    let strength = palette::GRID_ALPHA * (cell_px as f32 / 24.0).min(1.0);
    sheet.fill(&lines, INK.alpha(strength));
}

/// The coordinate frame of one side of a cell: the side lies on the x axis from 0 to
/// 1, with the neighbouring cell at positive y.
fn side_frame(x: i32, y: i32, side: (i32, i32)) -> Transform {
    let (fx, fy) = (x as f32, y as f32);
    match side {
        (1, 0) => Transform::from_row(0.0, 1.0, 1.0, 0.0, fx + 1.0, fy),
        (-1, 0) => Transform::from_row(0.0, 1.0, -1.0, 0.0, fx, fy),
        (0, 1) => Transform::from_row(1.0, 0.0, 0.0, 1.0, fx, fy + 1.0),
        _ => Transform::from_row(1.0, 0.0, 0.0, -1.0, fx, fy),
    }
}

const SIDES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// A line where the floor drops, with ticks on the low side: the deeper the drop, the
/// longer and closer the ticks. Steps in the middle if it can be climbed.
fn ledges(sheet: &mut Sheet, plan: &BoardPlan, area: DrawnArea) {
    let floor = |x: i32, y: i32| plan.tile(x, y).filter(|_| plan.is_floor(x, y));
    for (x, y) in area.cells(1) {
        let Some(high) = floor(x, y) else { continue };
        for (dx, dy) in SIDES {
            let Some(low) = floor(x + dx, y + dy) else {
                continue;
            };
            let drop = i32::from(high.floor) - i32::from(low.floor);
            if drop <= 0 {
                continue;
            }
            let seed = [i64::from(x), i64::from(y), i64::from(dx), i64::from(dy)];
            let climbed = drop > 2 && (high.climbable || low.climbable);
            let frame = side_frame(x, y, (dx, dy));
            sheet.within(frame, |sheet| {
                ledge(sheet, drop, climbed, Scatter::new(&seed))
            });
        }
    }
}

fn ledge(sheet: &mut Sheet, drop: i32, climbed: bool, mut chance: Scatter) {
    let (ticks, length, line) = match drop {
        ..=2 => (6, 0.09, 0.026),
        3..=5 => (9, 0.16, 0.036),
        6..=10 => (11, 0.22, 0.044),
        _ => (13, 0.30, 0.052),
    };
    let shape = DrawnShape::of(|pen| {
        for i in 0..ticks {
            let along = (i as f32 + 0.5) / ticks as f32 + chance.between(-0.008, 0.008);
            let reach = if i % 2 == 0 { length } else { length * 0.6 } * chance.between(0.88, 1.12);
            let lean = chance.between(-0.012, 0.012);
            let half = 0.0155;
            if climbed && (along - 0.5).abs() < 0.2 {
                continue;
            }
            let tick = [
                (along - half, 0.0),
                (along + half, 0.0),
                (along + lean + half * 0.5, reach),
                (along + lean - half * 0.5, reach),
            ];
            push_polygon(pen, &tick);
        }
    });
    if climbed {
        for (y, half) in [(0.09, 0.15), (0.17, 0.12), (0.25, 0.09)] {
            sheet.stroke_line(&[(0.5 - half, y), (0.5 + half, y)], 0.036, INK.solid());
        }
    }
    sheet.stroke_butt(
        &DrawnShape::polyline(&[(-line / 2.0, 0.0), (1.0 + line / 2.0, 0.0)]),
        line,
        INK.solid(),
    );
    sheet.fill(&shape, INK.alpha(0.85));
    // The high side casts a slight shadow on the low side.
    if drop > 2 {
        for (wide, strength) in [(0.10, 0.06), (0.22, 0.05)] {
            sheet.fill_rect(0.0, 0.0, 1.0, wide, INK.alpha(strength));
        }
    }
}

/// A line where water meets dry floor, and a broken line inside it.
fn shores(sheet: &mut Sheet, plan: &BoardPlan, area: DrawnArea) {
    let wet = |x: i32, y: i32| plan.tile(x, y).is_some_and(|tile| tile.water);
    let shore = |x: i32, y: i32, is_wet: bool| plan.is_floor(x, y) && wet(x, y) == is_wet;
    for (x, y) in area.cells(1).filter(|&(x, y)| shore(x, y, false)) {
        let waters = SIDES.into_iter();
        for (dx, dy) in waters.filter(|&(dx, dy)| shore(x + dx, y + dy, true)) {
            let mut chance =
                Scatter::new(&[3, i64::from(x), i64::from(y), i64::from(dx), i64::from(dy)]);
            sheet.within(side_frame(x, y, (dx, dy)), |sheet| {
                sheet.stroke_line(&[(0.0, 0.0), (1.0, 0.0)], 0.036, palette::WATER_INK.solid());
                let from = chance.between(0.08, 0.3);
                let to = chance.between(0.65, 0.95);
                let inner = DrawnShape::polyline(&[(from, 0.085), (to, 0.085)]);
                sheet.stroke(&inner, 0.022, palette::WATER_INK.alpha(0.6));
            });
        }
    }
}

/// Solids that the level defines, from above: hatched if a unit cannot look over
/// them, dressed stone if they are low, dashed if a unit can pass beneath.
fn blocks(sheet: &mut Sheet, plan: &BoardPlan, area: DrawnArea) {
    for (x, y) in area.cells(0) {
        let Some(tile) = plan.tile(x, y) else {
            continue;
        };
        let Feature::Blocks(blocks) = &tile.feature else {
            continue;
        };
        for block in blocks {
            sheet.within(Transform::from_translate(x as f32, y as f32), |sheet| {
                draw_block(sheet, block, tile.floor)
            });
        }
    }
}

fn draw_block(sheet: &mut Sheet, block: &Block, floor: i16) {
    let [min, max] = block.feet();
    // Heights in feet above the floor of the cell.
    let [low, high] = [min, max].map(|end| (end[2] - f64::from(floor)) as f32);
    let ft = |feet: f64| feet as f32 / CELL_FT;
    let (left, top) = (ft(min[0]), ft(min[1]));
    let (width, height) = (ft(max[0]) - left, ft(max[1]) - top);
    let body = DrawnShape::rect(left, top, width, height);
    let line = 0.04;
    if low > 0.0 {
        sheet.fill(&body, palette::STONE_LIGHT.alpha(0.55));
        sheet.dash(&body, line, INK.alpha(0.85), &[0.09, 0.06]);
        return;
    }
    if high >= 6.0 {
        sheet.fill(&body, palette::ROCK.solid());
        sheet.fill(&diagonals(left, top, width, height, 0.1), INK.alpha(0.8));
    } else {
        sheet.fill(&body, palette::STONE.solid());
        // The upper face, slightly inset: the higher the block, the larger the inset.
        let inset = (0.02 * high).min(width.min(height) * 0.2);
        let face = DrawnShape::rect(
            left + inset,
            top + inset,
            width - 2.0 * inset,
            height - 2.0 * inset,
        );
        sheet.fill(&face, palette::STONE_LIGHT.solid());
        sheet.stroke(&face, 0.018, INK.alpha(0.6));
    }
    sheet.stroke(&body, line, INK.solid());
}

/// Parallel strokes across a rectangle, from lower left to upper right.
pub(super) fn diagonals(left: f32, top: f32, width: f32, height: f32, apart: f32) -> DrawnShape {
    let half = 0.012;
    DrawnShape::of(|pen| {
        let mut sum = apart * 0.5;
        while sum < width + height {
            // The end points of the line x + y = sum within the rectangle.
            let (x0, y0) = if sum <= height {
                (0.0, sum)
            } else {
                (sum - height, height)
            };
            let (x1, y1) = if sum <= width {
                (sum, 0.0)
            } else {
                (width, sum - width)
            };
            let (x0, y0, x1, y1) = (left + x0, top + y0, left + x1, top + y1);
            let stroke = [
                (x0 - half, y0 - half),
                (x1 - half, y1 - half),
                (x1 + half, y1 + half),
                (x0 + half, y0 + half),
            ];
            push_polygon(pen, &stroke);
            sum += apart;
        }
    })
}

/// Writes the height once on every connected area of floor that is not at height 0.
fn heights(sheet: &mut Sheet, plan: &BoardPlan, area: DrawnArea, cell_px: u32) {
    // Small cells get relatively larger text, down to the size where it is illegible.
    let size = (11.0 / cell_px as f32).clamp(0.29, 0.44);
    if size * (cell_px as f32) < 8.0 {
        return;
    }
    let ground = plan.ground_level();
    for &(x, y, floor) in plan.heights() {
        // Letters may hang down into the next cell.
        if !area.grown(1.0).touches(x, y) {
            continue;
        }
        let sign = if floor > 0 { "+" } else { "\u{2212}" };
        let set = lettering::text(Typeface::Italic, &format!("{sign}{} ft", floor.abs()), size);
        // Leave space for the ticks of the ledge beside a higher neighbour.
        let higher = |x, y| {
            plan.is_floor(x, y)
                && plan
                    .tile(x, y)
                    .is_some_and(|tile| i32::from(tile.floor) > floor)
        };
        let right = if higher(x + 1, y) { 0.74 } else { 0.93 };
        let base = if higher(x, y + 1) { 0.64 } else { 0.87 };
        let scale = ((right - 0.03) / set.width).min(1.0);
        let (right, base) = (x as f32 + right, y as f32 + base);
        let place =
            Transform::from_translate(right - set.width * scale, base).pre_scale(scale, scale);
        let shape = set.shape.placed(place);
        let tone = tiles::tone(floor - ground);
        sheet.stroke(&shape, 0.10, tone.alpha(0.9));
        let is_clear = tone.contrast(palette::FADED_INK) > 4.5;
        let faded = if is_clear { palette::FADED_INK } else { INK };
        sheet.fill(&shape, faded.solid());
    }
}
