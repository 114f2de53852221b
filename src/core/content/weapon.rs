//! Weapons: what they hit with, how far, how hard.

use super::{Attribute, Dice, Section, Sections, Skill};

/// One kind of weapon. A weapon may be good both in the hand and thrown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weapon {
    /// The key in files: "short_bow".
    pub id: String,
    /// For people, in lower case: "short bow".
    pub name: String,
    pub make: Make,
    /// Hands that it takes to use: 1 or 2; 0 for what is no held thing.
    pub hands: u8,
    /// How it strikes from the hand, if it can.
    pub melee: Option<Melee>,
    /// How it shoots or is thrown, if it can.
    pub ranged: Option<Ranged>,
    /// The wielder's better modifier among these goes to the attack roll,
    /// the damage and the Shock. Never empty.
    pub attributes: Vec<Attribute>,
    pub damage: Dice,
    /// What a miss in melee does all the same.
    pub shock: Option<Shock>,
    /// Bonus to hit, to damage and to Shock; 0 for plain arms.
    pub magic: i32,
    /// False: what it drops is knocked out, not dying.
    pub lethal: bool,
    /// What only some rulesets know of it.
    pub sections: Sections,
}

/// Where a weapon comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Make {
    /// A thing that is carried, drawn, dropped and picked up.
    Forged,
    /// Part of the body: claws, a bite. Always at hand; who has one is armed.
    Natural,
    /// Bare fists and feet. Everybody has them; who has only them is unarmed.
    Unarmed,
}

/// Use from the hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Melee {
    /// How far it strikes, in feet: 5, or 10 for long arms.
    pub reach: i32,
    /// Made to thrust (spears, pikes, most blades).
    pub thrusting: bool,
    /// The wielder's best among these goes to the attack roll. Never empty.
    pub skills: Vec<Skill>,
}

/// Use from afar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranged {
    pub how: Launch,
    /// Feet without a penalty.
    pub normal: i32,
    /// Feet at the very most, at least `normal`.
    pub long: i32,
    /// The shooter's best among these goes to the attack roll. Never empty.
    pub skills: Vec<Skill>,
}

/// How a missile leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Launch {
    /// The weapon itself flies, and lies where it falls.
    Thrown,
    /// Loosed from a string or a sling; without training each new missile
    /// costs a Move.
    Bow,
    /// Must be spanned again after each shot; without training that costs a
    /// Main.
    Crossbow,
}

/// Harm done by a miss, "2/AC 13": `points`, if the target's melee AC is at
/// most `ac`; `None` is any AC.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shock {
    pub points: i32,
    pub ac: Option<i32>,
}

impl Weapon {
    /// What a ruleset knows of it besides.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }

    /// A thing that strikes farther than to the next cell: a spear, a pike.
    pub fn is_long_arm(&self) -> bool {
        self.make == Make::Forged && self.melee.as_ref().is_some_and(|m| m.reach > 5)
    }

    pub fn shoots_as(&self, how: Launch) -> bool {
        self.ranged.as_ref().is_some_and(|r| r.how == how)
    }

    /// The skills that one attacks with it by, shooting or striking.
    pub fn skills(&self, ranged: bool) -> &[Skill] {
        match (ranged, &self.melee, &self.ranged) {
            (true, _, Some(shot)) => &shot.skills,
            (_, Some(melee), _) => &melee.skills,
            _ => &[Skill::Brawl],
        }
    }

    /// A bow or crossbow that takes both hands to shoot: no use with a foe
    /// at one's throat.
    pub fn needs_two_hands_to_shoot(&self) -> bool {
        self.hands == 2
            && self
                .ranged
                .as_ref()
                .is_some_and(|r| r.how != Launch::Thrown)
    }

    pub fn is_thrown(&self) -> bool {
        self.ranged
            .as_ref()
            .is_some_and(|r| r.how == Launch::Thrown)
    }

    /// A throw sends the thing itself away; what grows on the body, or is
    /// picked up anywhere, does not run out.
    pub fn leaves_the_hand(&self) -> bool {
        self.is_thrown() && self.make == Make::Forged
    }

    /// Who strikes with this counts as armed for melee.
    pub fn arms_for_melee(&self) -> bool {
        self.melee.is_some() && self.make != Make::Unarmed
    }
}
