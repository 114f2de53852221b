//! Icons in ink lines: actions, roles, conditions, menu buttons.
//!
//! Each is an SVG file in `assets/pictures/icons`: a square of 24 units, drawn with a
//! pen 2 units wide. The game draws it in a single colour, so that it can be ink on a
//! card, white on a token, or pale, and with a pen that suits its size.

use tiny_skia::{Color, Pixmap, Transform};

use super::canvas::{DrawnShape, Sheet};
use super::palette::{self, INK, Rgb};
use super::svg::{Brush, Page, Texture, drawings};

pub use crate::icons::Icon;

/// The side of the square that icons are drawn on, in their own units.
pub(super) const SIDE: f32 = 24.0;

/// The width of the pen in the files. Finer lines keep their ratio to it.
const PEN: f32 = 2.0;

drawings! {
    /// The drawing of an icon.
    fn drawing(Icon) of FILES on Page { corner: 0.0, side: SIDE }, in "icons":
        Strike "strike" Shoot "shoot" Throw "throw" Move "move" Run "run" Charge "charge"
        Defend "defend" TotalDefense "total-defense" Parry "parry" Snap "snap" Swarm "swarm"
        Screen "screen" Disengage "disengage" Prone "prone" Stand "stand" Aid "aid" Hold "hold"
        Aim "aim" Door "door" PickUp "pick-up" Grid "grid" Reload "reload" Shove "shove"
        Grapple "grapple" Spell "spell" Climb "climb" Intimidate "intimidate" EndTurn "end-turn"
        Undo "undo" Pass "pass" Why "why" Staff "staff" Dagger "dagger" Spear "spear"
        HolySign "holy-sign" Fist "fist" Axe "axe" Bleeding "bleeding" Stunned "stunned"
        Held "held" Surprised "surprised" Fleeing "fleeing" Exit "exit" Eye "eye"
        Unseen "unseen" Die "die"
        Heart "heart" Skull "skull" Flag "flag" Book "book" Gear "gear" Save "save" Load "load"
        Play "play" Pause "pause" FastForward "fast-forward" Skip "skip" Close "close"
        Check "check" Sound "sound" Mute "mute" Map "map" ArrowRight "arrow-right"
        ArrowLeft "arrow-left" ArrowUp "arrow-up" ArrowDown "arrow-down"
}

/// One colour, and a pen of one width.
struct Flat {
    colour: Color,
    pen: f32,
}

impl Brush for Flat {
    fn colour(&self, _: Rgb) -> Color {
        self.colour
    }

    fn width(&self, in_file: f32) -> Option<f32> {
        Some(in_file * self.pen / PEN)
    }

    /// Icons have no textures.
    fn texture(&self, _: &mut Sheet, _: Texture, _: &DrawnShape) {}
}

/// An icon on a transparent ground, `px` pixels square. Small icons get a relatively
/// thicker pen.
pub fn icon(icon: Icon, px: u32, colour: Rgb) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32 / SIDE);
    draw(&mut sheet, icon, pen_for(px as f32), colour.solid());
    sheet.pixmap
}

/// The pen width, in icon units, that keeps an icon of this size legible.
pub(super) fn pen_for(px: f32) -> f32 {
    (2.0 * (24.0 / px).sqrt()).clamp(1.7, 2.8)
}

/// Draws an icon on the square from (0, 0) to ([`SIDE`], [`SIDE`]).
pub(super) fn draw(sheet: &mut Sheet, icon: Icon, pen: f32, colour: Color) {
    drawing(icon).draw(sheet, &Flat { colour, pen });
}

/// Draws an icon around a point, `size` units wide.
pub(super) fn draw_at(
    sheet: &mut Sheet,
    icon: Icon,
    (x, y): (f32, f32),
    size: f32,
    pen: f32,
    colour: Color,
) {
    let frame = Transform::from_translate(x - size / 2.0, y - size / 2.0)
        .pre_scale(size / SIDE, size / SIDE);
    sheet.within(frame, |sheet| draw(sheet, icon, pen, colour));
}

/// How much cover a target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    Half,
    Full,
}

/// A round badge with a wall, drawn beside a target: a low wall for half cover, a high one for full
/// cover. A shield would mean a defense.
pub fn cover_badge(cover: Cover, px: u32) -> Pixmap {
    /// Height of a row of stones.
    const ROW: f32 = 4.2;
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32 / SIDE);
    sheet.fill_circle(12.0, 12.0, 11.6, INK.solid());
    sheet.fill_circle(12.0, 12.0, 10.3, palette::CARD_ACTIVE.solid());
    let rows: &[f32] = match cover {
        Cover::Half => &[12.0, 12.0 + ROW],
        Cover::Full => &[5.4, 5.4 + ROW, 5.4 + 2.0 * ROW],
    };
    for (n, &top) in rows.iter().enumerate() {
        // The joints of one row are above the middles of the stones below.
        let joint = if n % 2 == 0 { 12.8 } else { 9.4 };
        for (west, east) in [(5.4, joint - 0.5), (joint + 0.5, 18.6)] {
            sheet.fill_rect(west, top, east - west, ROW - 1.0, INK.solid());
        }
    }
    sheet.pixmap
}
