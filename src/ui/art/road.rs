//! The map of a Road run: one inked sheet with a winding road. Hills, woods and the
//! river depend on the run's seed, so each run has its own map.

use super::{
    canvas::{Shape, Sheet, Spot},
    lettering::{self, Face},
    noise::Scatter,
    palette::{self, Rgb},
    paper,
};
use tiny_skia::Pixmap;

/// Width and height of the sheet in drawing units.
pub const SIZE: Spot = (1000.0, 540.0);

/// The state of a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Won,
    Lost,
    /// The next stop. If there is a fork, it is drawn here instead.
    Next,
    Ahead,
}

/// A stop of the Road, with two lines of text.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    pub mark: Mark,
    pub name: String,
    pub note: String,
}

/// A branch of the fork: its letter, name and odds.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    pub letter: char,
    pub name: String,
    pub odds: String,
    /// The selected branch.
    pub is_picked: bool,
    pub ink: Rgb,
}

/// The content of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct RoadMap {
    pub seed: u64,
    pub stops: Vec<Stop>,
    /// The branches of the next stop.
    pub fork: Vec<Branch>,
    /// Colours of the squad's units.
    pub squad: Vec<Rgb>,
    /// The text size, as a factor of the standard size.
    pub letters: f32,
}

/// Draws the map; one unit of [`SIZE`] is `unit` pixels.
pub fn map(of: &RoadMap, unit: f32) -> Pixmap {
    let px = |units: f32| (units * unit).round() as u32;
    let mut sheet = Sheet::new(px(SIZE.0), px(SIZE.1), unit);
    paper::lay(&mut sheet.pixmap, 0, 0);
    let places = places(of.seed, of.stops.len());
    let branches = branches(of, &places);
    ground(&mut sheet, of, &places, &branches);
    roads(&mut sheet, of, &places, &branches);
    stops(&mut sheet, of, &places, &branches);
    frame(&mut sheet, of.seed);
    sheet.pixmap
}

/// The positions of the stops: from south-west to north-east, in bends.
fn places(seed: u64, count: usize) -> Vec<Spot> {
    let mut dice = Scatter::new(&[seed as i64, 1]);
    let start = dice.between(0.0, 1.2);
    let bend = dice.between(1.15, 1.5);
    let one = |n: usize| {
        let share = n as f32 / (count.max(2) - 1) as f32;
        let swing = (start + bend * n as f32).cos();
        let high = 110.0 * (1.0 - 0.45 * share);
        let x = 75.0 + 850.0 * share + dice.between(-12.0, 12.0);
        let y = 400.0 - 250.0 * share + high * swing + dice.between(-8.0, 8.0);
        (x.clamp(70.0, 930.0), y.clamp(80.0, 455.0))
    };
    (0..count).map(one).collect()
}

/// The index of the next stop.
fn next(of: &RoadMap) -> Option<usize> {
    of.stops.iter().position(|stop| stop.mark == Mark::Next)
}

/// The positions of the branches: above each other at the next stop.
fn branches(of: &RoadMap, places: &[Spot]) -> Vec<Spot> {
    let Some(at) = next(of) else { return vec![] };
    let (x, y) = places[at];
    let count = of.fork.len();
    let apart = 118.0;
    let first = y - apart * (count.max(1) - 1) as f32 / 2.0;
    let most = 455.0 - apart * (count.max(1) - 1) as f32;
    let first = first.clamp(80.0, most.max(80.0));
    (0..count)
        .map(|n| (x + 14.0 * (n % 2) as f32, first + apart * n as f32))
        .collect()
}

/// The squad's position: at the last stop reached, or before the first.
fn here(of: &RoadMap, places: &[Spot]) -> Option<Spot> {
    match next(of)? {
        0 => Some((places[0].0 - 40.0, (places[0].1 + 60.0).min(490.0))),
        n => Some(places[n - 1]),
    }
}

/// A curve between two places.
fn way(from: Spot, to: Spot, bow: f32) -> Shape {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let side = (-dy * bow, dx * bow);
    Shape::of(|pen| {
        pen.move_to(from.0, from.1);
        pen.cubic_to(
            from.0 + dx * 0.33 + side.0,
            from.1 + dy * 0.33 + side.1,
            from.0 + dx * 0.67 + side.0,
            from.1 + dy * 0.67 + side.1,
            to.0,
            to.1,
        );
    })
}

