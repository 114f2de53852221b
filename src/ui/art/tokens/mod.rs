//! Tokens: the units on the board, with badges and health bars. The shape, colour and
//! pattern of its base show a token's side; the portrait on the base shows the kind,
//! and a label tells units of one kind apart.
//!
//! - [`base`]: the bases and their colours
//! - [`badges`]: conditions and health bars
//!
//! A token's picture is [`SPAN`] times as large as its cells, to hold its ring and
//! its shadow. Its centre belongs on the centre of its cells.

mod badges;
pub(super) mod base;

pub use badges::{BAR, Badge, Health, Tone, badge, bar_px, health_bar};
pub use base::Base;

use std::fmt;

use tiny_skia::{Pixmap, Transform};

use super::canvas::{DrawnShape, Point, Sheet};
use super::lettering::{self, Typeface};
use super::palette::{self, INK};
use super::portrait::{self, Hand, Portrait};
use base::TokenColours;

/// The side of a token's picture divided by the side of its cells. Pictures are
/// rounded up to whole pixels.
pub const SPAN: f32 = 1.36;

/// A unit on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    pub base: Base,
    /// The portrait on the base and the item it carries, which show the kind.
    pub portrait: Portrait,
    /// Its label among the units of its side. `None` for the only unit of a kind.
    pub label: Option<Label>,
    pub pose: Pose,
    /// Cells per side: 1, or 2 for a large unit.
    pub cells: u32,
    /// If it shares its cell: it is drawn small in this corner, given as (east,
    /// south), each −1 or 1.
    pub corner: Option<(i8, i8)>,
}

/// Distinguishes units of one side: "2", "A2" or "S".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    /// Letters for the kind, if numbers alone would repeat on the side, or for a unit's own name.
    pub letters: [Option<char>; 2],
    /// The number among the units of its kind, from 1. `None` for a unit with its own name.
    pub number: Option<u32>,
}

impl From<u32> for Label {
    fn from(number: u32) -> Self {
        Self {
            letters: [None; 2],
            number: Some(number),
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for letter in self.letters.iter().flatten() {
            write!(f, "{letter}")?;
        }
        self.number.map_or(Ok(()), |number| write!(f, "{number}"))
    }
}

/// How a token is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pose {
    #[default]
    Ready,
    /// With a gold ring: it is the unit's turn.
    Active,
    /// In softer colours: the unit has done all it can this round.
    Done,
    /// Tipped over, crossed out and pale: out of the fight.
    Down,
    /// Translucent: where a unit would stand.
    Ghost,
}

impl Pose {
    pub const ALL: [Pose; 5] = [
        Pose::Ready,
        Pose::Active,
        Pose::Done,
        Pose::Down,
        Pose::Ghost,
    ];

    fn colours(self, base: Base) -> TokenColours {
        match self {
            Pose::Ready | Pose::Active => TokenColours::fresh(base),
            Pose::Done => TokenColours::spent(base),
            Pose::Down => TokenColours::fallen(base),
            Pose::Ghost => TokenColours::ghost(base),
        }
    }
}

/// The radius of a base, as a share of the side of its cells.
const REACH: f32 = 0.455;
/// The size of a token that shares its cell, and its distance from the middle of its cells in both
/// directions, as a share of their side. A fallen unit is smaller and further out, but inside its
/// cells: it must not compete with a standing one, or seem to lie in the next cell.
const SHARED: (f32, f32) = (0.66, 0.21);
const LYING: (f32, f32) = (0.38, 0.29);

/// The size of a token as a factor, and the place of its middle relative to the middle of its
/// cells, as a share of their side. `corner` is set if it shares its cell.
pub fn frame(pose: Pose, corner: Option<(i8, i8)>) -> (f32, Point) {
    let Some((east, south)) = corner else {
        return (1.0, (0.0, 0.0));
    };
    let (size, off) = match pose {
        Pose::Down => LYING,
        _ => SHARED,
    };
    (size, (off * f32::from(east), off * f32::from(south)))
}

/// Draws a token for cells `cell_px` pixels wide.
pub fn token(token: Token, cell_px: u32) -> Pixmap {
    in_frame(token, cell_px, |sheet, token, across| {
        draw_token(sheet, token, across);
        draw_label(sheet, token, across);
    })
}

/// Draws only the label of a token, where it is on the token's picture, which has the same size.
pub fn label(token: Token, cell_px: u32) -> Pixmap {
    in_frame(token, cell_px, draw_label)
}

