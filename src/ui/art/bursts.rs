//! Short effects of attacks and spells: flat shapes with an ink outline. Each kind
//! has its own shape, not only its own colour.
//!
//! Each effect is drawn in a unit square around the centre of its picture.

use super::{
    canvas::{DrawnShape, Point, Sheet},
    icons::{self, Icon},
    lettering::{self, Typeface},
    palette::{self, INK, Rgb},
};
use crate::{battle::Natural, content::Burst};
use tiny_skia::{Pixmap, Transform};

/// Whether it helps the units that it reaches.
pub fn is_gentle(burst: Burst) -> bool {
    matches!(burst, Burst::Healing | Burst::Ward | Burst::Haste)
}

/// The colour of a kind of spell.
pub fn ink(burst: Burst) -> Rgb {
    match burst {
        Burst::Flame => palette::VERMILION,
        Burst::Frost => palette::BLUE,
        Burst::Light => palette::GOLD,
        Burst::Force | Burst::Hold => palette::PURPLE,
        Burst::Healing => palette::GREEN,
        Burst::Ward => palette::TEAL,
        Burst::Haste => palette::OCHRE,
        Burst::Sleep => palette::GREY,
        Burst::Hex => palette::OLIVE,
    }
}

fn square(px: u32) -> Sheet {
    Sheet::square(px.max(2))
}

/// A star with this many points. `uneven`, from 0 to 1, is the share by which the
/// shortest points are cut.
fn star(points: u32, (inner, outer): (f32, f32), uneven: f32) -> DrawnShape {
    let at = |n: u32, radius: f32| -> Point {
        let angle = n as f32 * std::f32::consts::PI / points as f32;
        (radius * angle.cos(), radius * angle.sin())
    };
    let outline = (0..2 * points).map(|n| match n % 2 {
        // Vary the lengths without a visible pattern.
        0 => at(n, outer * (1.0 - uneven * ((n / 2 * 5 % 7) as f32 / 6.0))),
        _ => at(n, inner),
    });
    DrawnShape::polygon(&Vec::from_iter(outline))
}

/// A flat shape with an ink outline.
fn inked(sheet: &mut Sheet, shape: &DrawnShape, line: f32, colour: Rgb) {
    sheet.stroke(shape, line * 2.0, INK.solid());
    sheet.fill(shape, colour.solid());
}

/// A coloured line with an ink outline.
fn drawn(sheet: &mut Sheet, shape: &DrawnShape, wide: f32, colour: Rgb) {
    sheet.stroke(shape, wide + 0.05, INK.solid());
    sheet.stroke(shape, wide, colour.solid());
}

fn turned(sheet: &mut Sheet, times: u32, mut draw: impl FnMut(&mut Sheet)) {
    for n in 0..times {
        let turn = Transform::from_rotate(n as f32 * 360.0 / times as f32);
        sheet.within(turn, &mut draw);
    }
}

fn cross(x: f32, y: f32, size: f32) -> DrawnShape {
    let (a, b) = (size, size / 3.0);
    let corners = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b)];
    let other = corners.map(|(x, y)| (-x, -y));
    let all = corners.iter().chain(&other);
    DrawnShape::polygon(&Vec::from_iter(all.map(|&(dx, dy)| (x + dx, y + dy))))
}

/// An angle that points east, `half` as high in all.
fn chevron(x: f32, half: f32) -> DrawnShape {
    DrawnShape::polyline(&[
        (x - 0.4 * half, -half),
        (x + 0.46 * half, 0.0),
        (x - 0.4 * half, half),
    ])
}

