//! Every colour of the game, by what it is for.
//!
//! The enemy and party colours stay apart for the common kinds of colour
//! blindness; still, nothing on the board is told by colour alone.
//!
//! The constants are the standard colours. Another [`Scheme`] puts others in
//! their place wherever a colour is used: [`Rgb::bytes`] and its kin ask the
//! scheme that is in force. So whoever draws names a colour by what it is for
//! and need not know of schemes.

use super::vision::Cones;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU8, Ordering};
use tiny_skia::Color;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

// The sheet.
/// The sheet that everything lies on.
pub const PAPER: Rgb = Rgb::hex(0xE8DBBE);
/// Paper under the hatching beside a wall, and the body of whatever is solid.
pub const ROCK: Rgb = Rgb::hex(0xD6C7A3);
/// Floor at the common height.
pub const FLOOR: Rgb = Rgb::hex(0xF7F0DF);
/// Lines, outlines and text.
pub const INK: Rgb = Rgb::hex(0x2A211C);
/// Ink that has to stay behind other ink: small print, height labels.
pub const FADED_INK: Rgb = Rgb::hex(0x6A5F52);

// What stands on the board.
/// Cut stone: low walls, rubble.
pub const STONE: Rgb = Rgb::hex(0xDBCDAA);
/// Stone that catches the light.
pub const STONE_LIGHT: Rgb = Rgb::hex(0xEADFC3);
/// The side of a stone that lies in shade.
pub const STONE_DARK: Rgb = Rgb::hex(0xB7A67E);
/// The wash over shallow water.
pub const WATER: Rgb = Rgb::hex(0xBDD0D3);
/// Waves and shores.
pub const WATER_INK: Rgb = Rgb::hex(0x3F6E80);
/// Doors.
pub const OAK: Rgb = Rgb::hex(0xB98248);
/// The grain of a door.
pub const OAK_DARK: Rgb = Rgb::hex(0x8A5A2B);

// Sides and kinds: one set, safe for colour-blind players.
/// The first of the party.
pub const BLUE: Rgb = Rgb::hex(0x0072B2);
/// The second of the party; health.
pub const GREEN: Rgb = Rgb::hex(0x00795A);
/// The third of the party.
pub const PURPLE: Rgb = Rgb::hex(0x9C5A8C);
/// The fourth of the party.
pub const BROWN: Rgb = Rgb::hex(0x8A5A2B);
/// The first kind of enemy.
pub const VERMILION: Rgb = Rgb::hex(0xD55E00);
/// The second kind of enemy.
pub const GREY: Rgb = Rgb::hex(0x5A5A5A);
/// The third kind of enemy.
pub const OLIVE: Rgb = Rgb::hex(0x6B8E23);

/// The flat colours for tokens and meeples, in the order to hand them out.
pub const FLATS: [Rgb; 7] = [BLUE, GREEN, PURPLE, BROWN, VERMILION, GREY, OLIVE];

/// The sides: the player's own, and those against them as they come. The shape
/// and the pattern of a token's base tell them too.
pub const SIDES: [Rgb; 4] = [BLUE, VERMILION, PURPLE, GREY];

// What the player is told.
/// What can be done: reach, targets, the button to press.
pub const TEAL: Rgb = Rgb::hex(0x2F7F7A);
/// What costs the Main too.
pub const OCHRE: Rgb = Rgb::hex(0xC98A2B);
/// What may hurt, and what cannot be taken back.
pub const DANGER: Rgb = Rgb::hex(0xB3372F);
/// Whose turn it is.
pub const GOLD: Rgb = Rgb::hex(0xD9A520);
/// A chance that is left where the target answers.
pub const ANSWERED: Rgb = Rgb::hex(0x8F4A08);
/// What enemies are likely to do.
pub const INTENT: Rgb = Rgb::hex(0x5A3B28);
/// Links and the ids of rules.
pub const LINK: Rgb = Rgb::hex(0x2A78A8);
/// Health of a friend.
pub const HEALTH: Rgb = GREEN;
/// Health of an enemy, and of a friend who has half or less.
pub const HEALTH_ENEMY: Rgb = DANGER;
/// Health that is lost.
pub const HEALTH_EMPTY: Rgb = Rgb::hex(0x3A2E27);