fn roads(sheet: &mut Sheet, of: &RoadMap, places: &[Spot], branches: &[Spot]) {
    let next = next(of).unwrap_or(places.len());
    let bow = |n: usize| if n.is_multiple_of(2) { 0.16 } else { -0.16 };
    let road = |sheet: &mut Sheet, shape: &Shape, face: Rgb, width: f32| {
        sheet.stroke(shape, width + 3.0, palette::INK.solid());
        sheet.stroke(shape, width, face.solid());
    };
    let done = palette::OCHRE.mix(palette::CARD, 0.55);
    for n in 1..places.len() {
        let shape = way(places[n - 1], places[n], bow(n));
        if n < next {
            road(sheet, &shape, done, 9.0);
            sheet.dots(&shape, 2.6, palette::OAK_DARK.solid(), 12.0);
        } else if n > next + usize::from(!branches.is_empty()) {
            sheet.stroke(&shape, 8.0, palette::FADED_INK.alpha(0.5));
            sheet.stroke(&shape, 6.0, palette::CARD.solid());
            sheet.dots(&shape, 2.4, palette::FADED_INK.solid(), 11.0);
        }
    }
    let Some(here) = here(of, places) else { return };
    for (n, &at) in branches.iter().enumerate() {
        let swing = if branches.len() == 1 {
            0.1
        } else {
            0.3 * (n as f32 - 0.5)
        };
        let shape = way(here, at, swing.clamp(-0.2, 0.2));
        let picked = of.fork[n].is_picked;
        let face = if picked { palette::GOLD } else { palette::CARD };
        road(sheet, &shape, face.mix(palette::CARD, 0.3), 9.0);
        sheet.dash(&shape, 2.0, palette::OAK_DARK.solid(), &[9.0, 6.0]);
        if let Some(&on) = places.get(next + 1) {
            let shape = way(at, on, -swing.clamp(-0.2, 0.2));
            sheet.stroke(&shape, 7.0, palette::FADED_INK.alpha(0.5));
            sheet.stroke(&shape, 5.0, palette::CARD.solid());
            sheet.dots(&shape, 2.2, palette::FADED_INK.solid(), 11.0);
        }
    }
}

/// A line of text on a pale background, so that it is readable over ink.
fn line(
    sheet: &mut Sheet,
    of: &RoadMap,
    (face, size): (Face, f32),
    words: &str,
    at: Spot,
    ink: Rgb,
) {
    let size = size * of.letters;
    let shape = lettering::centred(face, words, size, at.0, at.1);
    sheet.stroke(&shape, size * 0.30, palette::PAPER.alpha(0.9));
    sheet.fill(&shape, ink.solid());
}

fn disc(sheet: &mut Sheet, (x, y): Spot, radius: f32, face: Rgb, edge: Rgb) {
    sheet.fill(
        &Shape::circle(x + 1.5, y + 2.5, radius + 1.0),
        palette::INK.alpha(0.3),
    );
    sheet.fill(&Shape::circle(x, y, radius), edge.solid());
    sheet.stroke(&Shape::circle(x, y, radius), 1.6, palette::INK.solid());
    sheet.fill(&Shape::circle(x, y, radius - 4.0), face.solid());
    sheet.stroke(
        &Shape::circle(x, y, radius - 4.0),
        1.2,
        palette::INK.solid(),
    );
}