/// The stroke that a spell draws from its caster to its target: `cells` long towards the east and
/// half a cell high, with `px` pixels for each cell.
pub fn stroke(burst: Burst, cells: f32, px: u32) -> Pixmap {
    let px = px.max(4);
    let long = (cells * px as f32).ceil() as u32;
    let mut sheet = Sheet::new(long.max(1), px / 2, px as f32).origin(0.0, 0.25);
    let ink = ink(burst);
    let steps = |apart: f32| (0..=(cells / apart) as u16).map(move |n| f32::from(n) * apart);
    // A line of points this far apart that leaves the middle by as much as `off` says.
    let line = |apart: f32, off: fn(f32) -> f32| {
        let point = |x: f32| (x, off(x) * (x.min(cells - x) / 0.3).clamp(0.0, 1.0));
        DrawnShape::polyline(&Vec::from_iter(steps(apart).map(point)))
    };
    let coil = |x: f32| 0.15 * (x * 9.0).sin();
    match burst {
        Burst::Flame => {
            // A tongue that grows and flickers.
            let tongue = |share: f32| {
                let high = |x: f32| share * (0.03 + 0.15 * x / cells);
                let edge =
                    |x: f32, side: f32| (x, side * high(x) * (1.0 + 0.5 * (x * 11.0 + side).sin()));
                let upper = steps(0.06).map(|x| edge(x, -1.0));
                let lower = Vec::from_iter(steps(0.06).map(|x| edge(x, 1.0)));
                let all = upper.chain(lower.into_iter().rev());
                DrawnShape::polygon(&Vec::from_iter(all))
            };
            inked(&mut sheet, &tongue(0.9), 0.02, ink);
            sheet.fill(&tongue(0.4), palette::GOLD.solid());
        }
        Burst::Frost => {
            let shards = line(0.16, |x| {
                if ((x / 0.16) as u16).is_multiple_of(2) {
                    -0.13
                } else {
                    0.13
                }
            });
            drawn(&mut sheet, &shards, 0.06, ink.mix(palette::WHITE, 0.35));
        }
        Burst::Light => {
            drawn(&mut sheet, &line(cells, |_| 0.0), 0.13, ink);
            sheet.stroke(&line(cells, |_| 0.0), 0.05, palette::CARD_ACTIVE.solid());
        }
        Burst::Hex => drawn(&mut sheet, &line(0.05, coil), 0.06, ink),
        Burst::Sleep => {
            sheet.dots(&line(0.05, coil), 0.13, INK.solid(), 0.2);
            sheet.dots(
                &line(0.05, coil),
                0.09,
                ink.mix(palette::BLUE, 0.4).solid(),
                0.2,
            );
        }
        Burst::Hold => steps(0.22).for_each(|x| {
            drawn(
                &mut sheet,
                &DrawnShape::circle(x + 0.11, 0.0, 0.13),
                0.05,
                ink,
            );
        }),
        Burst::Force | Burst::Haste => steps(0.26).for_each(|x| {
            drawn(&mut sheet, &chevron(x + 0.1, 0.16), 0.06, ink);
        }),
        Burst::Healing => steps(0.34).for_each(|x| {
            inked(&mut sheet, &cross(x + 0.16, coil(x) * 0.5, 0.11), 0.02, ink);
        }),
        Burst::Ward => steps(0.24).for_each(|x| {
            inked(
                &mut sheet,
                &DrawnShape::circle(x + 0.1, 0.0, 0.07),
                0.02,
                ink,
            );
        }),
    }
    sheet.pixmap
}

