//! The Phased sections of weapons and spells.

use super::Tag;
use crate::{
    content::{
        Dice, Launch, Make, Spell, SpellArea, Weapon,
        section::{section, small, word, word_enum, words, yes_no},
    },
    ron_read::{Piece, Reader},
};
use std::collections::BTreeSet;

section! {
    /// A weapon's numbers under Phased.
    pub struct PhasedWeapon from WrittenWeapon, of Weapon, "phased": "a Phased section of a weapon";
    with { set: bool, yes_no; }
    |own, w|
    /// Weapon speed: lower attacks first in ties (PH-02).
    speed: u8, small(1..=20) => by_hands(w).0;
    /// Space in feet that the weapon needs (PH-51).
    space: u8, small(0..=20) => by_hands(w).1;
    /// Missiles in one routine (PH-35).
    rate: u8, small(1..=5) => 1;
    loading: Loading, word("a way to load", &Loading::WORDS) => match w.shoots_as(Launch::Crossbow) {
        true => Loading::Delaying,
        false => Loading::None,
    };
    /// The weapon's second use, as a spear (PH-51).
    thrust: Option<Thrust>, |r, p, _| Some(Some(thrust(r, p)?)) => None;
    /// Can be set against a charge (PH-42): long melee weapons, unless written otherwise.
    set: bool => w.melee.is_some() && own.set.unwrap_or(w.is_long_arm());
}

/// Default speed and space of a weapon.
fn by_hands(w: &Weapon) -> (u8, u8) {
    match (w.make, w.hands) {
        (Make::Forged, 2) => (8, 5),
        (Make::Forged, _) => (5, 3),
        _ => (1, 1),
    }
}

/// A second way to use a long melee weapon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thrust {
    pub speed: u8,
    pub space: u8,
    pub damage: Dice,
}

word_enum! {
    /// What the next shot needs.
    pub enum Loading {
        None,
        /// Loading is part of the shot, which must wait for LOW (PH-15).
        Delaying,
        /// Loading takes a round (PH-14).
        Complex,
    }
}

fn thrust(r: &mut Reader, piece: &Piece) -> Option<Thrust> {
    let mut f = r.fields(piece, "a thrusting use")?;
    let speed = f.required(r, "speed", |r, p| r.whole(p, 1..=20));
    let space = f.required(r, "space", |r, p| r.whole(p, 0..=20));
    let damage = f.required(r, "damage", Reader::parsed);
    f.finish(r);
    Some(Thrust {
        speed: speed? as u8,
        space: space? as u8,
        damage: damage?,
    })
}

section! {
    /// A spell's numbers under Phased.
    pub struct PhasedSpell from WrittenSpell, of Spell, "phased": "a Phased section of a spell";
    with { spell: bool, yes_no; }
    |own, s|
    craft: Craft, word("a craft", &Craft::WORDS) => Craft::Incantation;
    /// Casting time in segments (PH-24); ten make a round, and a longer casting continues in the
    /// next round.
    segments: u8, small(1..=60) => match (craft, s.area) {
        (Craft::Incantation, SpellArea::One) => 2,
        (Craft::Incantation, _) => 3,
        _ => 1,
    };
    tags: BTreeSet<Tag>, words("an attribute", &Tag::WORDS) => match s.effect.holds() {
        true => BTreeSet::from([Tag::Holding]),
        false => BTreeSet::new(),
    };
    /// Lasts only while the caster keeps it up (PH-21).
    upkeep: bool, yes_no => false;
    /// Counts as the one spell of the round (PH-22).
    is_spell: bool => own.spell.unwrap_or(craft != Craft::Innate);
    /// A warding that bodies cannot touch through (PH-37).
    hedges: bool, yes_no => false;
}

word_enum! {
    /// How a spell or an ability is performed.
    pub enum Craft {
        /// With words, gestures and materials: declared, a major action.
        Incantation,
        /// With a magic item: declared, a major action.
        Invocation,
        /// An innate ability: minor, one segment, first in its group's turn (PH-18).
        Innate,
        /// At any moment, taking no time (PH-10).
        Immediate,
    }
}

impl Craft {
    /// Whether it must be declared and takes the major action (PH-22).
    pub fn is_declared(self) -> bool {
        matches!(self, Self::Incantation | Self::Invocation)
    }
}
