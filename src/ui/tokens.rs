//! How combatants look: from their kind to the drawings.

use super::{
    art::portrait::{Hand, Portrait},
    art::tokens::{Base, Chip, ChipState, Health, Pose, Token},
    shown::Person,
};
use crate::{battle::State, content::Look};

/// The face on a token's base. Units without a name also show what they carry.
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

/// The chip that stands for somebody in lists; pale for who is `done`, crossed
/// out for who has fallen.
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

/// Somebody as a token of the board, perhaps in a corner of their cell.
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

/// The portrait of somebody, on the ground of their side.
pub fn portrait(person: &Person) -> Portrait {
    Portrait {
        base: Base::of_rank(person.rank),
        ..person.likeness
    }
}

/// What somebody can still bear.
pub fn health(person: &Person, is_own: bool) -> Health {
    Health {
        now: person.hp,
        most: person.max_hp,
        is_own,
    }
}
