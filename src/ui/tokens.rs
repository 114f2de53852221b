//! Builds the drawing data of units: tokens, chips, portraits and health bars.

use super::{
    art::portrait::{Hand, Portrait},
    art::tokens::{Base, Chip, ChipState, Health, Pose, Token},
    shown::Person,
};
use crate::{battle::State, content::Look};

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

/// The portrait of a unit, on the base of its side.
pub fn portrait(person: &Person) -> Portrait {
    Portrait {
        base: Base::of_rank(person.rank),
        ..person.likeness
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
