//! Spells as data: range, area, save, effect.

use super::{Condition, Dice, Section, Sections};
use crate::words::count;
use std::sync::Arc;

/// One spell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spell {
    /// The key in files: "fire_bolt".
    pub id: String,
    /// The name in text, in lower case: "fire bolt".
    pub name: String,
    /// Feet to the target or the middle of the area; 0 for the caster.
    pub range: i32,
    pub area: SpellArea,
    /// The effect of a successful Physical save of an affected unit.
    pub save: Save,
    pub effect: Effect,
    /// Castings per battle; `None` for any number.
    pub uses: Option<i32>,
    /// How the effect looks and sounds. It does not affect the rules.
    pub burst: Burst,
    /// The sections of rulesets.
    pub sections: Sections,
}

impl Spell {
    /// The section of one ruleset.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }
}

/// The units that a spell affects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpellArea {
    /// One unit.
    One,
    /// All units within this many feet of a point.
    Blast(i32),
    /// All units in a cone this many feet long, and as wide at its end.
    Cone(i32),
    /// All units on a line this many feet long and 5 ft wide.
    Line(i32),
}

file_words! {
    /// How a spell's effect looks and sounds.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Burst {
        Flame,
        Frost,
        Light,
        /// An invisible strike.
        Force,
        Healing,
        Ward,
        /// Speed.
        Haste,
        Hold,
        Sleep,
        /// Any other harmful effect.
        Hex,
    }
}

impl Burst {
    /// The default for a spell with this effect.
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

file_words! {
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Save {
        None,
        /// A successful save halves the damage.
        Half,
        /// A successful save prevents the effect.
        Negates,
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Loses HP.
    Damage(Dice),
    /// Regains HP; a dying unit becomes stable and has this many HP.
    Heal(Dice),
    /// A condition for some rounds: a ward, a hold.
    Lasts {
        condition: Arc<Condition>,
        rounds: i32,
    },
}

impl Effect {
    /// Whether the effect is bad for its target. Harmful spells are for enemies, others for
    /// allies.
    pub fn harms(&self) -> bool {
        match self {
            Self::Damage(_) => true,
            Self::Heal(_) => false,
            Self::Lasts { condition, .. } => condition.harms(),
        }
    }

    /// Whether the spell affects units that are down, by harming or healing them.
    pub fn affects_downed(&self) -> bool {
        !matches!(self, Self::Lasts { .. })
    }

    /// The effect in a few words. `defense`: what the ruleset calls the number that an attack has
    /// to reach.
    pub fn effect_text(&self, defense: &str) -> String {
        match self {
            Self::Damage(dice) => format!("{dice} damage"),
            Self::Heal(dice) => format!("heals {dice}"),
            Self::Lasts { condition, rounds } => {
                let long = count((*rounds).max(0) as usize, "round");
                let (name, points) = (&condition.name, condition.defense);
                match points > 0 {
                    true => format!("{name}, {defense} {points} better, for {long}"),
                    false => format!("{name} for {long}: {}", condition.effect_text()),
                }
            }
        }
    }

    /// Whether the effect makes its target helpless.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Lasts { condition, .. } if condition.idle)
    }
}
