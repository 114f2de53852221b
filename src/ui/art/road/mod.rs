//! The map of a run: an ink drawing of a winding road. Hills, woods and the river are
//! generated from the run's seed, so each run has its own map.

pub mod labels;
mod scenery;

use labels::{Label, LabelArea, LabelLine};

use super::{
    canvas::{DrawnShape, Point, Sheet},
    lettering::{self, Typeface},
    noise::Scatter,
    palette::{self, Rgb},
    paper,
};
use tiny_skia::Pixmap;

/// Width and height of the sheet in drawing units.
pub const SIZE: Point = (1000.0, 540.0);

/// The state of a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopState {
    Won,
    Lost,
    /// The next stop; the fork is drawn in its place.
    Next,
    Ahead,
}

/// A stop on the road, with two lines of text.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    pub mark: StopState,
    pub name: String,
    pub note: String,
}

/// A way of the fork: letter, name and odds.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    pub letter: char,
    pub name: String,
    pub odds: String,
    /// The way is selected.
    pub is_picked: bool,
    pub ink: Rgb,
}

impl Branch {
    /// The colour of its edge.
    fn edge(&self) -> Rgb {
        match self.is_picked {
            true => palette::GOLD,
            false => palette::STONE,
        }
    }
}

/// The content of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct RoadMap {
    pub seed: u64,
    pub stops: Vec<Stop>,
    /// The ways to the next stop.
    pub fork: Vec<Branch>,
    /// Colours of the squad's units.
    pub squad: Vec<Rgb>,
    /// The text size, as a factor of the standard size.
    pub text_scale: f32,
}

/// Draws the map; `unit` is the number of pixels per drawing unit of [`SIZE`].
pub fn map(of: &RoadMap, unit: f32) -> Pixmap {
    let px = |units: f32| (units * unit).round() as u32;
    let mut sheet = Sheet::new(px(SIZE.0), px(SIZE.1), unit);
    paper::lay(&mut sheet.pixmap, 0, 0);
    sheet.fill_rect(0.0, 0.0, SIZE.0, SIZE.1, palette::CARD_ACTIVE.alpha(0.5));
    let layout = RoadLayout::new(of);
    let written: Vec<LabelArea> = layout.areas.iter().chain(&layout.taken).copied().collect();
    scenery::ground(&mut sheet, of.seed, &layout.road, &written);
    let (ways, river) = (&layout.ways, scenery::river_points(of.seed));
    ways.iter().for_each(|way| way.draw(&mut sheet));
    ways.iter().for_each(|way| way.bridge(&mut sheet, &river));
    stops(&mut sheet, of, &layout);
    for (label, area) in layout.labels.iter().zip(&layout.areas) {
        label.draw(&mut sheet, of.text_scale, area);
    }
    frame(&mut sheet, of.seed);
    sheet.pixmap
}

/// The positions of everything on a map.
struct RoadLayout {
    places: Vec<Point>,
    branches: Vec<Point>,
    squad: Vec<Point>,
    ways: Vec<RoadSection>,
    /// Points along the road.
    road: Vec<Point>,
    /// Areas that labels must avoid.
    taken: Vec<LabelArea>,
    labels: Vec<Label>,
    /// The areas of the labels, in their order.
    areas: Vec<LabelArea>,
}

impl RoadLayout {
    fn new(of: &RoadMap) -> Self {
        let places = places(of.seed, of.stops.len());
        let branches = branches(of, &places);
        let squad = squad(of, &places);
        let ways = ways(of, &places, &branches);
        let road: Vec<Point> = ways.iter().flat_map(RoadSection::points).collect();
        let (hidden, last) = (hidden(of), places.len() - 1);
        let area = |(n, at): (usize, &Point)| match n == last {
            true => LabelArea::round(keep_middle(*at), KEEP.0, KEEP.1),
            false => disc_area(*at, STOP),
        };
        let stops = places.iter().enumerate();
        let stops = stops.filter(|(n, _)| Some(*n) != hidden).map(area);
        let fork = branches.iter().map(|at| disc_area(*at, FORK));
        let units = squad.iter().map(|at| disc_area(*at, UNIT));
        let all = stops.chain(fork).chain(units);
        let taken: Vec<LabelArea> = all.chain([scenery::COMPASS]).collect();
        let labels = labels_of(of, &places, &branches);
        let areas = labels::places(&labels, of.text_scale, &taken, &road);
        Self {
            places,
            branches,
            squad,
            ways,
            road,
            taken,
            labels,
            areas,
        }
    }
}

