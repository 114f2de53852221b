//! How combatants look: from their kind to the drawings.

use super::{
    art::tokens::{Base, Chip, ChipState, Figure, Glyph, Health, Pose, Role, Token},
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

/// The outline for a kind, so that kinds differ by more than their colour.
fn figure(person: &Person) -> Figure {
    let kind = person.kind.as_str();
    let is = |words: &[&str]| words.iter().any(|w| kind.contains(w) || person.title == *w);
    if is(&["beast", "wolf", "bear", "rat", "spider"]) {
        Figure::Beast
    } else if is(&["brute", "ogre", "troll"]) {
        Figure::Brute
    } else if is(&["chief", "champion", "leader"]) {
        Figure::Horns
    } else if is(&["archer", "slinger", "zealot", "ghost", "wraith"]) {
        Figure::Hood
    } else if is(&["guard", "soldier", "construct", "watch"]) {
        Figure::Helm
    } else if is(&["goblin"]) {
        Figure::Ears
    } else {
        Figure::Plain
    }
}

/// What tells the kind of somebody on their base.
fn glyph(person: &Person) -> Glyph {
    match person.look {
        Look::Token { icon, .. } => Glyph::Role(role(icon)),
        Look::Meeple { .. } => Glyph::Figure(figure(person)),
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

/// What somebody can still bear.
pub fn health(person: &Person, is_own: bool) -> Health {
    Health {
        now: person.hp,
        most: person.max_hp,
        is_own,
    }
}
