//! Weapons: attacks, range and damage.

use super::{Attribute, Dice, Section, Sections, Skill};

/// One kind of weapon. It can have both a melee and a ranged use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weapon {
    /// The key in files: "short_bow".
    pub id: String,
    /// The name in text, in lower case: "short bow".
    pub name: String,
    pub make: Make,
    /// Hands needed to use it: 1 or 2; 0 for natural and unarmed attacks.
    pub hands: u8,
    /// How it is used in melee, if it can be.
    pub melee: Option<Melee>,
    /// How it is shot or thrown, if it can be.
    pub ranged: Option<Ranged>,
    /// The wielder's best modifier among these applies to the attack roll, the damage and the
    /// Shock. Never empty.
    pub attributes: Vec<Attribute>,
    pub damage: Dice,
    /// The damage of a miss in melee.
    pub shock: Option<Shock>,
    /// Bonus to hit, damage and Shock; 0 for ordinary weapons.
    pub magic: i32,
    /// If false, a target that it drops is knocked out, not dying.
    pub lethal: bool,
    /// The sections of rulesets.
    pub sections: Sections,
}

file_words! {
    /// What kind of object a weapon is.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Make {
        /// An item that is carried, drawn, dropped and picked up.
        Forged,
        /// Part of the body: claws, a bite. Always ready; a unit with it counts as armed.
        Natural,
        /// Bare fists and feet. Every unit has them; a unit with nothing else counts as unarmed.
        Unarmed,
    }
}

/// Use in melee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Melee {
    /// Reach in feet: 5, or 10 for long weapons.
    pub reach: i32,
    /// Made for thrusting (spears, pikes, most blades).
    pub thrusting: bool,
    /// The wielder's best skill among these applies to the attack roll. Never empty.
    pub skills: Vec<Skill>,
}

/// Use at range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranged {
    pub how: Launch,
    /// Range in feet without a penalty.
    pub normal: i32,
    /// Maximum range in feet, at least `normal`.
    pub long: i32,
    /// The wielder's best skill among these applies to the attack roll. Never empty.
    pub skills: Vec<Skill>,
}

file_words! {
    /// How a missile is launched.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Launch {
        /// The weapon itself is thrown, and lies where it lands.
        Thrown,
        /// Shot from a bow or a sling. Without training, each shot costs a Move for the next missile.
        Bow,
        /// Must be reloaded after each shot. Without training, that costs a Main.
        Crossbow,
    }
}

/// Damage of a miss, "2/AC 13": `points`, if the target's melee AC is at most `ac`; `None` stands
/// for any AC.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shock {
    pub points: i32,
    pub ac: Option<i32>,
}

impl Weapon {
    /// The section of one ruleset.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }

    /// Whether it is an item with a reach beyond the next cell: a spear, a pike.
    pub fn is_long_arm(&self) -> bool {
        self.make == Make::Forged && self.melee.as_ref().is_some_and(|m| m.reach > 5)
    }

    pub fn shoots_as(&self, how: Launch) -> bool {
        self.ranged.as_ref().is_some_and(|r| r.how == how)
    }

    /// The skills for attacks with it, at range or in melee.
    pub fn skills(&self, ranged: bool) -> &[Skill] {
        match (ranged, &self.melee, &self.ranged) {
            (true, _, Some(shot)) => &shot.skills,
            (_, Some(melee), _) => &melee.skills,
            _ => &[Skill::Brawl],
        }
    }

    /// Whether it is a bow or crossbow that needs both hands, which cannot be used next to an
    /// enemy.
    pub fn needs_two_hands_to_shoot(&self) -> bool {
        self.hands == 2 && self.ranged.is_some() && !self.is_thrown()
    }

    pub fn is_thrown(&self) -> bool {
        self.shoots_as(Launch::Thrown)
    }

    /// Whether a throw spends the item. Natural weapons, and stones that are picked up anywhere,
    /// do not run out.
    pub fn leaves_the_hand(&self) -> bool {
        self.is_thrown() && self.make == Make::Forged
    }

    /// Whether a unit with it counts as armed for melee.
    pub fn arms_for_melee(&self) -> bool {
        self.melee.is_some() && self.make != Make::Unarmed
    }
}