/// The effect of a spell where it takes effect, `px` pixels square.
pub fn burst(burst: Burst, px: u32) -> Pixmap {
    let mut sheet = square(px);
    let ink = ink(burst);
    let pale = palette::CARD_ACTIVE;
    match burst {
        Burst::Flame => {
            inked(&mut sheet, &star(13, (0.27, 0.47), 0.3), 0.018, ink);
            let heart = star(11, (0.17, 0.31), 0.3);
            sheet.within(Transform::from_rotate(14.0), |sheet| {
                sheet.fill(&heart, palette::GOLD.solid());
            });
            sheet.fill(&star(9, (0.1, 0.18), 0.25), pale.solid());
        }
        Burst::Frost => turned(&mut sheet, 6, |sheet| {
            let arm =
                DrawnShape::marks("M 0.05 0 L 0.42 0 M 0.22 0 L 0.33 -0.11 M 0.22 0 L 0.33 0.11");
            drawn(sheet, &arm, 0.04, ink.mix(palette::WHITE, 0.25));
        }),
        Burst::Light => {
            turned(&mut sheet, 12, |sheet| {
                let ray = DrawnShape::polygon(&[(0.24, -0.035), (0.47, 0.0), (0.24, 0.035)]);
                inked(sheet, &ray, 0.014, ink);
            });
            inked(&mut sheet, &DrawnShape::circle(0.0, 0.0, 0.2), 0.018, pale);
        }
        Burst::Force => {
            inked(&mut sheet, &star(8, (0.2, 0.46), 0.0), 0.018, ink);
            sheet.fill(&star(8, (0.09, 0.24), 0.0), pale.solid());
        }
        Burst::Healing => {
            for (x, y, size) in [(-0.02, 0.08, 0.26), (0.28, -0.26, 0.14), (-0.3, -0.25, 0.1)] {
                inked(&mut sheet, &cross(x, y, size), 0.02, ink);
            }
        }
        Burst::Ward => {
            let shield = DrawnShape::marks(
                "M 0 -0.4 C 0.12 -0.3 0.24 -0.28 0.34 -0.28 C 0.36 0.06 0.24 0.3 0 0.44 \
                 C -0.24 0.3 -0.36 0.06 -0.34 -0.28 C -0.24 -0.28 -0.12 -0.3 0 -0.4 Z",
            );
            sheet.fill(&shield, ink.alpha(0.35));
            drawn(&mut sheet, &shield, 0.045, ink);
        }
        Burst::Haste => {
            for x in [-0.28, -0.02, 0.24] {
                drawn(&mut sheet, &chevron(x, 0.26), 0.07, ink);
            }
        }
        Burst::Hold => {
            drawn(&mut sheet, &DrawnShape::circle(0.0, 0.0, 0.4), 0.05, ink);
            for x in [-0.2, 0.0, 0.2] {
                let half = (0.16_f32 - x * x).sqrt();
                let bar = DrawnShape::polyline(&[(x, -half), (x, half)]);
                drawn(&mut sheet, &bar, 0.035, ink);
            }
        }
        Burst::Sleep => {
            let moon = DrawnShape::marks(
                "M 0.1 -0.34 C -0.28 -0.34 -0.42 0.02 -0.26 0.24 C -0.1 0.44 0.22 0.38 0.3 0.16 \
                 C 0.02 0.26 -0.16 -0.02 0.1 -0.34 Z",
            );
            inked(&mut sheet, &moon, 0.018, ink.mix(palette::BLUE, 0.4));
            for (x, y, size) in [(0.22, -0.06, 0.09), (0.36, -0.3, 0.07)] {
                let z = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
                let z = z.map(|(dx, dy)| (x + dx * size, y + dy * size));
                drawn(&mut sheet, &DrawnShape::polyline(&z), 0.03, pale);
            }
        }
        Burst::Hex => {
            let coil = (0..40).map(|n| {
                let (angle, radius) = (n as f32 * 0.36, 0.05 + n as f32 * 0.0098);
                (radius * angle.cos(), radius * angle.sin())
            });
            let coil = DrawnShape::polyline(&Vec::from_iter(coil));
            drawn(&mut sheet, &coil, 0.045, ink);
        }
    }
    sheet.pixmap
}

/// The impact of a weapon, `px` pixels square.
pub fn impact(px: u32) -> Pixmap {
    let mut sheet = square(px);
    let outer = star(9, (0.17, 0.46), 0.45);
    inked(&mut sheet, &outer, 0.022, palette::GOLD);
    sheet.fill(&star(7, (0.08, 0.22), 0.3), palette::CARD_ACTIVE.solid());
    sheet.pixmap
}

/// The impact of a natural 20 or a critical hit: a golden disc with long even rays.
pub fn great_impact(px: u32) -> Pixmap {
    let mut sheet = square(px);
    turned(&mut sheet, 10, |sheet| {
        let ray = DrawnShape::polygon(&[(0.24, -0.05), (0.46, 0.0), (0.24, 0.05)]);
        inked(sheet, &ray, 0.014, palette::VERMILION);
    });
    inked(
        &mut sheet,
        &DrawnShape::circle(0.0, 0.0, 0.27),
        0.02,
        palette::GOLD,
    );
    sheet.fill(&star(5, (0.08, 0.22), 0.0), palette::CARD_ACTIVE.solid());
    sheet.pixmap
}

/// A hit that exhausts the target but draws no blood: a broken ring.
pub fn jolt(px: u32) -> Pixmap {
    let mut sheet = square(px);
    turned(&mut sheet, 8, |sheet| {
        let part = DrawnShape::arc(0.0, 0.0, 0.4, 6.0, 34.0);
        drawn(sheet, &part, 0.035, palette::BLUE.mix(palette::WHITE, 0.35));
    });
    sheet.pixmap
}