fn stops(sheet: &mut Sheet, of: &RoadMap, places: &[Spot], branches: &[Spot]) {
    let last = of.stops.len() - 1;
    for (n, (stop, &(x, y))) in of.stops.iter().zip(places).enumerate() {
        if stop.mark == Mark::Next && !branches.is_empty() {
            continue;
        }
        match stop.mark {
            Mark::Won => {
                disc(sheet, (x, y), 17.0, palette::TEAL, palette::GOLD);
                let tick = Shape::polyline(&[(x - 6.5, y), (x - 1.5, y + 5.5), (x + 7.5, y - 5.5)]);
                sheet.stroke(&tick, 3.2, palette::WHITE.solid());
            }
            Mark::Lost => {
                disc(sheet, (x, y), 17.0, palette::DANGER, palette::CARD);
                for side in [-1.0, 1.0] {
                    let bar =
                        Shape::polyline(&[(x - 5.0 * side, y - 5.0), (x + 5.0 * side, y + 5.0)]);
                    sheet.stroke(&bar, 3.2, palette::WHITE.solid());
                }
            }
            Mark::Next | Mark::Ahead if n == last => keep(sheet, (x, y)),
            Mark::Next | Mark::Ahead => {
                disc(sheet, (x, y), 15.0, palette::CARD_ACTIVE, palette::STONE);
                line(
                    sheet,
                    of,
                    (Face::Bold, 14.0),
                    &(n + 1).to_string(),
                    (x, y),
                    palette::FADED_INK,
                );
            }
        }
        let below = if n == last { 46.0 } else { 30.0 };
        let ink = if stop.mark == Mark::Ahead {
            palette::FADED_INK
        } else {
            palette::INK
        };
        let ink = if n == last { palette::DANGER } else { ink };
        let middle = x.clamp(84.0, SIZE.0 - 84.0);
        let next_line = 15.0 * of.letters;
        line(
            sheet,
            of,
            (Face::Bold, 14.0),
            &stop.name,
            (middle, y + below),
            ink,
        );
        line(
            sheet,
            of,
            (Face::Italic, 12.5),
            &stop.note,
            (middle, y + below + next_line),
            palette::FADED_INK,
        );
    }
    if let Some((x, y)) = here(of, places) {
        let count = of.squad.len();
        for (n, ink) in of.squad.iter().enumerate() {
            let at = x + (n as f32 - (count as f32 - 1.0) / 2.0) * 17.0;
            disc(sheet, (at, y - 30.0), 9.5, *ink, palette::CARD_ACTIVE);
        }
        if next(of) == Some(0) {
            line(
                sheet,
                of,
                (Face::Italic, 12.5),
                "you are here",
                (x.max(60.0), y - 10.0),
                palette::INK,
            );
        }
    }
    for (branch, &at) in of.fork.iter().zip(branches) {
        let edge = if branch.is_picked {
            palette::GOLD
        } else {
            palette::STONE
        };
        disc(sheet, at, 22.0, palette::CARD_ACTIVE, edge);
        line(
            sheet,
            of,
            (Face::Bold, 19.0),
            &branch.letter.to_string(),
            at,
            palette::INK,
        );
        let (x, y) = (at.0.clamp(84.0, SIZE.0 - 84.0), at.1 - 49.0);
        let width = (26.0 + 6.6 * branch.name.chars().count().max(12) as f32) * of.letters;
        let flag = Shape::rounded(x - width / 2.0, y - 18.0, width, 38.0, 5.0);
        sheet.fill(&flag, palette::CARD_ACTIVE.solid());
        sheet.stroke(&flag, 1.8, edge.mix(palette::INK, 0.2).solid());
        line(
            sheet,
            of,
            (Face::Bold, 14.0),
            &branch.name,
            (x, y - 8.0),
            palette::INK,
        );
        line(
            sheet,
            of,
            (Face::Bold, 13.5),
            &branch.odds,
            (x, y + 9.0),
            branch.ink,
        );
    }
}