/// How strongly the cells in reach of a Move are tinted, from 0 to 1.
pub const REACH_MOVE_ALPHA: f32 = 0.20;
/// How strongly the cells that cost the Main too are tinted, from 0 to 1.
pub const REACH_MAIN_ALPHA: f32 = 0.26;
/// How strongly grid lines show on the floor, from 0 to 1.
pub const GRID_ALPHA: f32 = 0.20;

// The HUD.
/// A card.
pub const CARD: Rgb = Rgb::hex(0xF3EAD3);
/// The card of whoever is to act; tooltips.
pub const CARD_ACTIVE: Rgb = Rgb::hex(0xFFFBF0);
/// An act or a card that is out of play for now.
pub const CARD_PALE: Rgb = Rgb::hex(0xE6DABD);
/// Text on what is out of play for now.
pub const PALE_INK: Rgb = Rgb::hex(0x7B6E5A);
/// Signs on flat colours.
pub const WHITE: Rgb = Rgb::hex(0xFFFFFF);

impl Rgb {
    /// From the usual notation, `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Rgb {
        Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }

    /// The colour that stands for this one in the scheme that is in force.
    fn shown(self) -> Rgb {
        self.in_scheme(scheme())
    }

    /// The colour that stands for this one in a scheme.
    pub fn in_scheme(self, scheme: Scheme) -> Rgb {
        let swap = scheme.swaps().iter().find(|swap| swap.0 == self);
        swap.map_or(self, |swap| swap.1)
    }

    /// Red, green and blue as shown, each from 0 to 255.
    pub fn bytes(self) -> [u8; 3] {
        let Rgb(r, g, b) = self.shown();
        [r, g, b]
    }

    /// The colour in full strength.
    pub fn solid(self) -> Color {
        self.alpha(1.0)
    }

    /// The colour at a strength from 0 (nothing) to 1 (solid).
    pub fn alpha(self, strength: f32) -> Color {
        let [r, g, b] = self.bytes();
        let a = (strength.clamp(0.0, 1.0) * 255.0).round() as u8;
        Color::from_rgba8(r, g, b, a)
    }

    /// The colour `share` (0 to 1) of the way to `other`.
    pub fn mix(self, other: Rgb, share: f32) -> Rgb {
        let share = share.clamp(0.0, 1.0);
        let one = |a: u8, b: u8| (a as f32 + (b as f32 - a as f32) * share).round() as u8;
        let (from, to) = (self.shown(), other.shown());
        Rgb(one(from.0, to.0), one(from.1, to.1), one(from.2, to.2))
    }

    /// Relative luminance, from 0 (black) to 1 (white), as WCAG defines it.
    pub fn luminance(self) -> f32 {
        let linear = |byte: u8| {
            let c = byte as f32 / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Contrast between two colours, from 1 (none) to 21, as WCAG defines it:
    /// 4.5 is asked for body text, 3 for large text and for signs.
    pub fn contrast(self, other: Rgb) -> f32 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if a > b { a / b } else { b / a }
    }
}

/// Which colours are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum Scheme {
    #[default]
    Standard,
    /// For eyes without green cones.
    Deutan,
    /// For eyes without red cones.
    Protan,
    /// For eyes without blue cones.
    Tritan,
    HighContrast,
}

/// The scheme in force. Pictures are drawn on many threads, by functions that
/// take colours from the constants above: so it is one for the whole process.
static SCHEME: AtomicU8 = AtomicU8::new(Scheme::Standard as u8);

pub fn scheme() -> Scheme {
    let now = SCHEME.load(Ordering::Relaxed);
    let found = Scheme::ALL.into_iter().find(|s| *s as u8 == now);
    found.unwrap_or_default()
}

/// Puts a scheme into force. What has been drawn stays as it is.
pub fn set_scheme(scheme: Scheme) {
    SCHEME.store(scheme as u8, Ordering::Relaxed);
}

/// A standard colour, and what stands for it.
pub type Swap = (Rgb, Rgb);

/// Blue against orange and dark against light is what these eyes tell apart.
const DEUTAN: &[Swap] = &[
    (GREEN, Rgb::hex(0x1C4F8A)),
    (PURPLE, Rgb::hex(0x4A3F8F)),
    (BROWN, Rgb::hex(0x6B4A00)),
    (OLIVE, Rgb::hex(0x8A7A00)),
    (TEAL, Rgb::hex(0x1F6FA8)),
    (OCHRE, Rgb::hex(0xDB9A12)),
    (DANGER, Rgb::hex(0xA83A00)),
    (GOLD, Rgb::hex(0xE0A800)),
];