/// A picture of the size of a token's, in which `draw` draws the token or a part of it around the
/// origin; it gets the side of the token's cells in pixels, which is one unit of the sheet.
fn in_frame(token: Token, cell_px: u32, draw: impl FnOnce(&mut Sheet, Token, f32)) -> Pixmap {
    let across = cell_px.max(1) as f32 * token.cells.max(1) as f32;
    // The same whole number of pixels on each side, so that the centre of the picture
    // is aligned to pixels like the centre of the cells.
    let px = across + 2.0 * (across * (SPAN - 1.0) / 2.0).ceil();
    let middle = px / across / 2.0;
    let mut sheet = Sheet::new(px as u32, px as u32, across).origin(middle, middle);
    let (size, (east, south)) = frame(token.pose, token.corner);
    let place = Transform::from_translate(east, south).pre_scale(size, size);
    sheet.within(place, |sheet| draw(sheet, token, across));
    sheet.pixmap
}

/// Draws a token without its label around the origin; `across` is the side of its cells in pixels.
fn draw_token(sheet: &mut Sheet, token: Token, across: f32) {
    let Token { base, pose, .. } = token;
    let colours = pose.colours(base);
    // Ink keeps its width when the token is twice as big.
    let line = (0.042 / token.cells as f32).max(1.3 / across);
    let grain = 0.135 / token.cells as f32;
    match pose {
        Pose::Active => gold_ring(sheet, base),
        Pose::Ghost => {
            let dashes = [0.1, 0.075].map(|length| length / token.cells as f32);
            let ring = base.outline(REACH - line * 0.5);
            sheet.dash(&ring, line * 1.3, base.colour().solid(), &dashes);
        }
        _ => {}
    }
    if !matches!(pose, Pose::Down | Pose::Ghost) {
        shadow(sheet, &base.outline(REACH - 0.01));
    }
    base.draw(sheet, REACH, (line, grain), colours);
    // A fallen unit is tipped over, but a small face is easier to recognise upright.
    let place = match token.corner {
        None if pose == Pose::Down => Transform::from_rotate(76.0),
        _ => Transform::identity(),
    };
    sheet.within_shape(&base.outline(REACH - line), |sheet| {
        sheet.within(place, |sheet| {
            portrait_on_base(
                sheet,
                (base, token.portrait),
                (across, line, REACH),
                colours,
            )
        })
    });
    if matches!(pose, Pose::Ready | Pose::Active | Pose::Done) {
        portrait::carried(sheet, token.portrait, across);
    }
    let small = 1.0 / token.cells as f32;
    if pose == Pose::Down {
        // Where it is visible even if another unit stands in the cell.
        let (east, south) = token.corner.unwrap_or((1, 1));
        let at = (0.29 * f32::from(east), 0.29 * f32::from(south));
        crossed(sheet, at, 0.12 * small);
    }
}

/// Draws the label of a token.
fn draw_label(sheet: &mut Sheet, token: Token, across: f32) {
    let pose = token.pose;
    let small = 1.0 / token.cells as f32;
    // Several bodies in one cell have no space for numbers.
    let is_in_heap = pose == Pose::Down && token.corner.is_some();
    if let Some(label) = token.label.filter(|_| !is_in_heap) {
        let out = 0.335 * small - 0.46 * (small - 1.0);
        // Not beyond its own cells, where a neighbour's badges and hit points are.
        let (radius, line) = label_disc(across, small);
        let at = match pose {
            // Away from the cross.
            Pose::Down => -0.30,
            _ => (-out * 0.86 - 0.05).max(radius + line - 0.5),
        };
        // Beside the hit points of a unit in the upper left corner of the same cell.
        let east = match token.corner {
            Some((1, 1)) => 0.0,
            _ => at,
        };
        let at = (east, at);
        label_at(sheet, label, at, (across, small), pose == Pose::Down);
    }
}

/// A portrait on a base, clipped to the base's outline.
fn portrait_on_base(
    sheet: &mut Sheet,
    (base, of): (Base, Portrait),
    (across, line, reach): (f32, f32, f32),
    colours: TokenColours,
) {
    let window = base.outline(reach - 2.6 * line);
    sheet.within_shape(&window, |sheet| {
        // Portraits of the player's units are drawn on a pale ground.
        if base == Base::Round {
            let pale = base.colour().mix(palette::FLOOR, 0.66);
            sheet.fill(&window, pale.solid());
        }
        let room = Transform::from_translate(0.0, 0.075).pre_scale(BUST, BUST);
        sheet.within(room, |sheet| portrait::bust(sheet, of, across * BUST));
        if let Some(tint) = colours.portrait_tint {
            sheet.fill_rect(-1.0, -1.0, 2.0, 2.0, tint);
        }
    });
}

/// The size of a portrait on a base, as a share of its cells.
const BUST: f32 = 1.12;

