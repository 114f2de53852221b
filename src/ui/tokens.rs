//! Builds the drawing data of units: tokens, chips, portraits and health bars.

use super::{
    art::portrait::{Hand, Portrait},
    art::tokens::{self as drawn, Base, Chip, ChipState, Health, Pose, Token},
    shown::{Person, corner_in_cell},
};
use crate::{
    battle::{Id, State},
    content::Look,
};
use tiny_skia::Pixmap;

/// The portrait on a token's base. Units without their own name also show what they
/// carry.
fn face(person: &Person) -> Portrait {
    let portrait = portrait(person);
    match person.look {
        Look::Token { .. } => Portrait {
            hand: Hand::None,
            ..portrait
        },
        Look::Meeple { .. } => portrait,
    }
}

/// The chip of a unit for lists: pale if the unit is `done`, crossed out if it has
/// fallen.
pub fn chip(person: &Person, done: bool) -> Chip {
    Chip {
        base: Base::of_rank(person.rank),
        face: face(person),
        label: person.label,
        state: match person.state {
            State::Down | State::Dead => ChipState::Fallen,
            _ if done => ChipState::Done,
            _ => ChipState::Ready,
        },
    }
}

/// The token of a unit for the board; `corner` is set if it shares its cell.
pub fn token(person: &Person, pose: Pose, corner: Option<(i8, i8)>) -> Token {
    Token {
        base: Base::of_rank(person.rank),
        face: face(person),
        label: person.label,
        pose,
        cells: person.size.max(1).into(),
        corner,
    }
}

/// The pictures of the units on a map with their centres, fallen units first; `active` is
/// the unit that acts.
pub fn on_map<'a>(
    people: impl IntoIterator<Item = &'a Person>,
    active: Option<Id>,
    cell_px: u32,
) -> Vec<(Pixmap, (f32, f32))> {
    let mut there: Vec<&Person> = people.into_iter().filter(|p| p.is_there()).collect();
    there.sort_by_key(|person| person.is_up());
    let picture = |person: &Person| {
        let pose = match person.is_up() {
            true if Some(person.id) == active => Pose::Active,
            true => Pose::Ready,
            false => Pose::Down,
        };
        let corner = corner_in_cell(there.iter().copied(), person);
        let token = token(person, pose, corner);
        (drawn::token(token, cell_px), person.middle())
    };
    there.iter().copied().map(picture).collect()
}

/// The portrait of a unit, on the base of its side.
pub fn portrait(person: &Person) -> Portrait {
    Portrait {
        base: Base::of_rank(person.rank),
        ..person.portrait
    }
}

/// The hit points of a unit, for its health bar.
pub fn health(person: &Person, is_own: bool) -> Health {
    Health {
        now: person.hp,
        most: person.max_hp,
        is_own,
    }
}
