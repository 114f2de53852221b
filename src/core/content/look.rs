//! How creatures are drawn on the board. It does not affect the rules.

use super::section::word_enum;

word_enum! {
    /// The board's colours, safe for colour-blind players. Shape, icon and number carry the meaning
    /// too.
    pub enum Colour {
        Blue,
        Green,
        Purple,
        Brown,
        Vermilion,
        Grey,
        Olive,
    }
}

word_enum! {
    /// The white icon on a token.
    pub enum Icon {
        Sword,
        Axe,
        Spear,
        Mace,
        Dagger,
        Bow,
        Crossbow,
        Sling,
        Staff,
        Shield,
        Fist,
        Heart,
    }
}

/// How a creature is shown on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Look {
    /// The icon of its role on the base of its side: named characters.
    Token { icon: Icon, colour: Colour },
    /// Its face on the base of its side, with a number. The colour is that of its clothes or
    /// hide.
    Meeple { colour: Colour },
}

impl Look {
    pub fn colour(self) -> Colour {
        match self {
            Look::Token { colour, .. } | Look::Meeple { colour } => colour,
        }
    }
}

impl Colour {
    /// Red, green and blue, 0 to 255 each.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Self::Blue => [0x00, 0x72, 0xB2],
            Self::Green => [0x00, 0x79, 0x5A],
            Self::Purple => [0x9C, 0x5A, 0x8C],
            Self::Brown => [0x8A, 0x5A, 0x2B],
            Self::Vermilion => [0xD5, 0x5E, 0x00],
            Self::Grey => [0x5A, 0x5A, 0x5A],
            Self::Olive => [0x6B, 0x8E, 0x23],
        }
    }
}
