//! How creatures are drawn on the board. It does not affect the rules.

/// The board's colours, safe for colour-blind players. Shape, icon and number carry the meaning
/// too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    Blue,
    Green,
    Purple,
    Brown,
    Vermilion,
    Grey,
    Olive,
}

/// The white icon on a token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    pub const ALL: [Self; 7] = [
        Self::Blue,
        Self::Green,
        Self::Purple,
        Self::Brown,
        Self::Vermilion,
        Self::Grey,
        Self::Olive,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Blue => "Blue",
            Self::Green => "Green",
            Self::Purple => "Purple",
            Self::Brown => "Brown",
            Self::Vermilion => "Vermilion",
            Self::Grey => "Grey",
            Self::Olive => "Olive",
        }
    }

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

impl Icon {
    pub const ALL: [Self; 12] = [
        Self::Sword,
        Self::Axe,
        Self::Spear,
        Self::Mace,
        Self::Dagger,
        Self::Bow,
        Self::Crossbow,
        Self::Sling,
        Self::Staff,
        Self::Shield,
        Self::Fist,
        Self::Heart,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sword => "Sword",
            Self::Axe => "Axe",
            Self::Spear => "Spear",
            Self::Mace => "Mace",
            Self::Dagger => "Dagger",
            Self::Bow => "Bow",
            Self::Crossbow => "Crossbow",
            Self::Sling => "Sling",
            Self::Staff => "Staff",
            Self::Shield => "Shield",
            Self::Fist => "Fist",
            Self::Heart => "Heart",
        }
    }
}
