//! Creatures: heroes and everybody else.

use super::{Armour, Look, Make, Section, Sections, Spell, Weapon};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One kind of creature, complete: nothing is left to derive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Creature {
    /// The key in files: "goblin_archer". A combatant with changes of its own
    /// keeps the id of the kind that it was made from.
    pub id: String,
    /// For people, as at the start of a sentence: "Goblin archer", "Mara".
    pub name: String,
    /// Its role in a word, in lower case: "archer".
    pub title: String,
    pub look: Look,
    /// Cells on a side: 1 is man-sized, 2 stands on 2 by 2 cells.
    pub size: u8,
    /// How hard it is to shove or hold.
    pub bulk: Bulk,
    /// Feet in one Move, a multiple of 5.
    pub speed: i32,
    pub training: Training,
    /// Modifiers, not scores; all 0 for most that are no heroes.
    pub attributes: Attributes,
    /// At hand, drawn without effort. The first is in hand when the battle
    /// begins. Fists are not listed: everybody has them.
    pub weapons: Vec<Arc<Weapon>>,
    /// Begins with its weapons at the belt, nothing in hand.
    pub sheathed: bool,
    /// In the other hand, beside the first weapon.
    pub off_hand: Option<Arc<Weapon>>,
    /// Stowed: getting one out takes time.
    pub pack: Vec<Arc<Weapon>>,
    pub armour: Option<Arc<Armour>>,
    pub shield: Option<Arc<Armour>>,
    /// 2d6 over this fails, 2 to 12; `None` never checks.
    pub morale: Option<i32>,
    pub traits: BTreeSet<Trait>,
    pub spells: Vec<Arc<Spell>>,
    /// What only some rulesets know of it.
    pub sections: Sections,
}

/// Where its numbers come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Training {
    /// A hero: a level, 1 to 10, and skills; a skill not listed is untrained.
    Hero {
        level: i32,
        skills: BTreeMap<Skill, i32>,
    },
    /// Anybody else: hit dice, 0 to 30, and one number for every skill.
    Npc { hit_dice: i32, skill: i32 },
}

/// Against shoves and holds, which are made for people against people (SK-54).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bulk {
    /// A person, or smaller.
    Ordinary,
    /// Clearly larger, yet of human shape: an ogre.
    Large,
    /// Barely plausible: a giant, a bear, a great serpent.
    Huge,
    /// Out of the question: a dragon, a swarm, a slime.
    Beyond,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attribute {
    Str,
    Dex,
    Con,
    Int,
    Wis,
    Cha,
}

/// One modifier for each attribute, -5 to +5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attributes(pub [i32; 6]);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Skill {
    /// Bare hands.
    Brawl,
    /// Arms in the hand.
    Stab,
    /// Bows, crossbows, slings, things thrown.
    Shoot,
    /// Strength well used: leaps, doors, heavy throws.
    Exert,
    Heal,
    Notice,
    Sneak,
    Talk,
    /// Spells.
    Cast,
}

/// What sets a creature apart from what the rules say of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trait {
    /// Trained for war: may make snap attacks. Heroes may without it.
    Disciplined,
    /// Dies at 0 HP, nobody lingers over it.
    Minion,
    /// Shock never hurts it.
    ShockImmune,
    /// Its own Shock does this many points more.
    ShockBonus(i32),
    /// Its own Shock counts against any AC.
    ShockAnyAc,
    /// Its hits do this much more damage.
    DamageBonus(i32),
    /// Once a battle it may roll one of its own dice again.
    Reroll,
    /// Once a battle it has a second Main.
    SpareMain,
    /// Nobody sees it.
    Invisible,
    /// Words mean nothing to it: beasts, the mindless.
    Speechless,
}

impl Creature {
    /// What a ruleset knows of it besides.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }

    /// Every whole number that an entry of it may give: the group of fields in
    /// which it stands, if it is in one, the field, and what it comes to.
    pub fn numbers(&self) -> Vec<(Option<&'static str>, &'static str, i32)> {
        let mut all = vec![(None, "speed", self.speed)];
        match &self.training {
            Training::Hero { level, skills } => {
                all.push((None, "level", *level));
                for (name, skill) in SKILLS {
                    let level = skills.get(&skill).copied();
                    all.extend(level.map(|n| (Some("skills"), name, n)));
                }
            }
            Training::Npc { hit_dice, skill } => {
                all.extend([(None, "hit_dice", *hit_dice), (None, "skill", *skill)]);
            }
        }
        all.extend(self.morale.map(|n| (None, "morale", n)));
        for (name, attribute) in ATTRIBUTES {
            all.push((Some("attributes"), name, self.modifier(attribute)));
        }
        let own = self.sections.numbers();
        all.extend(own.map(|(key, field, n)| (Some(key), field, n)));
        all
    }

    /// Every spell that it has, those that it has under some ruleset only too.
    pub fn all_spells(&self) -> impl Iterator<Item = &Arc<Spell>> {
        self.spells.iter().chain(self.sections.spells())
    }

    /// What its shield gives, with its magic; 0 without one.
    pub fn shield_bonus(&self, ac: fn(&Armour) -> i32) -> i32 {
        self.shield.as_ref().map_or(0, |s| ac(s) + s.magic)
    }

    /// The level of a hero, the hit dice of anybody else.
    pub fn rank(&self) -> i32 {
        match &self.training {
            Training::Hero { level, .. } => *level,
            Training::Npc { hit_dice, .. } => *hit_dice,
        }
    }

    pub fn is_hero(&self) -> bool {
        matches!(self.training, Training::Hero { .. })
    }

    /// May make snap attacks.
    pub fn is_disciplined(&self) -> bool {
        self.is_hero() || self.has(Trait::Disciplined)
    }

