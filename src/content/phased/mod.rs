//! What Phased needs to know of creatures, weapons and spells, and how it is
//! derived; `docs/content.md` has the formulas.

mod arms;
mod entry;
mod notation;
pub mod tables;

pub(in crate::content) use arms::{ArmsEntry, CraftEntry};
pub use arms::{Craft, Loading, PhasedArms, PhasedSpell, Thrust};
pub(in crate::content) use entry::{PhasedEntry, Wearer};
pub use notation::{AttackLine, Part};
pub use tables::{Row, Saves, Tables};

use super::Dice;
use serde::Deserialize;
use std::{collections::BTreeSet, fmt, str::FromStr};

/// Numbers of the Phased ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhasedStats {
    /// Hit points when unhurt, at least 1.
    pub hp: i32,
    /// Descending armour class in melee with all that it wears: 10 is worst,
    /// −10 best.
    pub ac_melee: i32,
    /// The same against missiles.
    pub ac_ranged: i32,
    /// By how much `ac_melee` is worse without the shield.
    pub shield_melee: i32,
    pub shield_ranged: i32,
    /// Its row of the attack tables (PH-30 to PH-33).
    pub row: Row,
    pub hit_dice: HitDice,
    /// None for those without a class.
    pub class: Option<(Class, i32)>,
    pub saves: Saves,
    /// Added to its morale (PH-33).
    pub steadfast: i32,
    /// DEX reaction adjustment (PH-03).
    pub reaction: i32,
    /// Feet that it moves in a round.
    pub rate: i32,
    /// Attack routines in a round of melee (PH-35).
    pub routines: u8,
    /// Its routine of natural attacks, where it is not simply all of them.
    pub attacks: Option<AttackLine>,
    /// Acts before the groups, or after the spells (PH-01).
    pub first: bool,
    pub last: bool,
    /// Flies or swims by nature: concentration does not slow it (PH-21).
    pub native: bool,
    /// Effects with any of these do nothing to it (PH-43).
    pub immune: BTreeSet<Tag>,
    /// Weapons without as much magic do nothing to it (PH-37).
    pub needs_magic: i32,
    /// That it is immune shows at once (PH-37).
    pub shows: bool,
    /// Bodies cannot touch it (PH-37).
    pub hedged: bool,
}

impl PhasedStats {
    /// The dice of its hit points, as they are written: "4d8+16" (PH-33).
    pub fn hp_dice(&self) -> Dice {
        let HitDice { dice, plus } = self.hit_dice;
        Dice::new(dice.clamp(0, 100) as u8, 8, (dice * plus) as i16)
    }

    /// By what it fights, in words: with a class by whichever is higher, its
    /// hit dice or its level (PH-32); without one by its hit dice (PH-33).
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

/// A character class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Class {
    Fighter,
    Mage,
    Priest,
    Rogue,
}

impl Class {
    pub const ALL: [Self; 4] = [Self::Fighter, Self::Mage, Self::Priest, Self::Rogue];

    pub fn name(self) -> &'static str {
        match self {
            Self::Fighter => "Fighter",
            Self::Mage => "Mage",
            Self::Priest => "Priest",
            Self::Rogue => "Rogue",
        }
    }
}

/// An attribute of an effect (PH-43).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Tag {
    Fear,
    Charm,
    MindAffecting,
    Fire,
    Cold,
    Holding,
}

impl Tag {
    pub const ALL: [(&'static str, Self); 6] = [
        ("Fear", Self::Fear),
        ("Charm", Self::Charm),
        ("MindAffecting", Self::MindAffecting),
        ("Fire", Self::Fire),
        ("Cold", Self::Cold),
        ("Holding", Self::Holding),
    ];
}

/// Hit dice, perhaps enhanced: 4+4 has four points more on each of its four
/// dice (PH-33).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HitDice {
    pub dice: i32,
    pub plus: i32,
}

impl HitDice {
    /// The dice that it attacks as, and whether on the row of those with a
    /// little more.
    pub fn to_attack(self) -> (i32, bool) {
        match self.plus {
            4.. => (self.dice + 1, false),
            plus => (self.dice, plus > 0),
        }
    }

    /// The dice that it saves as, which are its hit dice for any other effect
    /// too: one more for each four points, rounded up.
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