/// A miss: the arc that a weapon drew through the air, around its bearer in the west.
pub fn whiff(px: u32) -> Pixmap {
    let mut sheet = square(px);
    // A brush stroke along a circle: thin in the north, broad in the south, and torn at its end.
    let stroke = |radius: f32, (from, to): (f32, f32), scaled: f32| {
        let steps = 24;
        let point = |n: i32, inwards: f32| {
            let x = n as f32 / steps as f32;
            let angle = (from + (to - from) * x).to_radians();
            let radius = radius - inwards * scaled * x.powf(0.7);
            (radius * angle.cos() - 0.08, radius * angle.sin())
        };
        let outer = (0..=steps).map(|n| point(n, 0.0));
        let inner = (0..=steps).rev().map(|n| point(n, 1.0));
        DrawnShape::polygon(&Vec::from_iter(outer.chain(inner)))
    };
    let strokes = [
        stroke(0.46, (-100.0, 58.0), 0.1),
        stroke(0.45, (40.0, 78.0), 0.045),
        stroke(0.34, (-70.0, 66.0), 0.05),
        stroke(0.26, (-30.0, 52.0), 0.025),
    ];
    for stroke in &strokes {
        sheet.stroke(stroke, 0.035, palette::WHITE.alpha(0.9));
    }
    for stroke in &strokes {
        sheet.fill(stroke, INK.solid());
    }
    sheet.pixmap
}

/// A blocked attack: weapons that cross, and sparks of ink.
pub fn clash(px: u32) -> Pixmap {
    let mut sheet = square(px);
    let sparks = star(12, (0.11, 0.47), 0.55);
    sheet.stroke(&sparks, 0.04, palette::WHITE.solid());
    sheet.fill(&sparks, INK.solid());
    sheet.fill(&star(8, (0.1, 0.21), 0.2), palette::WHITE.solid());
    for side in [-1.0, 1.0] {
        let blade = [(-0.16, -0.34 * side), (0.16, 0.34 * side)];
        sheet.stroke_line(&blade, 0.09, palette::WHITE.solid());
        sheet.stroke_line(&blade, 0.045, INK.solid());
    }
    sheet.pixmap
}

/// What a unit does, in a speech mark whose tip is at the lower left; `px` pixels square.
pub fn action_mark(icon: Icon, px: u32) -> Pixmap {
    let mut sheet = square(px);
    let tip = DrawnShape::polygon(&[(-0.28, 0.1), (-0.4, 0.46), (0.02, 0.1)]);
    inked(&mut sheet, &tip, 0.022, palette::CARD_ACTIVE);
    let body = DrawnShape::rounded(-0.44, -0.46, 0.88, 0.7, 0.2);
    inked(&mut sheet, &body, 0.022, palette::CARD_ACTIVE);
    // No outline between both.
    sheet.fill(&tip, palette::CARD_ACTIVE.solid());
    let pen = icons::pen_for(px as f32 * 0.58);
    icons::draw_at(&mut sheet, icon, (0.0, -0.11), 0.58, pen, INK.solid());
    sheet.pixmap
}

/// Dust where a unit falls.
pub fn dust(px: u32) -> Pixmap {
    let mut sheet = square(px);
    let puffs = [
        (-0.34, 0.06, 0.11),
        (0.34, 0.06, 0.11),
        (-0.2, -0.16, 0.07),
        (0.22, -0.14, 0.08),
    ];
    for (x, y, radius) in puffs {
        let puff = DrawnShape::circle(x, y, radius);
        inked(&mut sheet, &puff, 0.014, palette::STONE_LIGHT);
    }
    sheet.pixmap
}