/// Radii of the discs of fought stops, stops ahead, ways of the fork and units, in drawing units.
const STOP: f32 = 17.0;
const AHEAD: f32 = 15.0;
const FORK: f32 = 22.0;
const UNIT: f32 = 9.5;
/// How far the shadow of a disc, which labels keep clear too, is larger than the disc.
const SHADOW: f32 = 1.0;
/// Half the width and height of the keep with its flag.
const KEEP: Point = (33.0, 44.0);

/// The middle of the keep that stands for the last stop.
fn keep_middle((x, y): Point) -> Point {
    (x, y - 10.0)
}

/// The area of a disc with its shadow.
fn disc_area(at: Point, radius: f32) -> LabelArea {
    LabelArea::round(at, radius + SHADOW, radius + SHADOW)
}

/// Positions of the stops, in bends from the south-west to the north-east.
fn places(seed: u64, count: usize) -> Vec<Point> {
    let mut noise = Scatter::new(&[seed as i64, 1]);
    let start = noise.between(0.0, 1.2);
    let bend = noise.between(1.15, 1.5);
    let one = |n: usize| {
        let share = n as f32 / (count.max(2) - 1) as f32;
        let swing = (start + bend * n as f32).cos();
        let high = 110.0 * (1.0 - 0.45 * share);
        let x = 150.0 + 780.0 * share + noise.between(-12.0, 12.0);
        let y = 400.0 - 250.0 * share + high * swing + noise.between(-8.0, 8.0);
        (x.clamp(140.0, 930.0), y.clamp(80.0, 455.0))
    };
    (0..count).map(one).collect()
}

/// The index of the next stop.
fn next(of: &RoadMap) -> Option<usize> {
    of.stops
        .iter()
        .position(|stop| stop.mark == StopState::Next)
}

