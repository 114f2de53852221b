//! Builds the drawing data of units: tokens, chips, portraits and health bars.

use super::{
    art::portrait::{Hand, Portrait},
    art::tokens::{self as drawn, Base, Chip, ChipState, Health, Pose, Token},
    shown::{UnitView, corner_in_cell},
};
use crate::{
    battle::{Id, State},
    content::Look,
};
use tiny_skia::Pixmap;

/// The portrait on a token's base. Units without their own name also show what they
/// carry.
fn token_portrait(unit: &UnitView) -> Portrait {
    let portrait = portrait(unit);
    match unit.look {
        Look::Token { .. } => Portrait {
            hand: Hand::None,
            ..portrait
        },
        Look::Meeple { .. } => portrait,
    }
}

/// The chip of a unit for lists: pale if the unit is `done`, crossed out if it has
/// fallen.
pub fn chip(unit: &UnitView, done: bool) -> Chip {
    Chip {
        base: Base::of_rank(unit.rank),
        portrait: token_portrait(unit),
        label: unit.label,
        state: match unit.state {
            State::Down | State::Dead => ChipState::Fallen,
            _ if done => ChipState::Done,
            _ => ChipState::Ready,
        },
    }
}

/// The token of a unit for the board; `corner` is set if it shares its cell.
pub fn token(unit: &UnitView, pose: Pose, corner: Option<(i8, i8)>) -> Token {
    Token {
        base: Base::of_rank(unit.rank),
        portrait: token_portrait(unit),
        label: unit.label,
        pose,
        cells: unit.size.max(1).into(),
        corner,
    }
}

/// The place of a token in the order in which tokens are drawn: fallen units, standing ones, and the
/// small faces of fallen ones.
pub fn layer(pose: Pose, corner: Option<(i8, i8)>) -> u8 {
    match (pose, corner) {
        (Pose::Down, None) => 0,
        (Pose::Down, Some(_)) => 2,
        _ => 1,
    }
}

/// The pictures of the units on a map with their centres, in the order in which they are
/// drawn; `active` is the unit that acts.
pub fn on_map<'a>(
    units: impl IntoIterator<Item = &'a UnitView>,
    active: Option<Id>,
    cell_px: u32,
) -> Vec<(Pixmap, (f32, f32))> {
    let there: Vec<&UnitView> = units.into_iter().filter(|p| p.is_there()).collect();
    let picture = |unit: &UnitView| {
        let pose = match unit.is_up() {
            true if Some(unit.id) == active => Pose::Active,
            true => Pose::Ready,
            false => Pose::Down,
        };
        let corner = corner_in_cell(there.iter().copied(), unit);
        let token = token(unit, pose, corner);
        (
            layer(pose, corner),
            (drawn::token(token, cell_px), unit.middle()),
        )
    };
    let mut pictures = Vec::from_iter(there.iter().copied().map(picture));
    pictures.sort_by_key(|(layer, _)| *layer);
    pictures.into_iter().map(|(_, picture)| picture).collect()
}

/// The portrait of a unit, on the base of its side.
pub fn portrait(unit: &UnitView) -> Portrait {
    Portrait {
        base: Base::of_rank(unit.rank),
        ..unit.portrait
    }
}

/// The hit points of a unit, for its health bar.
pub fn health(unit: &UnitView, is_own: bool) -> Health {
    Health {
        now: unit.hp,
        lost: 0,
        most: unit.max_hp,
        is_own,
    }
}
