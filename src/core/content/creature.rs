//! Creatures: heroes and all others.

use super::{Armour, Look, Make, Section, Sections, Spell, Weapon, section::word_enum};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One kind of creature, with all derived values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Creature {
    /// The key in files: "goblin_archer". A unit with changes of its own keeps the id of its
    /// kind.
    pub id: String,
    /// The key of the kind at the root of those that it is like: "goblin" for a kind that is like a
    /// kind that is like a goblin. `None` for a kind that is like no other.
    pub root: Option<String>,
    /// The name in text, as at the start of a sentence: "Goblin archer", "Mara".
    pub name: String,
    /// The creature's role in a word, in lower case: "archer".
    pub title: String,
    pub look: Look,
    /// Cells on a side: 1 for human size, 2 for a creature on 2 by 2 cells.
    pub size: u8,
    /// How hard the creature is to shove or hold.
    pub bulk: Bulk,
    /// Feet of one Move, a multiple of 5.
    pub speed: i32,
    pub training: Training,
    /// Modifiers, not scores; usually all 0, except for heroes.
    pub attributes: Attributes,
    /// Weapons that are ready to draw. The first is held when the battle begins. Bare hands are
    /// not listed, because every creature has them.
    pub weapons: Vec<Arc<Weapon>>,
    /// Begins the battle with all weapons on the belt, none in hand.
    pub sheathed: bool,
    /// Held in the other hand, in addition to the first weapon.
    pub off_hand: Option<Arc<Weapon>>,
    /// Stowed weapons: taking one out costs time.
    pub pack: Vec<Arc<Weapon>>,
    pub armour: Option<Arc<Armour>>,
    pub shield: Option<Arc<Armour>>,
    /// A morale check fails if 2d6 exceed this, 2 to 12. `None` if the creature never checks.
    pub morale: Option<i32>,
    pub traits: BTreeSet<Trait>,
    pub spells: Vec<Arc<Spell>>,
    /// The sections of rulesets.
    pub sections: Sections,
}

/// The source of a creature's numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Training {
    /// A hero: a level from 1 to 10, and skills. A skill that is not listed is untrained.
    Hero {
        level: i32,
        skills: BTreeMap<Skill, i32>,
    },
    /// Any other creature: hit dice from 0 to 30, and one number for all skills.
    Npc { hit_dice: i32, skill: i32 },
}

file_words! {
    /// Size for shoves and holds, which assume human targets (SK-54).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Bulk {
        /// Human size or smaller.
        Ordinary,
        /// Clearly larger, but of human shape: an ogre.
        Large,
        /// Barely plausible: a giant, a bear, a great serpent.
        Huge,
        /// Impossible: a dragon, a swarm, a slime.
        Beyond,
    }
}

word_enum! {
    /// Its `name` is the abbreviation in the rules.
    pub enum Attribute {
        Str = "STR",
        Dex = "DEX",
        Con = "CON",
        Int = "INT",
        Wis = "WIS",
        Cha = "CHA",
    }
}

/// One modifier for each attribute, -5 to +5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attributes(pub [i32; 6]);

word_enum! {
    pub enum Skill {
        /// Unarmed combat.
        Brawl,
        /// Melee weapons.
        Stab,
        /// Bows, crossbows, slings, thrown weapons.
        Shoot,
        /// Applied strength: jumping, breaking doors, heavy throws.
        Exert,
        Heal,
        Notice,
        Sneak,
        Talk,
        /// Spells.
        Cast,
    }
}

/// Special properties of a creature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trait {
    /// Trained for war: can make snap attacks. Heroes can without this trait.
    Disciplined,
    /// Dies at once at 0 HP.
    Minion,
    /// Immune to Shock.
    ShockImmune,
    /// Bonus to its own Shock damage.
    ShockBonus(i32),
    /// Its own Shock applies against any AC.
    ShockAnyAc,
    /// Bonus to the damage of its hits.
    DamageBonus(i32),
    /// Once per battle, it can reroll one of its own dice.
    Reroll,
    /// Once per battle, it gets a second Main action.
    SpareMain,
    /// Cannot be seen.
    Invisible,
    /// Cannot be talked to: animals, mindless creatures.
    Speechless,
}

impl Creature {
    /// The section of one ruleset.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }

    /// All integers that an entry in a file can set: the group of fields, if the field is in one,
    /// the field's name, and its value.
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

    /// All spells of the creature, including those of single rulesets.
    pub fn all_spells(&self) -> impl Iterator<Item = &Arc<Spell>> {
        self.spells.iter().chain(self.sections.spells())
    }

