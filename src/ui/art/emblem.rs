//! The game's icon on the desktop: two sides on a board.

use tiny_skia::Pixmap;

use super::{
    canvas::{DrawnShape, Sheet},
    palette::{FADED_INK, FLOOR, INK, PAPER},
    tokens::base::{Base, TokenColours},
};

/// The icon, `px` pixels square.
pub fn emblem(px: u32) -> Pixmap {
    let mut sheet = Sheet::square(px);
    let board = |inset: f32| {
        let side = 1.0 - 2.0 * inset;
        DrawnShape::rounded(inset - 0.5, inset - 0.5, side, side, 0.16 - inset * 0.6)
    };
    sheet.fill(&board(0.0), INK.solid());
    let room = board(0.035);
    sheet.fill(&room, PAPER.mix(FLOOR, 0.6).solid());
    sheet.within_shape(&room, |sheet| {
        for at in [-1.0, 0.0, 1.0] {
            let at = at * 0.31;
            let ink = FADED_INK.alpha(0.45);
            sheet.stroke_line(&[(at, -0.5), (at, 0.5)], 0.012, ink);
            sheet.stroke_line(&[(-0.5, at), (0.5, at)], 0.012, ink);
        }
    });
    // The path from one side to the other, one dot per step.
    for step in [-0.055, 0.005, 0.065] {
        sheet.fill_circle(step, -step, 0.024, INK.solid());
    }
    for (base, at) in [(Base::Hexagon, 0.23), (Base::Round, -0.22)] {
        let frame = tiny_skia::Transform::from_translate(at, -at);
        sheet.within(frame, |sheet| {
            base.draw(sheet, 0.2, (0.024, 0.075), TokenColours::fresh(base));
        });
    }
    sheet.pixmap
}
