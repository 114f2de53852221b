//! How combatants look: from their kind to the drawings.

use super::{
    art::portrait::Portrait,
    art::tokens::{Base, Chip, ChipState, Glyph, Health, Pose, Role, Token},
    shown::Person,
};
use crate::{
    battle::State,
    content::{Icon, Look},
};

fn role(icon: Icon) -> Role {
    match icon {
        Icon::Sword | Icon::Mace => Role::Sword,
        Icon::Axe => Role::Axe,
        Icon::Spear => Role::Spear,
        Icon::Dagger => Role::Dagger,
        Icon::Bow | Icon::Crossbow | Icon::Sling => Role::Bow,
        Icon::Staff => Role::Staff,
        Icon::Shield => Role::Shield,
        Icon::Fist => Role::Fist,
        Icon::Heart => Role::HolySign,
    }
}

/// What tells the kind of somebody on their base.
fn glyph(person: &Person) -> Glyph {
    match person.look {
        Look::Token { icon, .. } => Glyph::Role(role(icon)),
        Look::Meeple { .. } => Glyph::Bust(portrait(person)),
    }
}

/// The chip that stands for somebody in lists; pale for who is `done`, crossed
/// out for who has fallen.
pub fn chip(person: &Person, done: bool) -> Chip {
    Chip {
        base: Base::of_rank(person.rank),
        glyph: glyph(person),
        number: person.number,
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
        glyph: glyph(person),
        number: person.number,
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