/// The splash of a hit or the trace of a spell, thrown towards the east: a blot and drops in the
/// colour `ink`, `px` pixels square.
pub fn splash(ink: Rgb, px: u32) -> Pixmap {
    let mut sheet = square(px);
    let blot = DrawnShape::marks(
        "M -0.2 0.02 C -0.22 -0.12 -0.1 -0.19 0.02 -0.15 C 0.12 -0.24 0.2 -0.2 0.19 -0.12 \
         C 0.3 -0.13 0.4 -0.08 0.48 -0.05 C 0.38 0 0.28 0.01 0.24 0.03 \
         C 0.32 0.08 0.38 0.15 0.4 0.21 C 0.3 0.18 0.2 0.14 0.14 0.13 \
         C 0.08 0.22 -0.04 0.2 -0.06 0.14 C -0.16 0.16 -0.2 0.1 -0.2 0.02 Z",
    );
    sheet.fill(&blot, ink.solid());
    for (x, y, radius) in [
        (0.3, -0.27, 0.04),
        (0.43, -0.19, 0.025),
        (0.46, 0.07, 0.03),
        (0.27, 0.3, 0.035),
        (0.12, -0.34, 0.022),
        (0.42, 0.33, 0.018),
        (-0.08, 0.29, 0.026),
        (-0.28, -0.16, 0.02),
    ] {
        sheet.fill_circle(x, y, radius, ink.solid());
    }
    sheet.pixmap
}

/// A die that shows a value, `px` pixels square.
pub fn rolled_die(faces: u16, value: u16, px: u32) -> Pixmap {
    let mut sheet = square(px);
    draw_rolled(&mut sheet, (faces, value), (palette::CARD_ACTIVE, INK));
    sheet.pixmap
}

/// A die that was rolled again, struck out; `px` pixels square.
pub fn struck_die(faces: u16, value: u16, px: u32) -> Pixmap {
    let mut sheet = square(px);
    let colours = (palette::STONE_LIGHT, palette::FADED_INK);
    draw_rolled(&mut sheet, (faces, value), colours);
    let line = DrawnShape::polyline(&[(-0.42, 0.3), (0.42, -0.3)]);
    drawn(&mut sheet, &line, 0.05, palette::DANGER);
    sheet.pixmap
}

/// A d20 that shows its highest or its lowest face, `px` pixels square: golden in a ring with rays,
/// or with a red number.
pub fn natural_die(natural: Natural, px: u32) -> Pixmap {
    let mut sheet = square(px);
    match natural {
        Natural::Twenty => {
            turned(&mut sheet, 12, |sheet| {
                let ray = DrawnShape::polyline(&[(0.43, 0.0), (0.48, 0.0)]);
                drawn(sheet, &ray, 0.03, palette::GOLD);
            });
            let ring = DrawnShape::circle(0.0, 0.0, 0.385);
            drawn(&mut sheet, &ring, 0.03, palette::GOLD);
            let body = golden();
            sheet.within(Transform::from_scale(0.78, 0.78), |sheet| {
                draw_rolled(sheet, (20, 20), (body, INK));
            });
        }
        Natural::One => {
            draw_rolled(&mut sheet, (20, 1), (palette::CARD_ACTIVE, palette::DANGER));
        }
    }
    sheet.pixmap
}

/// The ground of a natural 20: of its die and of its total.
pub fn golden() -> Rgb {
    palette::GOLD.mix(palette::CARD_ACTIVE, 0.5)
}

/// A die that shows a value, with the colours of its body and its number.
fn draw_rolled(sheet: &mut Sheet, (faces, value): (u16, u16), (body, ink): (Rgb, Rgb)) {
    inked(sheet, &die_shape(faces), 0.035, body);
    if faces > 12 {
        // The face towards the viewer, and the edges that lead to it.
        let face = [0, 2, 4].map(|n| corner(n, 6, 0.3));
        let faint = INK.alpha(0.4);
        sheet.stroke(&DrawnShape::polygon(&face), 0.016, faint);
        for (inner, n) in std::iter::zip(face, [0, 2, 4]) {
            for outer in [n, n + 1, (n + 5) % 6] {
                sheet.stroke_line(&[inner, corner(outer, 6, 0.45)], 0.016, faint);
            }
        }
    }
    let digits = value.to_string();
    let number = lettering::centred(Typeface::Bold, &digits, 0.4, 0.0, 0.02);
    sheet.stroke(&number, 0.07, body.solid());
    sheet.fill(&number, ink.solid());
}

