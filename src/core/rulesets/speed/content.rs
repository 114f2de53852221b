//! What Speed needs to know of creatures, weapons, armour, spells and levels.
//! `docs/content.md` tells the formulas.

use crate::{
    content::{
        Area, Armour, Attribute, Creature, Launch, Make, OwnSections, Registered, Skill, Spell,
        Weapon,
        section::{section, spells, whole, word, words, yes_no},
    },
    levels::Level,
    ron_read::{Piece, Reader},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The sections of Speed.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<SpeedStats>()],
    weapon: &[Registered::new::<SpeedWeapon>()],
    armour: &[Registered::new::<SpeedArmour>()],
    spell: &[Registered::new::<SpeedSpell>()],
};

section! {
    /// What the rules leave to the table, fixed for the battle.
    pub struct SpeedSettings from WrittenSettings, of Level, "speed": "settings of Speed";
    |own, level|
    /// SP-05.
    declare: Declare, word("an order", &ORDERS) => Declare::Sealed;
    /// SP-02: like monsters of a side share one roll of initiative.
    shared: bool, yes_no => false;
}

/// In what order actions are declared (SP-05).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Declare {
    /// Sealed, and revealed together.
    Sealed,
    /// One of each side in turn, openly.
    RoundRobin,
    /// By Agility from high to low, openly.
    ByAgility,
}

const ORDERS: [(&str, Declare); 3] = [
    ("Sealed", Declare::Sealed),
    ("RoundRobin", Declare::RoundRobin),
    ("ByAgility", Declare::ByAgility),
];

/// What a wound was done with (SP-23, SP-26).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum DamageType {
    Blunt,
    Piercing,
    Slashing,
    Chopping,
    Fire,
    Cold,
    Electric,
    Sonic,
    Acid,
    Holy,
    Unholy,
}

/// The abilities by which Speed goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Ability {
    Strength,
    Agility,
    Dexterity,
    Insight,
    Perception,
    Memory,
}

impl DamageType {
    pub const ALL: [Self; 11] = [
        Self::Blunt,
        Self::Piercing,
        Self::Slashing,
        Self::Chopping,
        Self::Fire,
        Self::Cold,
        Self::Electric,
        Self::Sonic,
        Self::Acid,
        Self::Holy,
        Self::Unholy,
    ];

    /// As files write it: "Blunt".
    pub fn name(self) -> &'static str {
        match self {
            Self::Blunt => "Blunt",
            Self::Piercing => "Piercing",
            Self::Slashing => "Slashing",
            Self::Chopping => "Chopping",
            Self::Fire => "Fire",
            Self::Cold => "Cold",
            Self::Electric => "Electric",
            Self::Sonic => "Sonic",
            Self::Acid => "Acid",
            Self::Holy => "Holy",
            Self::Unholy => "Unholy",
        }
    }
}

impl Ability {
    pub const ALL: [Self; 6] = [
        Self::Strength,
        Self::Agility,
        Self::Dexterity,
        Self::Insight,
        Self::Perception,
        Self::Memory,
    ];

    /// As the rules print it: "Strength".
    pub fn name(self) -> &'static str {
        match self {
            Self::Strength => "Strength",
            Self::Agility => "Agility",
            Self::Dexterity => "Dexterity",
            Self::Insight => "Insight",
            Self::Perception => "Perception",
            Self::Memory => "Memory",
        }
    }

    /// The common attribute that it is derived from.
    pub fn attribute(self) -> Attribute {
        match self {
            Self::Strength => Attribute::Str,
            Self::Agility | Self::Dexterity => Attribute::Dex,
            Self::Insight | Self::Perception => Attribute::Wis,
            Self::Memory => Attribute::Int,
        }
    }

    /// What a score adds: 10 and 11 nothing, 12 one, 9 takes one away.
    pub fn modifier(score: i32) -> i32 {
        (score - 10).div_euclid(2)
    }
}

/// With what conditions somebody may begin.
const SUFFERED: [(&str, &str); 8] = [
    ("Stunned", "Stunned"),
    ("Blinded", "Blinded"),
    ("Grappled", "Grappled"),
    ("Slowed", "Slowed"),
    ("Bleeding", "Bleeding"),
    ("Burning", "Burning"),
    ("Frightened", "Frightened"),
    ("Surprised", "Surprised"),
];

