//! The Phased sections of weapons and spells.

use super::Tag;
use crate::{
    content::{
        Area, Dice, Launch, Make, Spell, Weapon, dice,
        section::{section, small, word, words, yes_no},
    },
    ron_read::{Piece, Reader},
};
use std::collections::BTreeSet;

section! {
    /// What Phased knows of a weapon besides.
    pub struct PhasedArms from WrittenArms, of Weapon, "phased": "a Phased section of a weapon";
    with { set: bool, yes_no; }
    |own, w|
    /// Weapon speed: lower strikes first in ties (PH-02).
    speed: u8, small(1..=20) => by_hands(w).0;
    /// Feet that it takes to swing it (PH-51).
    space: u8, small(0..=20) => by_hands(w).1;
    /// Missiles in one routine (PH-35).
    rate: u8, small(1..=5) => 1;
    loading: Loading, word("a way to load", &LOADINGS) => match w.shoots_as(Launch::Crossbow) {
        true => Loading::Delaying,
        false => Loading::None,
    };
    /// Its other use, as a spear (PH-51).
    thrust: Option<Thrust>, |r, p, _| Some(Some(thrust(r, p)?)) => None;
    /// May be set against a charge (PH-42): long arms, and what says so.
    set: bool => w.melee.is_some() && own.set.unwrap_or(w.is_long_arm());
}

/// Speed and room of a weapon that says nothing of them.
fn by_hands(w: &Weapon) -> (u8, u8) {
    match (w.make, w.hands) {
        (Make::Forged, 2) => (8, 5),
        (Make::Forged, _) => (5, 3),
        _ => (1, 1),
    }
}

/// A second way to use a long arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thrust {
    pub speed: u8,
    pub space: u8,
    pub damage: Dice,
}

/// What it takes to make ready for the next shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loading {
    None,
    /// Part of the shot, which has to wait for LOW (PH-15).
    Delaying,
    /// A round's work (PH-14).
    Complex,
}

const LOADINGS: [(&str, Loading); 3] = [
    ("None", Loading::None),
    ("Delaying", Loading::Delaying),
    ("Complex", Loading::Complex),
];

fn thrust(r: &mut Reader, piece: &Piece) -> Option<Thrust> {
    let mut f = r.fields(piece, "a thrusting use")?;
    let speed = f.required(r, "speed", |r, p| r.whole(p, 1..=20));
    let space = f.required(r, "space", |r, p| r.whole(p, 0..=20));
    let damage = f.required(r, "damage", dice);
    f.finish(r);
    Some(Thrust {
        speed: speed? as u8,
        space: space? as u8,
        damage: damage?,
    })
}

section! {
    /// What Phased knows of a spell besides.
    pub struct PhasedSpell from WrittenSpell, of Spell, "phased": "a Phased section of a spell";
    with { spell: bool, yes_no; }
    |own, s|
    craft: Craft, word("a craft", &CRAFTS) => Craft::Incantation;
    /// Casting time in segments (PH-24); ten are a round, more go on in the
    /// next.
    segments: u8, small(1..=60) => match (craft, s.area) {
        (Craft::Incantation, Area::One) => 2,
        (Craft::Incantation, _) => 3,
        _ => 1,
    };
    tags: BTreeSet<Tag>, words("an attribute", &Tag::ALL) => match s.effect.holds() {
        true => BTreeSet::from([Tag::Holding]),
        false => BTreeSet::new(),
    };
    /// Lasts only as long as the caster keeps it up (PH-21).
    upkeep: bool, yes_no => false;
    /// Counts as the one spell of the round (PH-22).
    is_spell: bool => own.spell.unwrap_or(craft != Craft::Innate);
    /// A ward that bodies cannot touch through (PH-37).
    hedges: bool, yes_no => false;
}

/// How a spell or an ability is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Craft {
    /// With words, signs and things: declared, major.
    Incantation,
    /// By a magic item: the same.
    Invocation,
    /// By nature: minor, one segment, first in its group's turn (PH-18).
    Innate,
    /// At any moment, in no time (PH-10).
    Immediate,
}

impl Craft {
    /// It has to be declared, and takes the major action (PH-22).
    pub fn is_declared(self) -> bool {
        matches!(self, Self::Incantation | Self::Invocation)
    }
}

const CRAFTS: [(&str, Craft); 4] = [
    ("Incantation", Craft::Incantation),
    ("Invocation", Craft::Invocation),
    ("Innate", Craft::Innate),
    ("Immediate", Craft::Immediate),
];
