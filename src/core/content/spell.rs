//! Spells, as data: reach, area, save, effect.

use super::{Condition, Dice, Section, Sections};
use crate::words::count;
use std::sync::Arc;

/// One spell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spell {
    /// The key in files: "fire_bolt".
    pub id: String,
    /// For people, in lower case: "fire bolt".
    pub name: String,
    /// Feet to the target or the middle of the area; 0 is the caster.
    pub range: i32,
    pub area: Area,
    /// What a Physical save does for each who is caught.
    pub save: Save,
    pub effect: Effect,
    /// Castings in one battle; `None` is as often as one likes.
    pub uses: Option<i32>,
    /// How it is seen and heard where it takes effect. No rule asks.
    pub burst: Burst,
    /// What only some rulesets know of it.
    pub sections: Sections,
}

impl Spell {
    /// What a ruleset knows of it besides.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }
}

/// Whom a spell catches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Area {
    /// One creature.
    One,
    /// All within this many feet of a point.
    Blast(i32),
    /// All in a cone this many feet long, as wide as it is long at its end.
    Cone(i32),
    /// All on a line this many feet long and 5 ft wide.
    Line(i32),
}

/// How a spell is seen and heard where it takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Burst {
    Flame,
    Frost,
    Light,
    /// A blow out of the air.
    Force,
    Healing,
    Ward,
    /// Quick feet, quick hands.
    Haste,
    Hold,
    Sleep,
    /// Anything else that nobody wishes on a friend.
    Hex,
}

impl Burst {
    pub const ALL: [Self; 10] = [
        Self::Flame,
        Self::Frost,
        Self::Light,
        Self::Force,
        Self::Healing,
        Self::Ward,
        Self::Haste,
        Self::Hold,
        Self::Sleep,
        Self::Hex,
    ];

    /// That of a spell which says nothing of it: by what it does.
    pub fn of(effect: &Effect) -> Self {
        match effect {
            Effect::Damage(_) => Self::Force,
            Effect::Heal(_) => Self::Healing,
            Effect::Lasts { condition, .. } if condition.idle => Self::Hold,
            Effect::Lasts { condition, .. } if condition.harms() => Self::Hex,
            Effect::Lasts { .. } => Self::Ward,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Save {
    None,
    /// Made, half the damage.
    Half,
    /// Made, nothing happens.
    Negates,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// HP lost.
    Damage(Dice),
    /// HP given back; who is dying is stable and stands at that many.
    Heal(Dice),
    /// A condition for some rounds: a ward, a hold.
    Lasts {
        condition: Arc<Condition>,
        rounds: i32,
    },
}

impl Effect {
    /// Nobody wishes it on a friend: spells that harm are for foes, others for
    /// friends.
    pub fn harms(&self) -> bool {
        match self {
            Self::Damage(_) => true,
            Self::Heal(_) => false,
            Self::Lasts { condition, .. } => condition.harms(),
        }
    }

    /// It takes effect on those, too, who lie on the ground: it does not spare
    /// them, or brings them back.
    pub fn finds_the_fallen(&self) -> bool {
        !matches!(self, Self::Lasts { .. })
    }

    /// What it does, in a few words. `defense`: what an attack has to beat.
    pub fn does(&self, defense: &str) -> String {
        match self {
            Self::Damage(dice) => format!("{dice} damage"),
            Self::Heal(dice) => format!("heals {dice}"),
            Self::Lasts { condition, rounds } => {
                let long = count((*rounds).max(0) as usize, "round");
                let (name, points) = (&condition.name, condition.defense);
                match points > 0 {
                    true => format!("{name}, {defense} {points} better, for {long}"),
                    false => format!("{name} for {long}: {}", condition.does()),
                }
            }
        }
    }

    /// Leaves somebody helpless.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Lasts { condition, .. } if condition.idle)
    }
}
