//! All drawings of the game: pure functions that return pictures, most of them from a
//! [`BoardPlan`]. They need neither a window nor Bevy.
//!
//! Pictures are `tiny_skia::Pixmap`s with premultiplied alpha; Bevy needs [`straight_rgba`] bytes.

pub mod board;
pub mod bursts;
mod canvas;
pub mod chart;
pub mod emblem;
mod hatch;
pub mod hud;
pub mod icons;
pub mod lettering;
pub mod marks;
mod noise;
pub mod palette;
mod paper;
pub mod plan;
pub mod portrait;
pub mod road;
pub mod scene;
mod svg;
pub mod tokens;
pub mod vignette;
pub mod vision;

use tiny_skia::Pixmap;

pub use paper::{GRAIN_PX, parchment};
pub use plan::BoardPlan;

/// What is wrong with the SVG files of icons and portraits, by file.
pub fn file_errors() -> Vec<String> {
    let files = icons::FILES.iter().chain(portrait::files());
    let broken = files.filter_map(|file| file.parse().err());
    broken.chain(portrait::unused_colours()).collect()
}

/// Rises from 0 to 1 for `x` from 0 to 1, slowly at both ends, and stays there outside.
pub fn smooth_step(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// The bytes of a picture as RGBA with straight (not premultiplied) alpha, row by row
/// from the top.
pub fn straight_rgba(pixmap: Pixmap) -> Vec<u8> {
    pixmap.take_demultiplied()
}
