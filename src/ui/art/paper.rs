//! The paper texture: a faint grain that tiles without a seam.

use std::sync::OnceLock;

use tiny_skia::{IntSize, Pixmap};

use super::noise::hash;
use super::palette::{self, PAPER, Scheme};
use super::smooth_step;

/// The side of the repeating square of grain, in pixels.
pub const GRAIN_PX: u32 = 256;

/// A square of parchment, [`GRAIN_PX`] a side, to be tiled as a backdrop. Boards lie
/// on the same paper.
pub fn parchment() -> Pixmap {
    let size = IntSize::from_wh(GRAIN_PX, GRAIN_PX).expect("a size");
    Pixmap::from_vec(grain().to_vec(), size).expect("bytes for the size")
}

/// Fills a pixmap with paper. (`left`, `top`) is the position of the pixmap on the
/// endless sheet, in pixels.
pub(super) fn lay(pixmap: &mut Pixmap, left: i32, top: i32) {
    let grain = grain();
    let side = GRAIN_PX as usize;
    let width = pixmap.width() as usize;
    let start = left.rem_euclid(GRAIN_PX as i32) as usize;
    for (y, row) in pixmap.data_mut().chunks_exact_mut(width * 4).enumerate() {
        let line = (top + y as i32).rem_euclid(GRAIN_PX as i32) as usize;
        let line = &grain[line * side * 4..(line + 1) * side * 4];
        let (mut x, mut from) = (0, start);
        while x < width {
            let run = (side - from).min(width - x);
            row[x * 4..(x + run) * 4].copy_from_slice(&line[from * 4..(from + run) * 4]);
            x += run;
            from = 0;
        }
    }
}

/// The grain as RGBA bytes, row by row.
fn grain() -> &'static [u8] {
    // One grain for each colour scheme.
    static GRAIN: [OnceLock<Vec<u8>>; Scheme::ALL.len()] =
        [const { OnceLock::new() }; Scheme::ALL.len()];
    GRAIN[palette::scheme() as usize].get_or_init(|| {
        let side = GRAIN_PX as i64;
        let mut bytes = Vec::with_capacity((side * side * 4) as usize);
        for y in 0..side {
            for x in 0..side {
                // Soft clouds, then pulp, then an occasional speck.
                let clouds = cloud(x, y, 64) * 1.5 + cloud(x, y, 16) * 1.5;
                let pulp = (hash(&[x, y, 1]) % 1000) as f32 / 1000.0 - 0.5;
                let speck = speck(x, y) * 9.0;
                let light = clouds + pulp * 2.2 - speck;
                let [r, g, b] = PAPER.bytes();
                let one =
                    |c: u8, share: f32| (c as f32 + light * share).clamp(0.0, 255.0).round() as u8;
                bytes.extend([one(r, 1.0), one(g, 1.0), one(b, 1.1), 255]);
            }
        }
        bytes
    })
}

/// Smooth noise from −1 to 1, with features `wide` pixels in size.
fn cloud(x: i64, y: i64, wide: i64) -> f32 {
    let count = i64::from(GRAIN_PX) / wide;
    let corner = |i: i64, j: i64| {
        (hash(&[i.rem_euclid(count), j.rem_euclid(count), wide]) % 2000) as f32 / 1000.0 - 1.0
    };
    let (i, j) = (x / wide, y / wide);
    let (u, v) = (
        smooth_step((x % wide) as f32 / wide as f32),
        smooth_step((y % wide) as f32 / wide as f32),
    );
    let upper = corner(i, j) * (1.0 - u) + corner(i + 1, j) * u;
    let lower = corner(i, j + 1) * (1.0 - u) + corner(i + 1, j + 1) * u;
    upper * (1.0 - v) + lower * v
}

/// How much of a pixel a speck covers, from 0 to 1. Each square of 32 px has at most
/// one speck.
fn speck(x: i64, y: i64) -> f32 {
    const EACH: i64 = 32;
    let (i, j) = (x / EACH, y / EACH);
    let chance = hash(&[i, j, 7]);
    if !chance.is_multiple_of(3) {
        return 0.0;
    }
    let middle = |bits: u64| 4.0 + (bits % 240) as f32 / 10.0;
    let (dx, dy) = (
        (x % EACH) as f32 - middle(chance >> 8),
        (y % EACH) as f32 - middle(chance >> 24),
    );
    let radius = 0.8 + (chance >> 40) as f32 % 10.0 / 10.0;
    (radius + 0.5 - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0)
}