    /// Has hands to take things with: beasts that fight with what they were born
    /// with have none.
    pub fn has_hands(&self) -> bool {
        let is = |make| move |w: &Arc<Weapon>| w.make == make;
        self.weapons.iter().any(is(Make::Forged)) || !self.weapons.iter().any(is(Make::Natural))
    }

    /// Never checks its morale.
    pub fn is_fearless(&self) -> bool {
        self.morale.is_none()
    }

    #[inline]
    pub fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    /// Points that its traits add to its Shock.
    pub fn shock_bonus(&self) -> i32 {
        let points = |t: &Trait| if let Trait::ShockBonus(n) = t { *n } else { 0 };
        self.traits.iter().map(points).sum()
    }

    /// Points that its traits add to the damage of its hits.
    pub fn damage_bonus(&self) -> i32 {
        let points = |t: &Trait| if let Trait::DamageBonus(n) = t { *n } else { 0 };
        self.traits.iter().map(points).sum()
    }

    pub fn modifier(&self, attribute: Attribute) -> i32 {
        self.attributes.get(attribute)
    }

    /// The best of its modifiers among `of`, and which it is (the first of
    /// equals); `of` must not be empty.
    pub fn best_modifier(&self, of: &[Attribute]) -> (Attribute, i32) {
        let mut best = (of[0], self.modifier(of[0]));
        for &attribute in &of[1..] {
            if self.modifier(attribute) > best.1 {
                best = (attribute, self.modifier(attribute));
            }
        }
        best
    }

    /// Its level in a skill, `None` untrained. An NPC's one number stands for
    /// every skill.
    pub fn skill(&self, skill: Skill) -> Option<i32> {
        match &self.training {
            Training::Hero { skills, .. } => skills.get(&skill).copied(),
            Training::Npc { skill, .. } => Some(*skill),
        }
    }

    /// What a skill adds to an attack roll: the best of `of`, and which it is
    /// (the first of equals). Untrained is 0, and so is every NPC's, whose
    /// attack bonus has it all.
    pub fn attack_skill(&self, of: &[Skill]) -> (Skill, i32) {
        let level = |skill: Skill| match &self.training {
            Training::Hero { skills, .. } => skills.get(&skill).copied().unwrap_or(0),
            Training::Npc { .. } => 0,
        };
        let mut best = (of[0], level(of[0]));
        for &skill in &of[1..] {
            if level(skill) > best.1 {
                best = (skill, level(skill));
            }
        }
        best
    }

    /// Feet that it reaches with the weapon: what the weapon has, and 5 more
    /// for every cell of its own size beyond the first.
    pub fn reach(&self, weapon: &Weapon) -> Option<i32> {
        let own = 5 * (i32::from(self.size) - 1);
        weapon.melee.as_ref().map(|melee| melee.reach + own)
    }
}

impl Attributes {
    pub fn get(&self, attribute: Attribute) -> i32 {
        self.0[attribute as usize]
    }
}

/// Attributes as files name them in a creature's `attributes`.
pub(super) const ATTRIBUTES: [(&str, Attribute); 6] = [
    ("str", Attribute::Str),
    ("dex", Attribute::Dex),
    ("con", Attribute::Con),
    ("int", Attribute::Int),
    ("wis", Attribute::Wis),
    ("cha", Attribute::Cha),
];

/// Skills as files name them in a hero's `skills`.
pub(super) const SKILLS: [(&str, Skill); 9] = [
    ("brawl", Skill::Brawl),
    ("stab", Skill::Stab),
    ("shoot", Skill::Shoot),
    ("exert", Skill::Exert),
    ("heal", Skill::Heal),
    ("notice", Skill::Notice),
    ("sneak", Skill::Sneak),
    ("talk", Skill::Talk),
    ("cast", Skill::Cast),
];

impl Attribute {
    pub const ALL: [Self; 6] = [
        Self::Str,
        Self::Dex,
        Self::Con,
        Self::Int,
        Self::Wis,
        Self::Cha,
    ];

    /// As the rules print it: "STR".
    pub fn name(self) -> &'static str {
        match self {
            Self::Str => "STR",
            Self::Dex => "DEX",
            Self::Con => "CON",
            Self::Int => "INT",
            Self::Wis => "WIS",
            Self::Cha => "CHA",
        }
    }
}

impl Skill {
    pub const ALL: [Self; 9] = [
        Self::Brawl,
        Self::Stab,
        Self::Shoot,
        Self::Exert,
        Self::Heal,
        Self::Notice,
        Self::Sneak,
        Self::Talk,
        Self::Cast,
    ];
    /// Those that count as combat skills.
    pub const COMBAT: [Self; 3] = [Self::Brawl, Self::Stab, Self::Shoot];

    /// As the rules print it: "Stab".
    pub fn name(self) -> &'static str {
        match self {
            Self::Brawl => "Brawl",
            Self::Stab => "Stab",
            Self::Shoot => "Shoot",
            Self::Exert => "Exert",
            Self::Heal => "Heal",
            Self::Notice => "Notice",
            Self::Sneak => "Sneak",
            Self::Talk => "Talk",
            Self::Cast => "Cast",
        }
    }

    /// As a modifier of a roll: "Stab skill".
    pub fn label(self) -> &'static str {
        match self {
            Self::Brawl => "Brawl skill",
            Self::Stab => "Stab skill",
            Self::Shoot => "Shoot skill",
            Self::Exert => "Exert skill",
            Self::Heal => "Heal skill",
            Self::Notice => "Notice skill",
            Self::Sneak => "Sneak skill",
            Self::Talk => "Talk skill",
            Self::Cast => "Cast skill",
        }
    }
}
