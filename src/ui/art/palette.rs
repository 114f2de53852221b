//! Every colour of the game, by what it is for.
//!
//! The enemy and party colours stay apart for the common kinds of colour
//! blindness; still, nothing on the board is told by colour alone.

use tiny_skia::Color;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
/// For members of the party, first come first.
pub const PARTY: [Rgb; 4] = [BLUE, GREEN, PURPLE, BROWN];
/// For kinds of enemies, first come first.
pub const ENEMIES: [Rgb; 7] = [VERMILION, GREY, OLIVE, PURPLE, BROWN, BLUE, GREEN];

// What the player is told.
/// What can be done: reach, targets, the button to press.
pub const TEAL: Rgb = Rgb::hex(0x2F7F7A);
/// What costs the Main too.
pub const OCHRE: Rgb = Rgb::hex(0xC98A2B);
/// What may hurt, and what cannot be taken back.
pub const DANGER: Rgb = Rgb::hex(0xB3372F);
/// Whose turn it is.
pub const GOLD: Rgb = Rgb::hex(0xD9A520);
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

    /// Red, green and blue, each from 0 to 255.
    pub const fn bytes(self) -> [u8; 3] {
        [self.0, self.1, self.2]
    }

    /// The colour in full strength.
    pub fn solid(self) -> Color {
        Color::from_rgba8(self.0, self.1, self.2, 255)
    }

    /// The colour at a strength from 0 (nothing) to 1 (solid).
    pub fn alpha(self, strength: f32) -> Color {
        let a = (strength.clamp(0.0, 1.0) * 255.0).round() as u8;
        Color::from_rgba8(self.0, self.1, self.2, a)
    }

    /// The colour `share` (0 to 1) of the way to `other`.
    pub fn mix(self, other: Rgb, share: f32) -> Rgb {
        let share = share.clamp(0.0, 1.0);
        let one = |a: u8, b: u8| (a as f32 + (b as f32 - a as f32) * share).round() as u8;
        Rgb(
            one(self.0, other.0),
            one(self.1, other.1),
            one(self.2, other.2),
        )
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

    /// The colour as somebody without green cones sees it (the Viénot model),
    /// the commonest kind of colour blindness.
    pub fn as_seen_without_green(self) -> Rgb {
        let to_linear = |byte: u8| (byte as f32 / 255.0).powf(2.2);
        let (r, g, b) = (to_linear(self.0), to_linear(self.1), to_linear(self.2));
        let byte = |c: f32| (c.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8;
        let warm = 0.29275 * r + 0.70725 * g;
        Rgb(byte(warm), byte(warm), byte(-0.02234 * r + 0.02234 * g + b))
    }
}
