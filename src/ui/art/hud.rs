//! Drawings for the HUD: stars and pips; the colours of cards and buttons. The backdrop is
//! [`super::parchment`].

use tiny_skia::Pixmap;

use super::canvas::{DrawnShape, Sheet};
use super::palette::{self, INK, Rgb};

/// The purpose of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Panel {
    /// A card with text.
    Card,
    /// The card of the acting unit: lighter, edged with gold.
    CardActive,
    /// An action or a tooltip: lighter.
    CardLight,
    /// Something unavailable.
    CardPale,
    /// A button with ink on it.
    Button,
    /// The main button, with white text.
    ButtonPrimary,
    /// A button for something that cannot be undone, with white text.
    ButtonDanger,
}

impl Panel {
    pub const ALL: [Panel; 7] = [
        Panel::Card,
        Panel::CardActive,
        Panel::CardLight,
        Panel::CardPale,
        Panel::Button,
        Panel::ButtonPrimary,
        Panel::ButtonDanger,
    ];

    /// The panel of something that can be active, such as the chosen one of several buttons.
    pub fn active_if(self, is_active: bool) -> Self {
        if is_active { Self::CardActive } else { self }
    }

    /// The panel of something that can be unavailable, such as a button that does nothing now.
    pub fn pale_if(self, is_pale: bool) -> Self {
        if is_pale { Self::CardPale } else { self }
    }

    /// The background colour.
    pub fn background(self) -> Rgb {
        match self {
            Panel::Card => palette::CARD,
            Panel::CardActive | Panel::CardLight | Panel::Button => palette::CARD_ACTIVE,
            Panel::CardPale => palette::CARD_PALE,
            Panel::ButtonPrimary => palette::TEAL,
            Panel::ButtonDanger => palette::DANGER,
        }
    }

    /// The colour for text and icons on the background.
    pub fn text(self) -> Rgb {
        match self {
            Panel::CardPale => palette::PALE_INK,
            Panel::ButtonPrimary | Panel::ButtonDanger => palette::WHITE,
            _ => INK,
        }
    }
}

/// A star for a won level; its shape shows which AI was beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Star {
    /// Not won yet.
    Open,
    /// Won against the easy AI.
    Hollow,
    /// Won against the quick AI.
    Full,
    /// Won against the strategist.
    Dotted,
}

/// A star, `px` pixels square.
pub fn star(star: Star, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32).origin(0.5, 0.54);
    let point = |n: u8| {
        let angle = f32::from(n) * std::f32::consts::PI / 5.0;
        let far = if n.is_multiple_of(2) { 0.49 } else { 0.21 };
        (far * angle.sin(), -far * angle.cos())
    };
    let points: Vec<_> = (0..10).map(point).collect();
    let shape = DrawnShape::polygon(&points);
    let (fill, line) = match star {
        Star::Open => (palette::CARD_ACTIVE, palette::PALE_INK),
        _ => (palette::GOLD, INK),
    };
    sheet.fill(&shape, fill.solid());
    sheet.stroke(&shape, (1.2 / px as f32).max(0.06), line.solid());
    let middle = DrawnShape::circle(0.0, 0.0, 0.13);
    match star {
        Star::Open | Star::Full => {}
        Star::Hollow => sheet.fill(&middle, palette::CARD_ACTIVE.solid()),
        Star::Dotted => sheet.fill(&middle, INK.solid()),
    }
    sheet.pixmap
}

/// The symbol of an action of a round. Symbols differ in shape as well as in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pip {
    /// The main action: a Main, a standard action.
    Diamond,
    /// A Move.
    Disc,
    /// A free action.
    Square,
    /// A reaction.
    Triangle,
}

/// A pip, `px` pixels square: filled while the action is available, an empty outline
/// once it is spent.
pub fn pip(pip: Pip, spent: bool, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::square(px);
    let (shape, colour) = match pip {
        Pip::Diamond => (
            DrawnShape::polygon(&[(0.0, -0.43), (0.43, 0.0), (0.0, 0.43), (-0.43, 0.0)]),
            palette::OCHRE,
        ),
        Pip::Disc => (DrawnShape::circle(0.0, 0.0, 0.38), palette::TEAL),
        Pip::Square => (DrawnShape::rect(-0.34, -0.34, 0.68, 0.68), palette::LINK),
        Pip::Triangle => (
            DrawnShape::polygon(&[(0.0, -0.42), (0.44, 0.36), (-0.44, 0.36)]),
            palette::DANGER,
        ),
    };
    let fill = if spent { palette::CARD_ACTIVE } else { colour };
    sheet.fill(&shape, fill.solid());
    sheet.stroke(&shape, (1.4 / px as f32).max(0.09), INK.solid());
    sheet.pixmap
}