/// A castle keep with a flag.
fn keep(sheet: &mut Sheet, (x, y): Spot) {
    let ink = palette::INK.solid();
    let stone = palette::STONE.solid();
    for (left, top, wide) in [
        (-26.0, -12.0, 14.0),
        (12.0, -12.0, 14.0),
        (-13.0, -28.0, 26.0),
    ] {
        let mut spots = vec![(x + left, y + 28.0), (x + left, y + top)];
        let tooth = wide / 5.0;
        for n in 0..5 {
            let up = if n % 2 == 0 { -6.0 } else { 0.0 };
            let from = x + left + tooth * n as f32;
            spots.extend([(from, y + top + up), (from + tooth, y + top + up)]);
        }
        spots.push((x + left + wide, y + 28.0));
        let tower = Shape::polygon(&spots);
        sheet.fill(&tower, stone);
        sheet.stroke(&tower, 1.8, ink);
    }
    let gate = Shape::of(|pen| {
        pen.move_to(x - 6.0, y + 28.0);
        pen.line_to(x - 6.0, y + 14.0);
        pen.quad_to(x, y + 4.0, x + 6.0, y + 14.0);
        pen.line_to(x + 6.0, y + 28.0);
        pen.close();
    });
    sheet.fill(&gate, ink);
    sheet.stroke(&Shape::polyline(&[(x, y - 34.0), (x, y - 54.0)]), 1.8, ink);
    let flag = Shape::polygon(&[(x, y - 54.0), (x + 17.0, y - 49.0), (x, y - 43.0)]);
    sheet.fill(&flag, palette::DANGER.solid());
    sheet.stroke(&flag, 1.4, ink);
}