    /// The shield's bonus including magic; 0 without a shield.
    pub fn shield_bonus(&self, ac: fn(&Armour) -> i32) -> i32 {
        self.shield.as_ref().map_or(0, |s| ac(s) + s.magic)
    }

    /// A hero's level, or any other creature's hit dice.
    pub fn rank(&self) -> i32 {
        match &self.training {
            Training::Hero { level, .. } => *level,
            Training::Npc { hit_dice, .. } => *hit_dice,
        }
    }

    pub fn is_hero(&self) -> bool {
        matches!(self.training, Training::Hero { .. })
    }

    /// Whether it can make snap attacks.
    pub fn is_disciplined(&self) -> bool {
        self.is_hero() || self.has(Trait::Disciplined)
    }

    /// Whether it has hands to pick up items. Animals that only have natural weapons do not.
    pub fn has_hands(&self) -> bool {
        let is = |make| move |w: &Arc<Weapon>| w.make == make;
        self.weapons.iter().any(is(Make::Forged)) || !self.weapons.iter().any(is(Make::Natural))
    }

    /// Whether it never checks morale.
    pub fn is_fearless(&self) -> bool {
        self.morale.is_none()
    }

    #[inline]
    pub fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    /// The points that its traits add to Shock.
    pub fn shock_bonus(&self) -> i32 {
        let points = |t: &Trait| if let Trait::ShockBonus(n) = t { *n } else { 0 };
        self.traits.iter().map(points).sum()
    }

    /// The points that its traits add to the damage of its hits.
    pub fn damage_bonus(&self) -> i32 {
        let points = |t: &Trait| if let Trait::DamageBonus(n) = t { *n } else { 0 };
        self.traits.iter().map(points).sum()
    }

    pub fn modifier(&self, attribute: Attribute) -> i32 {
        self.attributes.get(attribute)
    }

    /// The highest modifier among `of`, and its attribute; the first if there are several. `of`
    /// must not be empty.
    pub fn best_modifier(&self, of: &[Attribute]) -> (Attribute, i32) {
        first_best(of, |attribute| self.modifier(attribute))
    }

    /// The level in a skill; `None` if untrained. An NPC has one number for all skills.
    pub fn skill(&self, skill: Skill) -> Option<i32> {
        match &self.training {
            Training::Hero { skills, .. } => skills.get(&skill).copied(),
            Training::Npc { skill, .. } => Some(*skill),
        }
    }

    /// The bonus of a skill to an attack roll: the best of `of`, and which skill it is; the first
    /// if there are several. 0 if untrained, and for NPCs, whose attack bonus includes it.
    pub fn attack_skill(&self, of: &[Skill]) -> (Skill, i32) {
        let level = |skill: Skill| match &self.training {
            Training::Hero { skills, .. } => skills.get(&skill).copied().unwrap_or(0),
            Training::Npc { .. } => 0,
        };
        first_best(of, level)
    }

    /// What a hero's Brawl skill adds to the damage of an unarmed attack (SK-32, SP-20). 0 for other
    /// weapons, and for NPCs.
    pub fn brawl_damage(&self, weapon: &Weapon) -> i32 {
        match weapon.make {
            Make::Unarmed if self.is_hero() => self.skill(Skill::Brawl).unwrap_or(0),
            _ => 0,
        }
    }

    /// The reach with a weapon in feet: the weapon's own, and 5 more for every cell of size
    /// beyond the first. `None` if the weapon has no melee use.
    pub fn reach(&self, weapon: &Weapon) -> Option<i32> {
        let own = 5 * (i32::from(self.size) - 1);
        weapon.melee.as_ref().map(|melee| melee.reach + own)
    }
}

/// The first of `of` with the highest value, and that value. `of` must not be empty.
fn first_best<T: Copy>(of: &[T], value: impl Fn(T) -> i32) -> (T, i32) {
    let mut best = (of[0], value(of[0]));
    for &one in &of[1..] {
        if value(one) > best.1 {
            best = (one, value(one));
        }
    }
    best
}

impl Attributes {
    pub fn get(&self, attribute: Attribute) -> i32 {
        self.0[attribute as usize]
    }
}

/// The names of attributes in a creature's `attributes` in files.
pub(super) const ATTRIBUTES: [(&str, Attribute); 6] = [
    ("str", Attribute::Str),
    ("dex", Attribute::Dex),
    ("con", Attribute::Con),
    ("int", Attribute::Int),
    ("wis", Attribute::Wis),
    ("cha", Attribute::Cha),
];

/// The names of skills in a hero's `skills` in files.
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

impl Skill {
    /// The combat skills.
    pub const COMBAT: [Self; 3] = [Self::Brawl, Self::Stab, Self::Shoot];

    /// The label of a roll's modifier: "Stab skill".
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
