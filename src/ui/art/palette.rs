//! Every colour of the game. Constants are named by purpose or by hue; the comment on each says
//! what it is for.
//!
//! The colours of sides and kinds are distinguishable with the common kinds of colour
//! blindness; even so, nothing on the board is shown by colour alone.
//!
//! The constants are the standard colours. Another [`Scheme`] replaces some of them
//! at the point of use: [`Rgb::bytes`] and the methods based on it look up the
//! current scheme. Drawing code therefore uses the constants and ignores schemes.

use super::vision::{Cones, to_light};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU8, Ordering};
use tiny_skia::Color;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

// Paper.
/// The background of the window and the map.
pub const PAPER: Rgb = Rgb::hex(0xE8DBBE);
/// Paper under the hatching beside a wall, and the surface of solid rock.
pub const ROCK: Rgb = Rgb::hex(0xD6C7A3);
/// The floor at the most common height.
pub const FLOOR: Rgb = Rgb::hex(0xF7F0DF);
/// Lines, outlines and text.
pub const INK: Rgb = Rgb::hex(0x2A211C);
/// Ink that must be weaker than other ink: small print, height labels.
pub const FADED_INK: Rgb = Rgb::hex(0x6A5F52);

// Features of the board.
/// Cut stone: low walls, rubble.
pub const STONE: Rgb = Rgb::hex(0xDBCDAA);
/// The lit side of a stone.
pub const STONE_LIGHT: Rgb = Rgb::hex(0xEADFC3);
/// The shaded side of a stone.
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
/// The first unit of the party.
pub const BLUE: Rgb = Rgb::hex(0x0072B2);
/// The second unit of the party; health.
pub const GREEN: Rgb = Rgb::hex(0x00795A);
/// The third unit of the party.
pub const PURPLE: Rgb = Rgb::hex(0x9C5A8C);
/// The fourth unit of the party.
pub const BROWN: Rgb = Rgb::hex(0x8A5A2B);
/// The first kind of enemy.
pub const VERMILION: Rgb = Rgb::hex(0xD55E00);
/// The second kind of enemy.
pub const GREY: Rgb = Rgb::hex(0x5A5A5A);
/// The third kind of enemy.
pub const OLIVE: Rgb = Rgb::hex(0x6B8E23);

/// The flat colours of units' tokens, in the order in which they are assigned.
pub const FLATS: [Rgb; 7] = [BLUE, GREEN, PURPLE, BROWN, VERMILION, GREY, OLIVE];

/// The sides: the player's own first, then the others in order. The shape and pattern
/// of a token's base also show the side.
pub const SIDES: [Rgb; 4] = [BLUE, VERMILION, PURPLE, GREY];

// Feedback to the player.
/// What you can do: cells in reach, targets, the main button.
pub const TEAL: Rgb = Rgb::hex(0x2F7F7A);
/// What also costs the Main action.
pub const OCHRE: Rgb = Rgb::hex(0xC98A2B);
/// Danger, and what cannot be undone.
pub const DANGER: Rgb = Rgb::hex(0xB3372F);
/// The unit whose turn it is.
pub const GOLD: Rgb = Rgb::hex(0xD9A520);
/// The chance to hit that is left if the target reacts; in the editor, changed values and warnings.
pub const AMBER: Rgb = Rgb::hex(0x8F4A08);
/// Where enemies are likely to move: brown enough not to look grey on the board.
pub const INTENT: Rgb = Rgb::hex(0x7A441C);
/// Links and rule ids.
pub const LINK: Rgb = Rgb::hex(0x2A78A8);
/// Health of a unit on your side.
pub const HEALTH: Rgb = GREEN;
/// Health of an enemy.
pub const HEALTH_ENEMY: Rgb = DANGER;
/// Lost health.
pub const HEALTH_EMPTY: Rgb = Rgb::hex(0x3A2E27);

/// Tint strength of the cells that a Move reaches, from 0 to 1.
pub const REACH_MOVE_ALPHA: f32 = 0.20;
/// Tint strength of the cells that also cost the Main action, from 0 to 1.
pub const REACH_MAIN_ALPHA: f32 = 0.26;
/// Strength of the grid lines on the floor, from 0 to 1.
pub const GRID_ALPHA: f32 = 0.20;

