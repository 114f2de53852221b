//! The numbers of creatures, weapons and spells that only Phased uses. `docs/content.md` lists the
//! formulas of their defaults.

mod creature;
mod notation;
mod weapon;

pub use creature::PhasedStats;
pub use notation::{AttackGroup, AttackLine};
pub use weapon::{Craft, Loading, PhasedSpell, PhasedWeapon, Thrust};

use crate::{
    content::{
        Dice, OwnSections, Registered,
        section::{flag, word_enum},
    },
    levels::Level,
};
use serde::Deserialize;
use std::{fmt, str::FromStr};

/// The content sections that Phased defines.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<PhasedStats>()],
    weapon: &[Registered::new::<PhasedWeapon>()],
    spell: &[Registered::new::<PhasedSpell>()],
    ..OwnSections::NONE
};

flag! {
    /// A level in restricted quarters, where melee reaches adjacent enemies only (PH-50).
    pub struct Restricted of Level, "restricted"
}

impl PhasedStats {
    /// The creature's hit point dice in notation, such as "4d8+16" (PH-33).
    pub fn hp_dice(&self) -> Dice {
        let HitDice { dice, plus } = self.hit_dice;
        Dice::new(dice.clamp(0, 100) as u8, 8, (dice * plus) as i16)
    }

    /// What the creature fights as, in words: with a class, the higher of hit dice and level
    /// (PH-32); without a class, its hit dice (PH-33).
    pub fn fights_as(&self) -> String {
        let HitDice { dice, .. } = self.hit_dice;
        match self.class {
            Some((class, level)) if level > dice => {
                let class = class.name();
                format!("fights as {class} of level {level}, not by {dice} hit dice")
            }
            Some((class, level)) => {
                let class = class.name();
                format!("fights by {dice} hit dice, not as {class} of level {level}")
            }
            None => {
                let (attack, more) = self.hit_dice.to_attack();
                let plus = if more { "+" } else { "" };
                let (saves, hp) = (self.hit_dice.overall(), self.hp_dice());
                let dice = self.hit_dice;
                format!(
                    "has {dice} hit dice: {hp} hit points, attacks as {attack}{plus}, saves as {saves}"
                )
            }
        }
    }
}

word_enum! {
    /// A character class.
    #[derive(Deserialize)]
    pub enum Class {
        Fighter,
        Mage,
        Priest,
        Rogue,
    }
}

word_enum! {
    /// A tag of an effect (PH-43).
    #[derive(Deserialize)]
    pub enum Tag {
        Fear,
        Charm,
        MindAffecting,
        Fire,
        Cold,
        Holding,
    }
}

/// Hit dice, possibly enhanced: 4+4 adds four hit points to each of four dice (PH-33).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HitDice {
    pub dice: i32,
    pub plus: i32,
}

impl HitDice {
    /// The dice that the creature attacks as, and whether it uses the "+" row of the table.
    pub fn to_attack(self) -> (i32, bool) {
        match self.plus {
            4.. => (self.dice + 1, false),
            plus => (self.dice, plus > 0),
        }
    }

    /// The dice that the creature saves as, which also count for other effects: one more for each
    /// four points of enhancement, rounded up.
    pub fn overall(self) -> i32 {
        self.dice + (self.plus + 3) / 4
    }
}

impl fmt::Display for HitDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plus {
            0 => write!(f, "{}", self.dice),
            plus => write!(f, "{}+{plus}", self.dice),
        }
    }
}

impl FromStr for HitDice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "hit dice such as \"3\" or \"4+4\"";
        let (dice, plus) = text.split_once('+').unwrap_or((text, "0"));
        let number = |digits: &str| digits.trim().parse().ok().filter(|n| (0..=30).contains(n));
        match (number(dice), number(plus)) {
            (Some(dice), Some(plus)) => Ok(Self { dice, plus }),
            _ => Err(SHAPE),
        }
    }
}