section! {
    /// Numbers of the Speed ruleset.
    pub struct SpeedStats from WrittenStats, of Creature, "speed_rules": "a Speed section";
    spells: draughts;
    with {
        strength: i32, whole(1..=30) => |s| s.scores[Ability::Strength as usize];
        agility: i32, whole(1..=30) => |s| s.scores[Ability::Agility as usize];
        dexterity: i32, whole(1..=30) => |s| s.scores[Ability::Dexterity as usize];
        insight: i32, whole(1..=30) => |s| s.scores[Ability::Insight as usize];
        perception: i32, whole(1..=30) => |s| s.scores[Ability::Perception as usize];
        memory: i32, whole(1..=30) => |s| s.scores[Ability::Memory as usize];
    }
    |own, c|
    /// Scores, 1 to 30, by [`Ability`].
    scores: [i32; 6] => Ability::ALL.map(|ability| {
        let written = match ability {
            Ability::Strength => own.strength,
            Ability::Agility => own.agility,
            Ability::Dexterity => own.dexterity,
            Ability::Insight => own.insight,
            Ability::Perception => own.perception,
            Ability::Memory => own.memory,
        };
        written.unwrap_or(10 + 2 * c.modifier(ability.attribute()))
    });
    /// HD of a monster, level of a hero (SP-30).
    hit_dice: i32 => c.rank();
    /// Most Stress, at least 0 (SP-22).
    stress: i32, whole(0..=1000) => {
        most_stress(hit_dice, Ability::modifier(scores[Ability::Strength as usize]))
    };
    /// Added to the Strength score for Wound Points (SP-23).
    wounds: i32, whole(-20..=100) => 0;
    /// Added to 10 and Agility, the shield aside (SP-20).
    defense: i32, whole(-10..=30) => of(&c.armour, |a| a.defense);
    /// The part of the Defense that is lost with the shield.
    shield: i32 => of(&c.shield, |s| s.defense);
    /// Taken off the damage of every hit (SP-21).
    armour: i32, whole(0..=30) => of(&c.armour, |a| a.armour) + of(&c.shield, |s| s.armour);
    /// Added to every attack beside ability and skill.
    attack: i32, whole(-10..=30) => match c.is_hero() {
        true => (hit_dice + 1) / 2,
        false => hit_dice,
    };
    /// What traits add to the base initiative (SP-02).
    initiative: i32, whole(-20..=20) => 0;
    mana: i32, whole(0..=100) => {
        let memory = Ability::modifier(scores[Ability::Memory as usize]);
        (4 + 2 * (c.skill(Skill::Cast).unwrap_or(0) + memory)).max(0)
    };
    /// Spells in bottles, as often as it has one: consumables (SP-04).
    draughts: Vec<Arc<Spell>>, spells => vec![];
    /// Names of conditions that it begins with (SP-32).
    suffers: Vec<&'static str>, words("a condition", &SUFFERED) => vec![];
}

/// What armour or a shield gives, if it is there.
fn of(worn: &Option<Arc<Armour>>, what: fn(&SpeedArmour) -> i32) -> i32 {
    worn.as_ref().map_or(0, |worn| what(worn.section()))
}

/// SP-22: hit dice of eight sides, each with the Strength modifier; the first
/// in full, the others at their average, the sum rounded down. Without a hit
/// die, half of one.
pub fn most_stress(hit_dice: i32, strength: i32) -> i32 {
    let dice = match hit_dice {
        0 => 4,
        n => 8 + (n - 1) * 9 / 2,
    };
    (dice + hit_dice.max(1) * strength).max(0)
}

section! {
    /// What Speed needs to know of a weapon.
    pub struct SpeedWeapon from WrittenWeapon, of Weapon,
    "speed": "a Speed section of a weapon";
    |own, w|
    /// Added to the base initiative of an attack (SP-04).
    speed: i32, whole(-5..=20) => match w.make {
        Make::Forged => {
            let most = w.damage.max() - i32::from(w.damage.plus);
            let slow = i32::from(w.hands == 2) + i32::from(w.is_long_arm());
            most / 2 + slow + 2 * i32::from(w.shoots_as(Launch::Crossbow))
        }
        Make::Natural | Make::Unarmed => 0,
    };
    /// The same for a throw.
    thrown: i32, whole(-5..=20) => 2;
    /// Never empty; of two the attacker chooses at a critical hit (SP-26).
    types: Vec<DamageType>, |r, p, _| types(r, p) => vec![match w.make {
        Make::Unarmed => DamageType::Blunt,
        _ if w.melee.as_ref().is_none_or(|m| m.thrusting) => DamageType::Piercing,
        _ => DamageType::Slashing,
    }];
    /// A d20 that shows this or more, and hits, is a critical hit.
    critical: i32, whole(2..=20) => 20;
    /// What a critical hit multiplies the damage by.
    times: i32, whole(2..=4) => 2;
    /// Who is hit is grappled (SP-32).
    seizes: bool, yes_no => false;
    /// A part of the body that goes with the arms (SP-27).
    arms: bool, yes_no => w.make == Make::Unarmed;
}

fn types(r: &mut Reader, p: &Piece) -> Option<Vec<DamageType>> {
    let words = DamageType::ALL.map(|t| (t.name(), t));
    let list = r.list(p, |r, p| r.word(p, "a damage type", &words))?;
    if list.is_empty() {
        r.expected(p, "at least one damage type");
    }
    Some(list).filter(|list| !list.is_empty())
}

section! {
    /// What Speed needs to know of armour and shields.
    pub struct SpeedArmour from WrittenArmour, of Armour,
    "speed": "a Speed section of armour";
    |own, a|
    /// Added to the Defense: what a shield has.
    defense: i32, whole(-5..=10) => if a.shield { a.ac_melee + a.magic } else { 0 };
    /// Taken off the damage: half of what armour gives beyond 10, rounded down.
    armour: i32, whole(0..=20) => if a.shield { 0 } else { (a.ac_melee - 10) / 2 + a.magic };
}

section! {
    /// What Speed needs to know of a spell.
    pub struct SpeedSpell from WrittenSpell, of Spell, "speed": "a Speed section of a spell";
    with { r#type: DamageType, word("a damage type", &DamageType::ALL.map(|t| (t.name(), t))); }
    |own, s|
    /// The casting target number.
    target: i32, whole(5..=40) => 12 + 2 * i32::from(is_wide(s)) + 2 * i32::from(s.effect.holds());
    mana: i32, whole(0..=50) => 2 + i32::from(is_wide(s)) + i32::from(s.effect.holds());
    /// Added to the base initiative (SP-04).
    speed: i32, whole(-5..=30) => target - 10;
    /// What its damage is.
    kind: DamageType => own.r#type.unwrap_or(DamageType::Fire);
}

fn is_wide(s: &Spell) -> bool {
    s.area != Area::One
}