/// A short text beside a roll, such as "+5" or "against 14", on a card `px` pixels high.
pub fn roll_card(words: &str, px: u32) -> Pixmap {
    let set = lettering::text(Typeface::Bold, words, 0.72);
    let (px, wide) = (px.max(2), set.width + 0.44);
    let mut sheet = Sheet::new((wide * px as f32).ceil() as u32, px, px as f32);
    sheet.fill(&DrawnShape::rounded(0.0, 0.0, wide, 1.0, 0.22), INK.solid());
    let inner = DrawnShape::rounded(0.06, 0.06, wide - 0.12, 0.88, 0.17);
    sheet.fill(&inner, palette::CARD_ACTIVE.solid());
    let line = lettering::centred(Typeface::Bold, words, 0.72, wide / 2.0, 0.5);
    sheet.fill(&line, INK.solid());
    sheet.pixmap
}

/// The total of a roll, in a ring, with short rays if it `shines`; `px` pixels square.
pub fn total(sum: i32, (ink, body): (Rgb, Rgb), shines: bool, px: u32) -> Pixmap {
    let mut sheet = square(px);
    if shines {
        turned(&mut sheet, 12, |sheet| {
            sheet.stroke_line(&[(0.41, 0.0), (0.48, 0.0)], 0.03, ink.solid());
        });
    }
    sheet.fill_circle(0.0, 0.0, 0.36, ink.solid());
    sheet.fill_circle(0.0, 0.0, 0.315, body.solid());
    let digits = sum.to_string().replace('-', "−");
    let number = lettering::centred(Typeface::Bold, &digits, 0.42, 0.0, 0.01);
    sheet.fill(&number, ink.solid());
    sheet.pixmap
}

/// A banner that stands: a unit's morale holds.
pub fn banner(px: u32) -> Pixmap {
    let mut sheet = square(px);
    let staff = DrawnShape::polyline(&[(-0.2, -0.45), (-0.2, 0.44)]);
    let cloth = DrawnShape::marks(
        "M -0.2 -0.42 C -0.04 -0.5 0.1 -0.34 0.32 -0.41 L 0.24 -0.24 L 0.32 -0.06 \
         C 0.1 0.01 -0.04 -0.15 -0.2 -0.07 Z",
    );
    inked(&mut sheet, &cloth, 0.02, palette::TEAL);
    drawn(&mut sheet, &staff, 0.05, palette::OAK);
    sheet.pixmap
}

/// A breaking banner: a unit's morale fails.
pub fn broken_banner(px: u32) -> Pixmap {
    let mut sheet = square(px);
    let red = palette::DANGER;
    let upper =
        DrawnShape::marks("M -0.2 -0.42 L 0.3 -0.34 L 0.18 -0.2 L 0.26 -0.04 L -0.12 -0.1 Z");
    let staff = DrawnShape::polyline(&[(-0.22, -0.45), (-0.11, -0.02)]);
    let lower = DrawnShape::polyline(&[(-0.02, 0.06), (-0.16, 0.44)]);
    drawn(&mut sheet, &lower, 0.05, palette::OAK);
    inked(&mut sheet, &upper, 0.02, red);
    drawn(&mut sheet, &staff, 0.05, palette::OAK);
    for (x, y) in [(-0.2, 0.06), (0.08, -0.02), (-0.02, -0.08 + 0.2)] {
        sheet.stroke_line(&[(x, y), (x + 0.05, y + 0.03)], 0.03, INK.solid());
    }
    sheet.pixmap
}

/// A die with this many faces and no number, `px` pixels square.
pub fn die(faces: u16, px: u32) -> Pixmap {
    let mut sheet = square(px);
    inked(&mut sheet, &die_shape(faces), 0.035, palette::CARD_ACTIVE);
    sheet.pixmap
}

/// The outline of a die from above.
fn die_shape(faces: u16) -> DrawnShape {
    // The number of corners that are visible from above.
    let corners = match faces {
        ..=4 => 3,
        5 | 6 => 4,
        7..=10 => 8,
        11 | 12 => 5,
        _ => 6,
    };
    match corners {
        4 => DrawnShape::rounded(-0.4, -0.4, 0.8, 0.8, 0.12),
        _ => {
            let outline = (0..corners).map(|n| corner(n, corners, 0.45));
            DrawnShape::polygon(&Vec::from_iter(outline))
        }
    }
}

/// A corner of a regular polygon; the first one is at the top.
fn corner(n: u32, of: u32, radius: f32) -> Point {
    let angle = (n as f32 / of as f32 - 0.25) * std::f32::consts::TAU;
    (radius * angle.cos(), radius * angle.sin())
}
