//! How combatants look: from their kind to the drawings.

use super::{
    art::{
        palette::Rgb,
        tokens::{self, Chip, Figure, Hero, Meeple, Pose, Role},
    },
    shown::Person,
};
use crate::content::{Icon, Look};
use tiny_skia::Pixmap;

/// A flat colour of the board.
fn flat(look: Look) -> Rgb {
    let [r, g, b] = look.colour().rgb();
    Rgb(r, g, b)
}

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

/// The chip that stands for somebody in lists; pale for who is `done`.
pub fn chip(person: &Person, done: bool) -> Chip {
    match person.look {
        Look::Token { icon, .. } => Chip::Hero {
            role: role(icon),
            colour: flat(person.look),
            done,
        },
        Look::Meeple { .. } => Chip::Meeple {
            figure: figure(person),
            colour: flat(person.look),
            number: person.number,
            done,
        },
    }
}

/// Somebody as drawn on the board, for cells `cell_px` pixels wide. The
/// picture's side is [`tokens::SPAN`] times that of the cells.
pub fn token(person: &Person, pose: Pose, cell_px: u32) -> Pixmap {
    let (colour, cells) = (flat(person.look), person.size.max(1).into());
    match person.look {
        Look::Token { icon, .. } => tokens::hero(
            Hero {
                role: role(icon),
                colour,
                pose,
                cells,
            },
            cell_px,
        ),
        Look::Meeple { .. } => tokens::meeple(
            Meeple {
                figure: figure(person),
                colour,
                number: person.number,
                pose,
                cells,
            },
            cell_px,
        ),
    }
}
