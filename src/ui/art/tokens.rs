//! Who stands on the board: round tokens for the party, meeples for the
//! others, and the small things about them.
//!
//! A token's picture is larger than its cells, by [`SPAN`], to hold its ring
//! and its shadow; its middle belongs on the middle of its cells.

use tiny_skia::{Color, Pixmap, Transform};

use super::canvas::{Shape, Sheet, Spot};
use super::icons::{self, Icon};
use super::lettering::{self, Face};
use super::palette::{self, INK, Rgb};

/// The side of a token's picture over the side of the cells that it stands on;
/// pictures are rounded up from it to whole pixels.
pub const SPAN: f32 = 1.36;

/// What somebody does in the party.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Sword,
    Bow,
    Staff,
    Shield,
    Dagger,
    Spear,
    HolySign,
    Fist,
    Axe,
}

/// A member of the party.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hero {
    pub role: Role,
    /// One of [`palette::FLATS`]; white has to be read on it.
    pub colour: Rgb,
    pub pose: Pose,
    /// Cells on a side: 1, or 2 for the large.
    pub cells: u32,
}

/// Somebody else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeple {
    pub figure: Figure,
    /// One of [`palette::FLATS`], the same for all of a kind.
    pub colour: Rgb,
    /// Which of its kind, from 1. No number for who is alone.
    pub number: Option<u32>,
    pub pose: Pose,
    /// Cells on a side: 1, or 2 for the large.
    pub cells: u32,
}

/// How a token lies or stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pose {
    #[default]
    Ready,
    /// In a gold ring: it is its turn.
    Active,
    /// Has done all it can this round: in softer colours.
    Done,
    /// Tipped over: out of the fight.
    Down,
}

/// The outline of a meeple: kinds differ by it, not by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    Plain,
    /// Long ears to the sides.
    Ears,
    /// A helmet with a rim.
    Helm,
    /// A pointed hood.
    Hood,
    /// Two horns.
    Horns,
    /// Broad, with a small head.
    Brute,
    /// On four legs.
    Beast,
}

impl Figure {
    pub const ALL: [Figure; 7] = [
        Figure::Plain,
        Figure::Ears,
        Figure::Helm,
        Figure::Hood,
        Figure::Horns,
        Figure::Brute,
        Figure::Beast,
    ];
}

impl Role {
    pub const ALL: [Role; 9] = [
        Role::Sword,
        Role::Bow,
        Role::Staff,
        Role::Shield,
        Role::Dagger,
        Role::Spear,
        Role::HolySign,
        Role::Fist,
        Role::Axe,
    ];

    /// The sign on the token and on the card.
    pub fn icon(self) -> Icon {
        match self {
            Role::Sword => Icon::Strike,
            Role::Bow => Icon::Shoot,
            Role::Staff => Icon::Staff,
            Role::Shield => Icon::Defend,
            Role::Dagger => Icon::Dagger,
            Role::Spear => Icon::Spear,
            Role::HolySign => Icon::HolySign,
            Role::Fist => Icon::Fist,
            Role::Axe => Icon::Axe,
        }
    }
}

/// A party token, for cells `cell_px` pixels wide.
pub fn hero(hero: Hero, cell_px: u32) -> Pixmap {
    let mut sheet = stand(hero.cells, cell_px);
    let across = cell_px as f32 * hero.cells as f32;
    if hero.pose == Pose::Active {
        gold_ring(&mut sheet, 0.505);
    }
    if hero.pose != Pose::Down {
        shadow(&mut sheet, &Shape::circle(0.0, 0.0, 0.445));
    }
    let (colour, white) = worn(hero.colour, hero.pose);
    disc(&mut sheet, colour, white);
    let pen = icons::pen_for(across * 0.5) * 1.12;
    let sign =
        |sheet: &mut Sheet| icons::draw_at(sheet, hero.role.icon(), (0.0, 0.0), 0.50, pen, white);
    if hero.pose == Pose::Down {
        sheet.within(Transform::from_rotate(100.0), sign);
        fallen(&mut sheet);
    } else {
        sign(&mut sheet);
    }
    sheet.pixmap
}