/// Positions of the ways of the fork, one above the other at the next stop.
fn branches(of: &RoadMap, places: &[Point]) -> Vec<Point> {
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

/// The index of the stop that the fork replaces.
fn hidden(of: &RoadMap) -> Option<usize> {
    next(of).filter(|_| !of.fork.is_empty())
}

/// The squad's position: at the last fought stop, or before the first one.
fn here(of: &RoadMap, places: &[Point]) -> Option<Point> {
    match next(of)? {
        0 => Some((places[0].0 - 85.0, places[0].1 + 24.0)),
        n => Some(places[n - 1]),
    }
}

/// The positions of the squad's units, side by side above [`here`].
fn squad(of: &RoadMap, places: &[Point]) -> Vec<Point> {
    let Some((x, y)) = here(of, places) else {
        return vec![];
    };
    let half = (of.squad.len() as f32 - 1.0) / 2.0 * 17.0;
    let x = x.max(half + 22.0);
    let one = |n: usize| (x - half + 17.0 * n as f32, y - 33.0);
    (0..of.squad.len()).map(one).collect()
}

/// A section of the road.
struct RoadSection {
    from: Point,
    to: Point,
    /// How far it bends to one side, as a share of its length.
    bow: f32,
    kind: WayKind,
}

#[derive(Clone, Copy)]
enum WayKind {
    Gone,
    /// Leads to a battle of the fork.
    Open {
        is_picked: bool,
    },
    Ahead,
}

impl RoadSection {
    /// The Bézier curve: start, two control points, end.
    fn curve(&self) -> [Point; 4] {
        let (from, to) = (self.from, self.to);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let side = (-dy * self.bow, dx * self.bow);
        let at = |part: f32| (from.0 + dx * part + side.0, from.1 + dy * part + side.1);
        [from, at(0.33), at(0.67), to]
    }

    /// Points along the section.
    fn points(&self) -> impl Iterator<Item = Point> {
        points(self.curve(), 16)
    }

    /// Draws a bridge where the section crosses the river.
    fn bridge(&self, sheet: &mut Sheet, river: &[Point]) {
        let points: Vec<Point> = self.points().collect();
        let far = |at: &Point| {
            let all = river
                .iter()
                .map(|water| (water.0 - at.0).hypot(water.1 - at.1));
            all.fold(f32::MAX, f32::min)
        };
        let inner = 1..points.len() - 1;
        let Some(n) = inner.min_by(|a, b| far(&points[*a]).total_cmp(&far(&points[*b]))) else {
            return;
        };
        if far(&points[n]) > 14.0 {
            return;
        }
        let ((x, y), (a, b)) = (points[n], points[n + 1]);
        let long = (a - x).hypot(b - y).max(0.1);
        let (dx, dy) = ((a - x) / long, (b - y) / long);
        let at =
            |along: f32, beside: f32| (x + dx * along - dy * beside, y + dy * along + dx * beside);
        let deck = [(-27.0, -9.0), (27.0, -9.0), (27.0, 9.0), (-27.0, 9.0)];
        let deck = DrawnShape::polygon(&deck.map(|(along, beside)| at(along, beside)));
        sheet.fill(&deck, palette::OAK.solid());
        sheet.stroke(&deck, 1.8, palette::INK.solid());
        for n in -3..=3 {
            let along = 7.5 * n as f32;
            let plank = DrawnShape::polyline(&[at(along, -9.0), at(along, 9.0)]);
            sheet.stroke(&plank, 1.1, palette::INK.alpha(0.7));
        }
    }

    fn draw(&self, sheet: &mut Sheet) {
        let [from, one, two, to] = self.curve();
        let shape = DrawnShape::of(|pen| {
            pen.move_to(from.0, from.1);
            pen.cubic_to(one.0, one.1, two.0, two.1, to.0, to.1);
        });
        let mut road = |fill: Rgb| {
            sheet.stroke(&shape, 12.0, palette::INK.solid());
            sheet.stroke(&shape, 9.0, fill.solid());
        };
        match self.kind {
            WayKind::Gone => {
                road(palette::OCHRE.mix(palette::CARD, 0.55));
                sheet.dots(&shape, 2.6, palette::OAK_DARK.solid(), 12.0);
            }
            WayKind::Open { is_picked } => {
                let fill = if is_picked {
                    palette::GOLD
                } else {
                    palette::CARD
                };
                road(fill.mix(palette::CARD, 0.3));
                sheet.dash(&shape, 2.0, palette::OAK_DARK.solid(), &[9.0, 6.0]);
            }
            WayKind::Ahead => {
                sheet.stroke(&shape, 8.0, palette::FADED_INK.alpha(0.5));
                sheet.stroke(&shape, 6.0, palette::CARD.solid());
                sheet.dots(&shape, 2.4, palette::FADED_INK.solid(), 11.0);
            }
        }
    }
}

/// `count + 1` points along a Bézier curve: start, two control points, end.
fn points(curve: [Point; 4], count: u16) -> impl Iterator<Item = Point> {
    (0..=count).map(move |n| {
        let t = f32::from(n) / f32::from(count);
        let u = 1.0 - t;
        let parts = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
        let sum = |of: fn(Point) -> f32| {
            let all = curve.iter().zip(parts);
            all.map(|(at, part)| of(*at) * part).sum()
        };
        (sum(|at| at.0), sum(|at| at.1))
    })
}

/// All sections of the road, with the ways of the fork.
fn ways(of: &RoadMap, places: &[Point], branches: &[Point]) -> Vec<RoadSection> {
    let is_fought = |stop: &&Stop| matches!(stop.mark, StopState::Won | StopState::Lost);
    let fought = of.stops.iter().filter(is_fought).count();
    let next = next(of).unwrap_or(fought);
    let gone = |n: usize| (n, WayKind::Gone);
    let ahead = |n: usize| (n, WayKind::Ahead);
    let first_ahead = match branches.is_empty() {
        true => next.max(1),
        false => next + 2,
    };
    let along = (1..next.min(places.len())).map(gone);
    let along = along.chain((first_ahead..places.len()).map(ahead));
    let mut all: Vec<RoadSection> = along
        .map(|(n, kind)| RoadSection {
            from: places[n - 1],
            to: places[n],
            bow: if n.is_multiple_of(2) { 0.16 } else { -0.16 },
            kind,
        })
        .collect();
    let Some(here) = here(of, places) else {
        return all;
    };
    for (n, &at) in branches.iter().enumerate() {
        let bow = match branches.len() {
            1 => 0.1,
            _ => (0.3 * (n as f32 - 0.5)).clamp(-0.2, 0.2),
        };
        if let Some(&to) = places.get(next + 1) {
            all.push(RoadSection {
                from: at,
                to,
                bow: -bow,
                kind: WayKind::Ahead,
            });
        }
        all.push(RoadSection {
            from: here,
            to: at,
            bow,
            kind: WayKind::Open {
                is_picked: of.fork[n].is_picked,
            },
        });
    }
    all
}

/// The labels: the ways of the fork, the squad's position, then all stops.
fn labels_of(of: &RoadMap, places: &[Point], branches: &[Point]) -> Vec<Label> {
    let line = |typeface, size, words: &str, ink| LabelLine {
        typeface,
        size,
        words: words.into(),
        ink,
    };
    let (hidden, last) = (hidden(of), places.len() - 1);
    let fork = of.fork.iter().zip(branches).map(|(branch, &at)| Label {
        lines: vec![
            line(Typeface::Bold, 14.0, &branch.name, palette::INK),
            line(Typeface::Bold, 13.5, &branch.odds, branch.ink),
        ],
        edge: Some(branch.edge()),
        at,
        radius: FORK + SHADOW,
    });
    let start = here(of, places).filter(|_| next(of) == Some(0));
    let start = start.map(|(x, y)| Label {
        lines: vec![line(Typeface::Italic, 12.5, "you are here", palette::INK)],
        edge: None,
        at: (x, y - 30.0),
        radius: UNIT + SHADOW,
    });
    let stops = of.stops.iter().zip(places).enumerate();
    let stops = stops.filter(|(n, _)| Some(*n) != hidden);
    let stops = stops.map(|(n, (stop, &at))| {
        let ink = match stop.mark {
            _ if n == last => palette::DANGER,
            StopState::Ahead => palette::FADED_INK,
            _ => palette::INK,
        };
        Label {
            lines: vec![
                line(Typeface::Bold, 14.0, &stop.name, ink),
                line(Typeface::Italic, 12.5, &stop.note, palette::FADED_INK),
            ],
            edge: None,
            at: if n == last { keep_middle(at) } else { at },
            radius: if n == last { KEEP.1 } else { STOP + SHADOW },
        }
    });
    fork.chain(start).chain(stops).collect()
}

/// Draws the number or letter of a disc.
fn letter(sheet: &mut Sheet, words: &str, size: f32, (x, y): Point, ink: Rgb) {
    let shape = lettering::centred(Typeface::Bold, words, size, x, y);
    sheet.fill(&shape, ink.solid());
}

fn disc(sheet: &mut Sheet, (x, y): Point, radius: f32, fill: Rgb, edge: Rgb) {
    sheet.fill_circle(x + 1.5, y + 2.5, radius + SHADOW, palette::INK.alpha(0.3));
    sheet.fill_circle(x, y, radius, edge.solid());
    sheet.stroke_circle(x, y, radius, 1.6, palette::INK.solid());
    sheet.fill_circle(x, y, radius - 4.0, fill.solid());
    sheet.stroke_circle(x, y, radius - 4.0, 1.2, palette::INK.solid());
}

fn stops(sheet: &mut Sheet, of: &RoadMap, layout: &RoadLayout) {
    let (hidden, last) = (hidden(of), of.stops.len() - 1);
    for (n, (stop, &(x, y))) in of.stops.iter().zip(&layout.places).enumerate() {
        match stop.mark {
            _ if Some(n) == hidden => {}
            StopState::Won => {
                disc(sheet, (x, y), STOP, palette::TEAL, palette::GOLD);
                let tick =
                    DrawnShape::polyline(&[(x - 6.5, y), (x - 1.5, y + 5.5), (x + 7.5, y - 5.5)]);
                sheet.stroke(&tick, 3.2, palette::WHITE.solid());
            }
            StopState::Lost => {
                disc(sheet, (x, y), STOP, palette::DANGER, palette::CARD);
                for side in [-1.0, 1.0] {
                    let bar = DrawnShape::polyline(&[
                        (x - 5.0 * side, y - 5.0),
                        (x + 5.0 * side, y + 5.0),
                    ]);
                    sheet.stroke(&bar, 3.2, palette::WHITE.solid());
                }
            }
            StopState::Next | StopState::Ahead if n == last => scenery::keep(sheet, (x, y)),
            StopState::Next | StopState::Ahead => {
                disc(sheet, (x, y), AHEAD, palette::CARD_ACTIVE, palette::STONE);
                let (number, size) = ((n + 1).to_string(), 14.0 * of.text_scale);
                letter(sheet, &number, size, (x, y), palette::FADED_INK);
            }
        }
    }
    for (at, ink) in layout.squad.iter().zip(&of.squad) {
        disc(sheet, *at, UNIT, *ink, palette::CARD_ACTIVE);
    }
    for (branch, &at) in of.fork.iter().zip(&layout.branches) {
        disc(sheet, at, FORK, palette::CARD_ACTIVE, branch.edge());
        letter(sheet, &branch.letter.to_string(), 19.0, at, palette::INK);
    }
}

/// Draws a slightly uneven ink frame around the sheet.
fn frame(sheet: &mut Sheet, seed: u64) {
    let mut noise = Scatter::new(&[seed as i64, 3]);
    let mut outline = vec![];
    let (right, bottom) = (SIZE.0 - 3.0, SIZE.1 - 3.0);
    let corners = [(3.0, 3.0), (right, 3.0), (right, bottom), (3.0, bottom)];
    for n in 0..4 {
        let (from, to): (Point, Point) = (corners[n], corners[(n + 1) % 4]);
        for step in 0..28 {
            let t = step as f32 / 28.0;
            let mut off = |by: f32| by + noise.between(-1.6, 1.6);
            let at = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            outline.push((off(at.0), off(at.1)));
        }
    }
    sheet.stroke(&DrawnShape::polygon(&outline), 2.4, palette::INK.solid());
}