// Cards and buttons.
/// A card.
pub const CARD: Rgb = Rgb::hex(0xF3EAD3);
/// The card of the acting unit; tooltips.
pub const CARD_ACTIVE: Rgb = Rgb::hex(0xFFFBF0);
/// An action or card that is unavailable now.
pub const CARD_PALE: Rgb = Rgb::hex(0xE6DABD);
/// Text on something unavailable.
pub const PALE_INK: Rgb = Rgb::hex(0x7B6E5A);
/// Icons on flat colours.
pub const WHITE: Rgb = Rgb::hex(0xFFFFFF);

impl Rgb {
    /// A colour from `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Rgb {
        Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }

    /// This colour in the current scheme.
    fn shown(self) -> Rgb {
        self.in_scheme(scheme())
    }

    /// This colour in a scheme.
    pub fn in_scheme(self, scheme: Scheme) -> Rgb {
        let swap = scheme.swaps().iter().find(|swap| swap.0 == self);
        swap.map_or(self, |swap| swap.1)
    }

    /// Red, green and blue in the current scheme, each from 0 to 255.
    pub fn bytes(self) -> [u8; 3] {
        let Rgb(r, g, b) = self.shown();
        [r, g, b]
    }

    /// The opaque colour.
    pub fn solid(self) -> Color {
        self.alpha(1.0)
    }

    /// The colour at a strength from 0 (transparent) to 1 (opaque).
    pub fn alpha(self, strength: f32) -> Color {
        let [r, g, b] = self.bytes();
        let a = (strength.clamp(0.0, 1.0) * 255.0).round() as u8;
        Color::from_rgba8(r, g, b, a)
    }

    /// The mix of this colour and `other`; `share` (0 to 1) is the part of `other`.
    pub fn mix(self, other: Rgb, share: f32) -> Rgb {
        let share = share.clamp(0.0, 1.0);
        let channel = |a: u8, b: u8| (a as f32 + (b as f32 - a as f32) * share).round() as u8;
        let (from, to) = (self.shown(), other.shown());
        Rgb(
            channel(from.0, to.0),
            channel(from.1, to.1),
            channel(from.2, to.2),
        )
    }

    /// Relative luminance, from 0 (black) to 1 (white), as WCAG defines it.
    pub fn luminance(self) -> f32 {
        0.2126 * to_light(self.0) + 0.7152 * to_light(self.1) + 0.0722 * to_light(self.2)
    }

    /// Contrast between two colours, from 1 (none) to 21, as WCAG defines it. WCAG
    /// asks for 4.5 for body text, 3 for large text and for icons.
    pub fn contrast(self, other: Rgb) -> f32 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if a > b { a / b } else { b / a }
    }
}

/// A colour scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum Scheme {
    #[default]
    Standard,
    /// For players without green cones.
    Deutan,
    /// For players without red cones.
    Protan,
    /// For players without blue cones.
    Tritan,
    HighContrast,
}

/// The current scheme. It is global to the process because pictures are drawn on many
/// threads, by functions that use the constants above.
static SCHEME: AtomicU8 = AtomicU8::new(Scheme::Standard as u8);

/// The current scheme.
pub fn scheme() -> Scheme {
    let now = SCHEME.load(Ordering::Relaxed);
    let found = Scheme::ALL.into_iter().find(|s| *s as u8 == now);
    found.unwrap_or_default()
}

/// Sets the current scheme. Pictures that were drawn before keep their colours.
pub fn set_scheme(scheme: Scheme) {
    SCHEME.store(scheme as u8, Ordering::Relaxed);
}

/// A standard colour and its replacement.
pub type Swap = (Rgb, Rgb);

/// Eyes without green cones distinguish blue from orange, and dark from light.
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

/// Like [`DEUTAN`], with lighter reds: without red cones, red looks dark.
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

/// Eyes without blue cones distinguish red from blue-green, and dark from light.
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

/// Black on white, with icons as dark as text.
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

    /// The cones that the scheme's players lack, to simulate what they see. `None` for schemes
    /// that are not for colour blindness.
    pub fn missing_cones(self) -> Option<Cones> {
        match self {
            Self::Deutan => Some(Cones::Green),
            Self::Protan => Some(Cones::Red),
            Self::Tritan => Some(Cones::Blue),
            Self::Standard | Self::HighContrast => None,
        }
    }

    /// The colours that the scheme replaces.
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