/// A meeple, for cells `cell_px` pixels wide.
pub fn meeple(meeple: Meeple, cell_px: u32) -> Pixmap {
    let mut sheet = stand(meeple.cells, cell_px);
    let across = cell_px as f32 * meeple.cells as f32;
    // Ink keeps its width when the figure is twice as big.
    let line = (0.052 / meeple.cells as f32).max(1.6 / across);
    if meeple.pose == Pose::Active {
        gold_ring(&mut sheet, 0.505);
    }
    let outline = figure(meeple.figure);
    let (colour, white) = worn(meeple.colour, meeple.pose);
    let frame = match meeple.pose {
        // Four legs in the air; two to one side.
        Pose::Down if meeple.figure == Figure::Beast => {
            Transform::from_row(0.92, 0.0, 0.08, -0.92, 0.0, 0.1)
        }
        Pose::Down => Transform::from_rotate(94.0)
            .post_translate(0.02, 0.10)
            .pre_scale(0.92, 0.92),
        _ => Transform::identity(),
    };
    sheet.within(frame, |sheet| {
        if meeple.pose != Pose::Down {
            outline
                .iter()
                .flatten()
                .for_each(|part| shadow(sheet, part));
        }
        inked(sheet, &outline, line, colour);
    });
    if let Some(number) = meeple.number {
        // Upright even on a figure that lies, so that it can be read.
        let at = match (meeple.pose, meeple.figure) {
            (Pose::Down, Figure::Beast) => (0.0, 0.06),
            (Pose::Down, _) => (0.02, 0.115),
            (_, Figure::Beast) => (0.0, 0.045),
            (_, Figure::Hood) => (0.0, 0.12),
            _ => (0.0, 0.06),
        };
        number_at(&mut sheet, number, at, 0.34, across, white);
    }
    sheet.pixmap
}

/// The chip that stands for a token in the round's order: a round one for the
/// party, a card with the meeple on it for others. `px` pixels square.
pub fn chip(token: Chip, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32).origin(0.5, 0.5);
    match token {
        Chip::Hero { role, colour, done } => {
            let (colour, white) = worn(colour, if done { Pose::Done } else { Pose::Ready });
            disc(&mut sheet, colour, white);
            icons::draw_at(
                &mut sheet,
                role.icon(),
                (0.0, 0.0),
                0.52,
                icons::pen_for(px as f32 * 0.52),
                white,
            );
        }
        Chip::Meeple {
            figure: kind,
            colour,
            number,
            done,
        } => {
            let (colour, white) = worn(colour, if done { Pose::Done } else { Pose::Ready });
            let line = (1.4 / px as f32).max(0.04);
            sheet.fill(&Shape::rounded(-0.49, -0.49, 0.98, 0.98, 0.16), INK.solid());
            let inner = 0.49 - line;
            let card = if done {
                palette::CARD_PALE
            } else {
                palette::CARD_ACTIVE
            };
            sheet.fill(
                &Shape::rounded(-inner, -inner, inner * 2.0, inner * 2.0, 0.13),
                card.solid(),
            );
            let frame = Transform::from_scale(0.92, 0.92);
            sheet.within(frame, |sheet| {
                inked(sheet, &figure(kind), line * 0.9, colour)
            });
            if let Some(number) = number {
                number_at(
                    &mut sheet,
                    number,
                    (0.0, if kind == Figure::Hood { 0.11 } else { 0.055 }),
                    0.37,
                    px as f32,
                    white,
                );
            }
        }
    }
    sheet.pixmap
}

/// The combatant that a [`chip`] stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chip {
    Hero {
        role: Role,
        colour: Rgb,
        done: bool,
    },
    Meeple {
        figure: Figure,
        colour: Rgb,
        number: Option<u32>,
        done: bool,
    },
}

/// A sign of what is the matter with somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Badge {
    pub icon: Icon,
    pub tone: Tone,
}

/// Whether it is good to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    Bad,
    Good,
    /// Neither, or a bit of both.
    Mixed,
}

impl Tone {
    fn colour(self) -> Rgb {
        match self {
            Tone::Bad => palette::DANGER,
            Tone::Good => palette::TEAL,
            Tone::Mixed => INK,
        }
    }
}

/// A round badge for a condition, `px` pixels square: about a third of a cell.
pub fn badge(badge: Badge, px: u32) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32).origin(0.5, 0.5);
    let line = (1.2 / px as f32).max(0.05);
    sheet.fill(&Shape::circle(0.0, 0.0, 0.49), INK.solid());
    sheet.fill(
        &Shape::circle(0.0, 0.0, 0.49 - line),
        palette::CARD_ACTIVE.solid(),
    );
    let pen = icons::pen_for(px as f32 * 0.62);
    icons::draw_at(
        &mut sheet,
        badge.icon,
        (0.0, 0.0),
        0.62,
        pen,
        badge.tone.colour().solid(),
    );
    sheet.pixmap
}

