//! The pen that inks portraits.

use tiny_skia::{Color, Rect};

use super::super::canvas::{DrawnShape, Sheet};
use super::super::palette::{GOLD, INK, PAPER, Rgb, WHITE};
use super::super::svg::{Brush, Texture};
use super::Portrait;

/// The width of hatching.
const FINE: f32 = 0.011;
/// Lines finer than this are details. Small pictures have neither details nor hatching.
const DETAIL: f32 = 0.014;

const IVORY: Rgb = Rgb::hex(0xFFFDF6);
const HIDE: Rgb = Rgb::hex(0xA87B4F);
const STEEL: Rgb = Rgb::hex(0xC9C9C2);

/// The colours in the files that stand for a colour of the unit. The files show a unit
/// with fair skin and blue clothes. `assets/pictures/README.md` lists them.
const PAINTS: [(u32, fn(&Portrait) -> Rgb); 20] = [
    (0xF3DFC2, |of| of.tint.skin()),
    (0xF7E8D2, |of| of.tint.skin().mix(IVORY, 0.3)),
    (0xCFA38C, |of| of.tint.skin().mix(Rgb::hex(0x9A4A3A), 0.4)),
    (0x5B4632, |of| of.tint.hair()),
    // Clothes, or the hide of a beast.
    (0x3C8DB5, |of| of.cloth()),
    (0x80B5CF, |of| of.cloth().mix(WHITE, 0.35)),
    (0x9EC5D6, |of| of.cloth().mix(IVORY, 0.5)),
    (0xA7CBD9, |of| of.cloth().mix(IVORY, 0.55)),
    (0x36677F, |of| of.cloth().mix(INK, 0.35)),
    // Leather, fur and metal with a hint of the clothes.
    (0x8D8069, |of| HIDE.mix(of.cloth(), 0.25)),
    (0x927F63, |of| HIDE.mix(of.cloth(), 0.2)),
    (0x88806E, |of| HIDE.mix(of.cloth(), 0.3)),
    (0x98B4BD, |of| STEEL.mix(of.cloth(), 0.35)),
    (0x8AAEBC, |of| STEEL.mix(of.cloth(), 0.45)),
    (0x83ABBC, |of| STEEL.mix(of.cloth(), 0.5)),
    // Not of the unit, but of the colour scheme.
    (0xDCB040, |_| GOLD.mix(PAPER, 0.2)),
    (0xDEB54F, |_| GOLD.mix(PAPER, 0.3)),
    // Items in front of a token are brighter than clothes.
    (0x177DB3, |of| of.cloth.mix(PAPER, 0.1)),
    (0x7FB8D5, |of| of.cloth.mix(PAPER, 0.1).mix(WHITE, 0.45)),
    (0x4D9CC9, |of| of.cloth.mix(WHITE, 0.3)),
];

/// The colours of [`PAINTS`] as they are in the files.
pub fn colours_in_files() -> impl Iterator<Item = u32> {
    PAINTS.iter().map(|paint| paint.0)
}

/// A pen for one portrait.
pub struct Pen {
    /// The colours in the files, and those of the unit.
    paints: [(Rgb, Rgb); PAINTS.len()],
    /// The thinnest line, in units of the picture.
    least: f32,
    /// Small pictures have no shading.
    has_shade: bool,
}

impl Pen {
    /// A pen for a picture `px` pixels square.
    pub fn new(of: &Portrait, px: f32) -> Self {
        Self {
            paints: PAINTS.map(|(in_file, paint)| (Rgb::hex(in_file), paint(of))),
            least: 0.8 / px.max(1.0),
            has_shade: px >= 30.0,
        }
    }
}

impl Brush for Pen {
    fn colour(&self, in_file: Rgb) -> Color {
        let paint = self.paints.iter().find(|paint| paint.0 == in_file);
        paint.map_or(in_file, |paint| paint.1).solid()
    }

    fn width(&self, in_file: f32) -> Option<f32> {
        (self.has_shade || in_file > DETAIL).then(|| in_file.max(self.least))
    }

    fn texture(&self, sheet: &mut Sheet, texture: Texture, area: &DrawnShape) {
        let bounds = area.0.as_ref().map(|path| path.bounds());
        if let (Some(width), Some(bounds)) = (self.width(FINE), bounds) {
            match texture {
                Texture::Hatch { turn } => strokes(sheet, turn, width, bounds),
                Texture::Rings => rings(sheet, width, bounds),
            }
        }
    }
}

/// Rows of small rings, for mail.
fn rings(sheet: &mut Sheet, width: f32, area: Rect) {
    const STEP: f32 = 0.043;
    let rows = (area.height() / STEP) as i32;
    let columns = (area.width() / STEP) as i32;
    for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        let shift = if row % 2 == 0 { 0.0 } else { STEP / 2.0 };
        let x = area.left() + column as f32 * STEP + shift;
        let y = area.top() + row as f32 * STEP;
        let ring = DrawnShape::arc(x, y, STEP * 0.42, 20.0, 160.0);
        sheet.stroke(&ring, width, INK.alpha(0.75));
    }
}

/// Parallel strokes, slightly irregular: all that cross an area.
fn strokes(sheet: &mut Sheet, turn: f32, width: f32, area: Rect) {
    let (sin, cos) = turn.to_radians().sin_cos();
    // How far the area reaches across the strokes.
    let (mut near, mut far) = (f32::MAX, f32::MIN);
    for (x, y) in [
        (area.left(), area.top()),
        (area.right(), area.top()),
        (area.left(), area.bottom()),
        (area.right(), area.bottom()),
    ] {
        let off = y * cos - x * sin;
        (near, far) = (near.min(off - 0.03), far.max(off + 0.03));
    }
    for n in -26..=26_i32 {
        let wobble = ((n * 37).rem_euclid(11) as f32 / 11.0 - 0.5) * 0.012;
        let off = n as f32 * 0.034 + wobble;
        if !(near..=far).contains(&off) {
            continue;
        }
        let at = |along: f32| (along * cos - off * sin, along * sin + off * cos);
        let bend = at(0.0);
        let line = DrawnShape::of(|pen| {
            let (from, to) = (at(-0.9), at(0.9));
            pen.move_to(from.0, from.1);
            pen.quad_to(bend.0 + wobble, bend.1 + wobble, to.0, to.1);
        });
        sheet.stroke(&line, width, INK.alpha(0.8));
    }
}