/// As [`DEUTAN`], with lighter reds: to these eyes red is dark.
const PROTAN: &[Swap] = &[
    (GREEN, Rgb::hex(0x1C4F8A)),
    (PURPLE, Rgb::hex(0x4A3F8F)),
    (BROWN, Rgb::hex(0x6E5000)),
    (OLIVE, Rgb::hex(0x8A7A00)),
    (VERMILION, Rgb::hex(0xD06A00)),
    (TEAL, Rgb::hex(0x1F6FA8)),
    (OCHRE, Rgb::hex(0xE0A21A)),
    (DANGER, Rgb::hex(0xA84A00)),
    (GOLD, Rgb::hex(0xE6B000)),
];

/// Red against blue-green and dark against light is what these eyes tell apart.
const TRITAN: &[Swap] = &[
    (BLUE, Rgb::hex(0x006E78)),
    (GREEN, Rgb::hex(0x00584A)),
    (PURPLE, Rgb::hex(0x8E3A6B)),
    (BROWN, Rgb::hex(0x7A4A3A)),
    (VERMILION, Rgb::hex(0xD2401F)),
    (OLIVE, Rgb::hex(0x8B5A6B)),
    (TEAL, Rgb::hex(0x00757A)),
    (OCHRE, Rgb::hex(0xE07A5F)),
    (DANGER, Rgb::hex(0xB01030)),
    (GOLD, Rgb::hex(0xF07A50)),
    (LINK, Rgb::hex(0x0A6A78)),
];

/// Black on white, and signs as dark as print.
const HIGH_CONTRAST: &[Swap] = &[
    (PAPER, Rgb::hex(0xF4F4F0)),
    (ROCK, Rgb::hex(0xC8C8C2)),
    (FLOOR, Rgb::hex(0xFEFEFE)),
    (INK, Rgb::hex(0x000000)),
    (FADED_INK, Rgb::hex(0x333333)),
    (STONE, Rgb::hex(0xC4C4BE)),
    (STONE_LIGHT, Rgb::hex(0xE2E2DE)),
    (STONE_DARK, Rgb::hex(0x84847E)),
    (CARD, Rgb::hex(0xFBFBFB)),
    (CARD_ACTIVE, Rgb::hex(0xFDFDFD)),
    (CARD_PALE, Rgb::hex(0xE4E4E4)),
    (PALE_INK, Rgb::hex(0x4A4A4A)),
    (BLUE, Rgb::hex(0x00508A)),
    (GREEN, Rgb::hex(0x005A3C)),
    (PURPLE, Rgb::hex(0x7A2A6A)),
    (BROWN, Rgb::hex(0x63380F)),
    (VERMILION, Rgb::hex(0xB84300)),
    (GREY, Rgb::hex(0x3C3C3C)),
    (OLIVE, Rgb::hex(0x4C6600)),
    (TEAL, Rgb::hex(0x005F5A)),
    (OCHRE, Rgb::hex(0xB87400)),
    (DANGER, Rgb::hex(0x98100A)),
    (GOLD, Rgb::hex(0xE09A00)),
    (LINK, Rgb::hex(0x00508B)),
    (WATER, Rgb::hex(0xB8DCEA)),
    (WATER_INK, Rgb::hex(0x00486A)),
];

impl Scheme {
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::Deutan,
        Self::Protan,
        Self::Tritan,
        Self::HighContrast,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "Standard",
            Self::Deutan => "Deuteranopia",
            Self::Protan => "Protanopia",
            Self::Tritan => "Tritanopia",
            Self::HighContrast => "High contrast",
        }
    }

    /// The cones that the eyes lack that it is for.
    pub fn eyes(self) -> Option<Cones> {
        match self {
            Self::Deutan => Some(Cones::Green),
            Self::Protan => Some(Cones::Red),
            Self::Tritan => Some(Cones::Blue),
            Self::Standard | Self::HighContrast => None,
        }
    }

    /// The colours that it has others for.
    pub fn swaps(self) -> &'static [Swap] {
        match self {
            Self::Standard => &[],
            Self::Deutan => DEUTAN,
            Self::Protan => PROTAN,
            Self::Tritan => TRITAN,
            Self::HighContrast => HIGH_CONTRAST,
        }
    }
}