/// A health bar, for under a token: `share` of it full, from 0 to 1. As wide
/// as 0.82 of the token's cells, and thin.
pub fn health_bar(share: f32, hostile: bool, cells: u32, cell_px: u32) -> Pixmap {
    let width = (0.82 * cell_px as f32 * cells as f32).round().max(4.0);
    let height = (0.105 * cell_px as f32).round().max(4.0);
    let mut sheet = Sheet::new(width as u32, height as u32, 1.0);
    let line = (height / 4.5).clamp(1.0, 2.0).round();
    sheet.fill(
        &Shape::rounded(0.0, 0.0, width, height, height / 3.0),
        INK.solid(),
    );
    let inner = (width - 2.0 * line, height - 2.0 * line);
    sheet.fill(
        &Shape::rect(line, line, inner.0, inner.1),
        palette::HEALTH_EMPTY.solid(),
    );
    // Nobody who stands looks dead, nobody who is hurt looks whole.
    let share = share.clamp(0.0, 1.0);
    let filled = inner.0 * share;
    let filled = if share > 0.0 { filled.max(1.0) } else { 0.0 };
    let filled = if share < 1.0 {
        filled.min(inner.0 - 1.0)
    } else {
        filled
    };
    let colour = if hostile || share <= 0.5 {
        palette::HEALTH_ENEMY
    } else {
        palette::HEALTH
    };
    if filled > 0.0 {
        sheet.fill(&Shape::rect(line, line, filled, inner.1), colour.solid());
    }
    sheet.pixmap
}

/// A sheet for a token on `cells` cells a side: one unit is their side, and
/// the origin in the middle.
fn stand(cells: u32, cell_px: u32) -> Sheet {
    let across = cell_px.max(1) as f32 * cells.max(1) as f32;
    // As much on each side, in whole pixels: so that the middle of the picture
    // falls on a pixel's corner or middle just as the cells' does.
    let px = across + 2.0 * (across * (SPAN - 1.0) / 2.0).ceil();
    Sheet::new(px as u32, px as u32, across).origin(px / across / 2.0, px / across / 2.0)
}

/// The colours of a token and of what is written on it.
fn worn(colour: Rgb, pose: Pose) -> (Color, Color) {
    match pose {
        Pose::Ready | Pose::Active => (colour.solid(), palette::WHITE.solid()),
        Pose::Done => (colour.mix(palette::PAPER, 0.55).solid(), INK.solid()),
        Pose::Down => (
            colour
                .mix(palette::FADED_INK, 0.2)
                .mix(palette::PAPER, 0.55)
                .solid(),
            INK.solid(),
        ),
    }
}

fn gold_ring(sheet: &mut Sheet, radius: f32) {
    sheet.stroke(&Shape::circle(0.0, 0.0, radius + 0.045), 0.125, INK.solid());
    sheet.stroke(
        &Shape::circle(0.0, 0.0, radius + 0.045),
        0.09,
        palette::GOLD.solid(),
    );
}

/// A soft shadow to the lower right.
fn shadow(sheet: &mut Sheet, shape: &Shape) {
    sheet.within(Transform::from_translate(0.022, 0.04), |sheet| {
        for (wide, strength) in [(0.10, 0.08), (0.06, 0.10), (0.03, 0.12)] {
            sheet.stroke(shape, wide, INK.alpha(strength));
        }
    });
}

/// A round piece in a flat colour, inked round its edge, with a ring.
fn disc(sheet: &mut Sheet, colour: Color, ring: Color) {
    sheet.fill(&Shape::circle(0.0, 0.0, 0.46), INK.solid());
    sheet.fill(&Shape::circle(0.0, 0.0, 0.415), colour);
    sheet.stroke(&Shape::circle(0.0, 0.0, 0.372), 0.03, ring);
}

/// Strikes a round token out: it lies.
fn fallen(sheet: &mut Sheet) {
    let line = Shape::polyline(&[(-0.31, 0.31), (0.31, -0.31)]);
    sheet.stroke(&line, 0.10, palette::CARD_ACTIVE.solid());
    sheet.stroke(&line, 0.06, INK.solid());
}

/// A number round a point, large enough to read and no wider than a figure.
fn number_at(sheet: &mut Sheet, number: u32, (x, y): Spot, size: f32, across: f32, colour: Color) {
    let digits = number.to_string();
    let size = if digits.len() > 1 { size * 0.82 } else { size };
    // On small tokens the number takes more of the room.
    let size = size * (42.0 / across).clamp(1.0, 1.35);
    let shape = lettering::centred(Face::Bold, &digits, size, x, y);
    sheet.fill(&shape, colour);
}

/// Fills a figure, layer by layer, with ink round each layer as a whole.
fn inked(sheet: &mut Sheet, layers: &[Vec<Shape>], line: f32, colour: Color) {
    for parts in layers {
        // The ink is laid around the colour, not over it.
        parts
            .iter()
            .for_each(|part| sheet.stroke(part, line * 2.0, INK.solid()));
        parts.iter().for_each(|part| sheet.fill(part, colour));
    }
}