/// The picture of a unit in lists: its base and portrait, `px` pixels square.
pub fn chip(chip: Chip, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::square(px);
    let across = px as f32;
    let colours = match chip.state {
        ChipState::Ready => TokenColours::fresh(chip.base),
        ChipState::Done => TokenColours::spent(chip.base),
        ChipState::Fallen => TokenColours::fallen(chip.base),
    };
    // Adjust shapes with corners to the square.
    let reach = match chip.base {
        Base::Round => 0.49,
        Base::Hexagon => 0.465,
        Base::Square => 0.5,
        Base::Lozenge => 0.43,
    };
    let line = (1.2 / across).max(0.045);
    chip.base.draw(&mut sheet, reach, (line, 0.15), colours);
    let form = (across, line, reach);
    portrait_on_base(&mut sheet, (chip.base, chip.portrait), form, colours);
    if chip.state == ChipState::Fallen {
        crossed(&mut sheet, (0.28, 0.28), 0.14);
    } else if matches!(chip.portrait.hand, Hand::Chief | Hand::Banner) {
        // What marks a leader on the board; a token has more space around its base.
        let place = Transform::from_translate(0.0, 0.03).pre_scale(0.85, 0.85);
        sheet.within(place, |sheet| {
            portrait::carried(sheet, chip.portrait, across * 0.85)
        });
    }
    if let Some(label) = chip.label {
        let is_pale = chip.state != ChipState::Ready;
        // At small sizes the disc is relatively larger, so it moves inwards.
        let (radius, line) = label_disc(across, 1.0);
        let at = (radius + line - 0.5).max(-0.3);
        label_at(&mut sheet, label, (at, at), (across, 1.0), is_pale);
    }
    sheet.pixmap
}

/// The unit that a [`chip`] shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chip {
    pub base: Base,
    pub portrait: Portrait,
    pub label: Option<Label>,
    pub state: ChipState,
}

/// How a chip is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ChipState {
    #[default]
    Ready,
    /// The unit has done all it can, or its turn is over.
    Done,
    /// Out of the fight.
    Fallen,
}

fn gold_ring(sheet: &mut Sheet, base: Base) {
    let ring = base.outline(REACH + 0.05);
    sheet.stroke(&ring, 0.12, INK.solid());
    sheet.stroke(&ring, 0.085, palette::GOLD.solid());
}

/// A soft shadow to the lower right.
fn shadow(sheet: &mut Sheet, shape: &DrawnShape) {
    sheet.within(Transform::from_translate(0.022, 0.04), |sheet| {
        for (wide, strength) in [(0.10, 0.08), (0.06, 0.10), (0.03, 0.12)] {
            sheet.stroke(shape, wide, INK.alpha(strength));
        }
    });
}

/// A cross with a pale outline at a corner: the unit is out of the fight.
fn crossed(sheet: &mut Sheet, (x, y): Point, half: f32) {
    let pen = half / 0.12;
    let bars = [
        DrawnShape::polyline(&[(x - half, y - half), (x + half, y + half)]),
        DrawnShape::polyline(&[(x - half, y + half), (x + half, y - half)]),
    ];
    for (wide, ink) in [(0.115, palette::CARD_ACTIVE), (0.055, INK)] {
        bars.iter()
            .for_each(|bar| sheet.stroke(bar, wide * pen, ink.solid()));
    }
}

/// The radius of a label's disc and the width of its outline. On small tokens the disc is
/// relatively larger.
fn label_disc(across: f32, size: f32) -> (f32, f32) {
    let radius = 0.165 * (40.0 / across).clamp(1.0, 1.3) * size;
    (radius, (1.1 / across).max(0.028 * size))
}

/// The font size of a label's text, and how much wider than high its disc is to hold the text.
/// Wide text is a little smaller, so that it leaves most of the portrait visible.
pub fn label_span(text: &str, radius: f32) -> (f32, f32) {
    let size = 2.15 * radius;
    let size = size * (2.7 * radius / lettering::width(Typeface::Bold, text, size)).clamp(0.8, 1.0);
    let wide = lettering::width(Typeface::Bold, text, size);
    (size, (wide - 1.4 * radius).max(0.0))
}

/// A label on a white disc.
fn label_at(
    sheet: &mut Sheet,
    label: Label,
    (x, y): Point,
    (across, size): (f32, f32),
    is_pale: bool,
) {
    let digits = label.to_string();
    let (radius, line) = label_disc(across, size);
    let (ground, ink) = match is_pale {
        true => (palette::CARD, palette::FADED_INK),
        false => (palette::WHITE, INK),
    };
    let (size, long) = label_span(&digits, radius);
    let disc = |radius: f32| {
        let (wide, high) = (2.0 * radius + long, 2.0 * radius);
        DrawnShape::rounded(x - radius, y - radius, wide, high, radius)
    };
    sheet.fill(&disc(radius + line), ink.solid());
    sheet.fill(&disc(radius), ground.solid());
    let figures = lettering::centred(Typeface::Bold, &digits, size, x + long / 2.0, y);
    sheet.fill(&figures, ink.solid());
}