/// The river, hills, woods and mountains, away from the road.
fn ground(sheet: &mut Sheet, of: &RoadMap, places: &[Spot], branches: &[Spot]) {
    let mut dice = Scatter::new(&[of.seed as i64, 2]);
    river(sheet, &mut dice);
    // One feature per cell of a grid, except near the road and its labels.
    let mut busy: Vec<(Spot, f32)> = vec![];
    for pair in places.windows(2) {
        for t in 0..=6 {
            let t = t as f32 / 6.0;
            let mix = |a: f32, b: f32| a + (b - a) * t;
            busy.push(((mix(pair[0].0, pair[1].0), mix(pair[0].1, pair[1].1)), 46.0));
        }
    }
    busy.extend(places.iter().map(|&(x, y)| ((x, y + 34.0), 64.0)));
    busy.extend(branches.iter().map(|&(x, y)| ((x, y - 30.0), 88.0)));
    busy.extend(here(of, places).map(|at| (at, 60.0)));
    busy.push(((930.0, 470.0), 60.0));
    let is_free = |(x, y): Spot| busy.iter().all(|((a, b), far)| (x - a).hypot(y - b) > *far);
    let woods = dice.between(0.25, 0.5);
    let mut spots: Vec<(Spot, f32)> = vec![];
    for row in 0..11 {
        for column in 0..15 {
            let x = 45.0 + 66.0 * column as f32 + dice.between(-26.0, 26.0);
            let y = 50.0 + 44.0 * row as f32 + dice.between(-14.0, 14.0);
            spots.push(((x, y), dice.unit()));
        }
    }
    spots.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    for ((x, y), kind) in spots {
        let size = dice.between(0.8, 1.15);
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

fn river(sheet: &mut Sheet, dice: &mut Scatter) {
    let top = dice.between(330.0, 620.0);
    let swing = dice.between(-90.0, 90.0);
    let bank = |by: f32| {
        Shape::of(|pen| {
            pen.move_to(top + by, -10.0);
            pen.cubic_to(
                top - 70.0 + by,
                150.0,
                top + swing + 60.0 + by,
                300.0,
                top + swing + by,
                560.0,
            );
        })
    };
    sheet.stroke(&bank(0.0), 40.0, palette::INK.alpha(0.75));
    sheet.stroke(&bank(0.0), 36.0, palette::WATER.solid());
    for by in [-9.0, 0.0, 9.0] {
        sheet.dash(
            &bank(by),
            1.3,
            palette::WATER_INK.alpha(0.8),
            &[14.0, 12.0 + by.abs()],
        );
    }
}

fn hill(sheet: &mut Sheet, (x, y): Spot, size: f32) {
    let shape = Shape::of(|pen| {
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
        let hatch = Shape::polyline(&[(at, top), (at - 4.0 * size, top + 11.0 * size)]);
        sheet.stroke(&hatch, 0.9, palette::INK.alpha(0.8));
    }
}

fn mountain(sheet: &mut Sheet, (x, y): Spot, size: f32) {
    let peak = (x + 3.0 * size, y - 52.0 * size);
    let shape = Shape::polygon(&[
        (x - 32.0 * size, y),
        (x - 12.0 * size, y - 32.0 * size),
        peak,
        (x + 17.0 * size, y - 27.0 * size),
        (x + 34.0 * size, y),
    ]);
    sheet.fill(&shape, palette::STONE.solid());
    let ridge = Shape::polyline(&[
        (x - 32.0 * size, y),
        (x - 12.0 * size, y - 32.0 * size),
        peak,
        (x + 17.0 * size, y - 27.0 * size),
        (x + 34.0 * size, y),
    ]);
    sheet.stroke(&ridge, 1.7, palette::INK.solid());
    for n in 0..5 {
        let share = n as f32 / 5.0;
        let from = (
            peak.0 + 3.0 * size + 20.0 * share * size,
            peak.1 + 12.0 * size + 34.0 * share * size,
        );
        let hatch = Shape::polyline(&[from, (from.0 - 7.0 * size, from.1 + 13.0 * size)]);
        sheet.stroke(&hatch, 0.9, palette::INK.alpha(0.8));
    }
}

fn tree(sheet: &mut Sheet, (x, y): Spot, size: f32) {
    let trunk = Shape::polyline(&[(x, y), (x, y - 10.0 * size)]);
    sheet.stroke(&trunk, 2.2, palette::INK.solid());
    let crown = Shape::circle(x, y - 17.0 * size, 9.5 * size);
    sheet.fill(&crown, palette::OLIVE.mix(palette::PAPER, 0.55).solid());
    sheet.stroke(&crown, 1.4, palette::INK.solid());
    sheet.stroke(
        &Shape::arc(x, y - 17.0 * size, 5.5 * size, 0.0, 90.0),
        0.9,
        palette::INK.alpha(0.7),
    );
}

fn pine(sheet: &mut Sheet, (x, y): Spot, size: f32) {
    sheet.stroke(
        &Shape::polyline(&[(x, y), (x, y - 6.0)]),
        2.0,
        palette::INK.solid(),
    );
    let crown = Shape::polygon(&[
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
            &Shape::polyline(&[(x, at), (x + wide, at + 2.5)]),
            0.9,
            palette::INK.alpha(0.8),
        );
    }
}

fn grass(sheet: &mut Sheet, (x, y): Spot) {
    for lean in [-3.5, 0.0, 3.5] {
        let blade = Shape::polyline(&[(x + lean * 0.5, y), (x + lean * 1.3, y - 7.0)]);
        sheet.stroke(&blade, 1.0, palette::INK.alpha(0.6));
    }
}

fn compass(sheet: &mut Sheet, (x, y): Spot) {
    let ink = palette::INK.solid();
    sheet.stroke(&Shape::circle(x, y, 27.0), 1.2, ink);
    sheet.stroke(&Shape::circle(x, y, 23.0), 0.8, ink);
    for n in 0..8 {
        let turn = (n as f32 * 45.0).to_radians();
        let long = if n % 2 == 0 { 36.0 } else { 18.0 };
        let tip = (x + long * turn.sin(), y - long * turn.cos());
        let side = |by: f32| {
            let turn = turn + by;
            (x + 6.0 * turn.sin(), y - 6.0 * turn.cos())
        };
        let left = Shape::polygon(&[(x, y), side(-0.8), tip]);
        let right = Shape::polygon(&[(x, y), side(0.8), tip]);
        sheet.fill(&left, palette::CARD_ACTIVE.solid());
        sheet.fill(&right, ink);
        sheet.stroke(&left, 0.8, ink);
    }
}

/// An ink border, slightly uneven.
fn frame(sheet: &mut Sheet, seed: u64) {
    let mut dice = Scatter::new(&[seed as i64, 3]);
    let mut spots = vec![];
    let (right, bottom) = (SIZE.0 - 3.0, SIZE.1 - 3.0);
    let corners = [(3.0, 3.0), (right, 3.0), (right, bottom), (3.0, bottom)];
    for n in 0..4 {
        let (from, to): (Spot, Spot) = (corners[n], corners[(n + 1) % 4]);
        for step in 0..28 {
            let t = step as f32 / 28.0;
            let mut off = |by: f32| by + dice.between(-1.6, 1.6);
            let at = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            spots.push((off(at.0), off(at.1)));
        }
    }
    sheet.stroke(&Shape::polygon(&spots), 2.4, palette::INK.solid());
}