/// The parts of a figure in layers, the lowest first, about the middle, in a
/// square of one unit.
fn figure(figure: Figure) -> Vec<Vec<Shape>> {
    // Arms, legs and trunk in one line; heads lie over it.
    const BODY: &str = "M -0.09 -0.13 C -0.2 -0.13 -0.43 -0.12 -0.43 -0.02 C -0.43 0.09 -0.28 0.07 -0.19 0.075 \
        C -0.22 0.19 -0.28 0.3 -0.33 0.4 L -0.1 0.4 C -0.08 0.3 0.08 0.3 0.1 0.4 L 0.33 0.4 \
        C 0.28 0.3 0.22 0.19 0.19 0.075 C 0.28 0.07 0.43 0.09 0.43 -0.02 C 0.43 -0.12 0.2 -0.13 0.09 -0.13 Z";
    const HEAD: &str = "O 0 -0.25 0.155";
    let layers: &[&[&str]] = match figure {
        Figure::Plain => &[&[BODY, HEAD]],
        Figure::Ears => &[
            &[
                "M 0 -0.3 L -0.38 -0.41 C -0.37 -0.28 -0.28 -0.17 -0.05 -0.16 Z",
                "M 0 -0.3 L 0.38 -0.41 C 0.37 -0.28 0.28 -0.17 0.05 -0.16 Z",
            ],
            &[BODY, HEAD],
        ],
        Figure::Helm => &[
            &[BODY, HEAD],
            &[
                "M -0.165 -0.27 C -0.17 -0.38 -0.1 -0.44 0 -0.47 C 0.1 -0.44 0.17 -0.38 0.165 -0.27 L 0.24 -0.25 L 0.24 -0.2 L -0.24 -0.2 L -0.24 -0.25 Z",
            ],
        ],
        Figure::Hood => &[
            &[BODY],
            &[
                "M 0.04 -0.49 C 0.15 -0.4 0.21 -0.24 0.2 -0.06 C 0.1 0 -0.1 0 -0.2 -0.06 C -0.22 -0.24 -0.12 -0.39 0.04 -0.49 Z",
            ],
        ],
        Figure::Horns => &[
            &[
                "M 0 -0.36 C -0.12 -0.34 -0.18 -0.4 -0.17 -0.5 C -0.28 -0.44 -0.29 -0.26 -0.1 -0.2 Z",
                "M 0 -0.36 C 0.12 -0.34 0.18 -0.4 0.17 -0.5 C 0.28 -0.44 0.29 -0.26 0.1 -0.2 Z",
            ],
            &[BODY, HEAD],
        ],
        Figure::Brute => &[
            &[
                "M -0.1 -0.2 C -0.3 -0.23 -0.46 -0.14 -0.46 0.06 C -0.46 0.18 -0.43 0.26 -0.36 0.26 C -0.3 0.26 -0.28 0.18 -0.27 0.12 \
             C -0.27 0.22 -0.29 0.3 -0.31 0.4 L -0.07 0.4 C -0.06 0.32 0.06 0.32 0.07 0.4 L 0.31 0.4 C 0.29 0.3 0.27 0.22 0.27 0.12 \
             C 0.28 0.18 0.3 0.26 0.36 0.26 C 0.43 0.26 0.46 0.18 0.46 0.06 C 0.46 -0.14 0.3 -0.23 0.1 -0.2 Z",
            ],
            &["O 0 -0.27 0.14"],
        ],
        Figure::Beast => &[&[
            "M -0.4 -0.1 C -0.3 -0.2 -0.1 -0.14 0.08 -0.16 C 0.12 -0.24 0.16 -0.3 0.18 -0.38 L 0.24 -0.3 L 0.31 -0.37 L 0.33 -0.26 \
             C 0.38 -0.24 0.44 -0.2 0.45 -0.15 C 0.44 -0.1 0.36 -0.08 0.31 -0.06 C 0.3 0.04 0.28 0.1 0.27 0.16 L 0.29 0.36 L 0.17 0.36 \
             L 0.13 0.2 C 0.02 0.23 -0.1 0.23 -0.17 0.2 L -0.2 0.36 L -0.32 0.36 L -0.32 0.1 C -0.34 0.06 -0.34 0.0 -0.33 -0.04 \
             C -0.38 0.0 -0.42 0.06 -0.44 0.14 C -0.48 0.06 -0.46 -0.04 -0.4 -0.1 Z",
        ]],
    };
    layers
        .iter()
        .map(|parts| parts.iter().map(|part| Shape::marks(part)).collect())
        .collect()
}
