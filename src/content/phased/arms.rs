//! The Phased sections of weapons and spells.

use super::Tag;
use crate::{
    content::{Area, Dice, Effect, Launch, Make, Melee, Ranged},
    ron_read::{Piece, Reader},
};
use std::collections::BTreeSet;

/// What Phased knows of a weapon besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhasedArms {
    /// Weapon speed: lower strikes first in ties (PH-02).
    pub speed: u8,
    /// Feet that it takes to swing it (PH-51).
    pub space: u8,
    /// Missiles in one routine (PH-35).
    pub rate: u8,
    pub loading: Loading,
    /// Its other use, as a spear (PH-51).
    pub thrust: Option<Thrust>,
    /// May be set against a charge (PH-42).
    pub set: bool,
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

/// What Phased knows of a spell besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhasedSpell {
    pub craft: Craft,
    /// Casting time in segments (PH-24); ten are a round, more go on in the
    /// next.
    pub segments: u8,
    pub tags: BTreeSet<Tag>,
    /// Lasts only as long as the caster keeps it up (PH-21).
    pub upkeep: bool,
    /// Counts as the one spell of the round (PH-22).
    pub is_spell: bool,
    /// A ward that bodies cannot touch through (PH-37).
    pub hedges: bool,
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

#[derive(Clone, Debug, Default)]
pub(in crate::content) struct ArmsEntry {
    speed: Option<i32>,
    space: Option<i32>,
    rate: Option<i32>,
    loading: Option<Loading>,
    thrust: Option<Thrust>,
    set: Option<bool>,
}

const LOADINGS: [(&str, Loading); 3] = [
    ("None", Loading::None),
    ("Delaying", Loading::Delaying),
    ("Complex", Loading::Complex),
];

impl ArmsEntry {
    pub fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Phased section of a weapon")?;
        let loading = f.piece("loading");
        let entry = Self {
            speed: f.optional(r, "speed", |r, p| r.whole(p, 1..=20)),
            space: f.optional(r, "space", |r, p| r.whole(p, 0..=20)),
            rate: f.optional(r, "rate", |r, p| r.whole(p, 1..=5)),
            loading: loading.and_then(|p| r.word(p, "a way to load", &LOADINGS)),
            thrust: f.optional(r, "thrust", thrust),
            set: f.optional(r, "set", Reader::yes_no),
        };
        f.finish(r);
        Some(entry)
    }

    pub fn over(&self, base: &Self) -> Self {
        Self {
            speed: self.speed.or(base.speed),
            space: self.space.or(base.space),
            rate: self.rate.or(base.rate),
            loading: self.loading.or(base.loading),
            thrust: self.thrust.or(base.thrust),
            set: self.set.or(base.set),
        }
    }

    pub fn derive(
        &self,
        make: Make,
        hands: u8,
        melee: Option<&Melee>,
        ranged: Option<&Ranged>,
    ) -> PhasedArms {
        let (speed, space) = match (make, hands) {
            (Make::Forged, 2) => (8, 5),
            (Make::Forged, _) => (5, 3),
            _ => (1, 1),
        };
        let long = make == Make::Forged && melee.is_some_and(|m| m.reach >= 10);
        let is_crossbow = ranged.is_some_and(|r| r.how == Launch::Crossbow);
        PhasedArms {
            speed: self.speed.unwrap_or(speed) as u8,
            space: self.space.unwrap_or(space) as u8,
            rate: self.rate.unwrap_or(1) as u8,
            loading: self.loading.unwrap_or(match is_crossbow {
                true => Loading::Delaying,
                false => Loading::None,
            }),
            thrust: self.thrust,
            // Long arms can be set; what else can says so.
            set: melee.is_some() && self.set.unwrap_or(long),
        }
    }
}

fn thrust(r: &mut Reader, piece: &Piece) -> Option<Thrust> {
    let mut f = r.fields(piece, "a thrusting use")?;
    let speed = f.required(r, "speed", |r, p| r.whole(p, 1..=20));
    let space = f.required(r, "space", |r, p| r.whole(p, 0..=20));
    let damage = f.required(r, "damage", crate::content::read::dice);
    f.finish(r);
    Some(Thrust {
        speed: speed? as u8,
        space: space? as u8,
        damage: damage?,
    })
}

#[derive(Clone, Debug, Default)]
pub(in crate::content) struct CraftEntry {
    craft: Option<Craft>,
    segments: Option<i32>,
    tags: Option<BTreeSet<Tag>>,
    upkeep: Option<bool>,
    is_spell: Option<bool>,
    hedges: Option<bool>,
}

const CRAFTS: [(&str, Craft); 4] = [
    ("Incantation", Craft::Incantation),
    ("Invocation", Craft::Invocation),
    ("Innate", Craft::Innate),
    ("Immediate", Craft::Immediate),
];

impl CraftEntry {
    pub fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Phased section of a spell")?;
        let entry = Self {
            craft: f.optional(r, "craft", |r, p| r.word(p, "a craft", &CRAFTS)),
            segments: f.optional(r, "segments", |r, p| r.whole(p, 1..=60)),
            tags: f.optional(r, "tags", tags),
            upkeep: f.optional(r, "upkeep", Reader::yes_no),
            is_spell: f.optional(r, "spell", Reader::yes_no),
            hedges: f.optional(r, "hedges", Reader::yes_no),
        };
        f.finish(r);
        Some(entry)
    }

    pub fn over(&self, base: &Self) -> Self {
        Self {
            craft: self.craft.or(base.craft),
            segments: self.segments.or(base.segments),
            tags: self.tags.clone().or_else(|| base.tags.clone()),
            upkeep: self.upkeep.or(base.upkeep),
            is_spell: self.is_spell.or(base.is_spell),
            hedges: self.hedges.or(base.hedges),
        }
    }

    pub fn derive(&self, area: Area, effect: &Effect) -> PhasedSpell {
        let craft = self.craft.unwrap_or(Craft::Incantation);
        let segments = match (craft, area) {
            (Craft::Incantation, Area::One) => 2,
            (Craft::Incantation, _) => 3,
            _ => 1,
        };
        let tags = match effect.holds() {
            true => BTreeSet::from([Tag::Holding]),
            false => BTreeSet::new(),
        };
        PhasedSpell {
            craft,
            segments: self.segments.unwrap_or(segments) as u8,
            tags: self.tags.clone().unwrap_or(tags),
            upkeep: self.upkeep.unwrap_or(false),
            is_spell: self.is_spell.unwrap_or(craft != Craft::Innate),
            hedges: self.hedges.unwrap_or(false),
        }
    }
}

pub(super) fn tags(r: &mut Reader, piece: &Piece) -> Option<BTreeSet<Tag>> {
    let list = r.list(piece, |r, p| r.word(p, "an attribute", &Tag::ALL))?;
    Some(list.into_iter().collect())
}
