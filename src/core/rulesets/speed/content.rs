//! What Speed needs to know about creatures, weapons, armour, spells and levels.
//! `docs/content.md` lists the formulas.

use super::numbers::SpeedCondition;
use crate::{
    content::{
        Armour, Attribute, Creature, Launch, Make, OwnSections, Registered, Skill, Spell,
        SpellArea, Weapon,
        section::{section, spells, whole, word, word_enum, words, yes_no},
    },
    levels::Level,
    ron_read::{Piece, Reader},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The content sections of Speed.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<SpeedStats>()],
    weapon: &[Registered::new::<SpeedWeapon>()],
    armour: &[Registered::new::<SpeedArmour>()],
    spell: &[Registered::new::<SpeedSpell>()],
};

section! {
    /// Settings that the rules leave to the group, fixed for the battle.
    pub struct SpeedSettings from WrittenSettings, of Level, "speed": "settings of Speed";
    |own, level|
    /// The order of declaration (SP-05).
    declare: Declare, word("an order", &Declare::WORDS) => Declare::Sealed;
    /// Whether like monsters of a side share one initiative roll (SP-02).
    shared: bool, yes_no => false;
}

word_enum! {
    /// The order in which units declare actions (SP-05).
    pub enum Declare {
        /// Secret, then revealed together.
        Sealed,
        /// Openly, one unit of each side in turn.
        RoundRobin,
        /// Openly, by Agility from high to low.
        ByAgility,
    }
}

word_enum! {
    /// The damage type of a wound (SP-23, SP-26).
    #[derive(Serialize, Deserialize)]
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
}

word_enum! {
    /// The abilities that Speed uses.
    #[derive(Serialize, Deserialize)]
    pub enum Ability {
        Strength,
        Agility,
        Dexterity,
        Insight,
        Perception,
        Memory,
    }
}

impl Ability {
    /// The common attribute from which the ability is derived.
    pub fn attribute(self) -> Attribute {
        match self {
            Self::Strength => Attribute::Str,
            Self::Agility | Self::Dexterity => Attribute::Dex,
            Self::Insight | Self::Perception => Attribute::Wis,
            Self::Memory => Attribute::Int,
        }
    }

    /// The modifier of a score: 10 and 11 give 0, 12 gives +1, 9 gives -1.
    pub fn modifier(score: i32) -> i32 {
        (score - 10).div_euclid(2)
    }
}

/// The conditions that a creature can start with.
const SUFFERED: [(&str, SpeedCondition); 8] = [
    ("Stunned", SpeedCondition::Stunned),
    ("Blinded", SpeedCondition::Blinded),
    ("Grappled", SpeedCondition::Grappled),
    ("Slowed", SpeedCondition::Slowed),
    ("Bleeding", SpeedCondition::Bleeding),
    ("Burning", SpeedCondition::Burning),
    ("Frightened", SpeedCondition::Frightened),
    ("Surprised", SpeedCondition::Surprised),
];

section! {
    /// Numbers of a creature for the Speed ruleset.
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
    /// Hit dice of a monster, level of a hero (SP-30).
    hit_dice: i32 => c.rank();
    /// Maximum Stress, at least 0 (SP-22).
    stress: i32, whole(0..=1000) => {
        most_stress(hit_dice, Ability::modifier(scores[Ability::Strength as usize]))
    };
    /// Added to the Strength score for Wound Points (SP-23).
    wounds: i32, whole(-20..=100) => 0;
    /// Added to 10 and Agility, not counting the shield (SP-20).
    defense: i32, whole(-10..=30) => of(&c.armour, |a| a.defense);
    /// The part of the Defense that depends on the shield.
    shield: i32 => of(&c.shield, |s| s.defense);
    /// Subtracted from the damage of every hit (SP-21).
    armour: i32, whole(0..=30) => of(&c.armour, |a| a.armour) + of(&c.shield, |s| s.armour);
    /// Added to every attack, in addition to ability and skill.
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
    /// The spells of its potions, one entry for each potion. They are consumables (SP-04).
    draughts: Vec<Arc<Spell>>, spells => vec![];
    /// The conditions that the creature starts with (SP-32).
    suffers: Vec<SpeedCondition>, words("a condition", &SUFFERED) => vec![];
}

/// The value of worn armour or a shield, 0 if there is none.
fn of(worn: &Option<Arc<Armour>>, what: fn(&SpeedArmour) -> i32) -> i32 {
    worn.as_ref().map_or(0, |worn| what(worn.section()))
}

/// Maximum Stress (SP-22): eight-sided hit dice, each plus the Strength modifier. The first die
/// counts in full, the others average, and the sum is rounded down. A creature without a hit
/// die has half of one.
pub fn most_stress(hit_dice: i32, strength: i32) -> i32 {
    let dice = match hit_dice {
        0 => 4,
        n => 8 + (n - 1) * 9 / 2,
    };
    (dice + hit_dice.max(1) * strength).max(0)
}

section! {
    /// Numbers of a weapon for the Speed ruleset.
    pub struct SpeedWeapon from WrittenWeapon, of Weapon,
    "speed": "a Speed section of a weapon";
    |own, w|
    /// Added to the base initiative for an attack (SP-04).
    speed: i32, whole(-5..=20) => match w.make {
        Make::Forged => {
            let most = w.damage.max() - i32::from(w.damage.plus);
            let slow = i32::from(w.hands == 2) + i32::from(w.is_long_arm());
            most / 2 + slow + 2 * i32::from(w.shoots_as(Launch::Crossbow))
        }
        Make::Natural | Make::Unarmed => 0,
    };
    /// Added to the base initiative for a throw (SP-04).
    thrown: i32, whole(-5..=20) => 2;
    /// Never empty. With two types, the attacker chooses on a critical hit (SP-26).
    types: Vec<DamageType>, |r, p, _| types(r, p) => vec![match w.make {
        Make::Unarmed => DamageType::Blunt,
        _ if w.melee.as_ref().is_none_or(|m| m.thrusting) => DamageType::Piercing,
        _ => DamageType::Slashing,
    }];
    /// A hit is critical if the d20 shows this or more (SP-26).
    critical: i32, whole(2..=20) => 20;
    /// The damage multiplier of a critical hit.
    times: i32, whole(2..=4) => 2;
    /// Whether a hit grapples the target (SP-32).
    seizes: bool, yes_no => false;
    /// Whether the weapon is a natural one that needs working arms (SP-27).
    arms: bool, yes_no => w.make == Make::Unarmed;
}

fn types(r: &mut Reader, p: &Piece) -> Option<Vec<DamageType>> {
    let list = r.list(p, |r, p| r.word(p, "a damage type", &DamageType::WORDS))?;
    if list.is_empty() {
        r.expected(p, "at least one damage type");
    }
    Some(list).filter(|list| !list.is_empty())
}

section! {
    /// Numbers of armour and shields for the Speed ruleset.
    pub struct SpeedArmour from WrittenArmour, of Armour,
    "speed": "a Speed section of armour";
    |own, a|
    /// Added to the Defense; only shields have it by default.
    defense: i32, whole(-5..=10) => if a.shield { a.ac_melee + a.magic } else { 0 };
    /// Subtracted from damage: by default half of the armour's value beyond 10, rounded down.
    armour: i32, whole(0..=20) => if a.shield { 0 } else { (a.ac_melee - 10) / 2 + a.magic };
}

section! {
    /// Numbers of a spell for the Speed ruleset.
    pub struct SpeedSpell from WrittenSpell, of Spell, "speed": "a Speed section of a spell";
    with { r#type: DamageType, word("a damage type", &DamageType::WORDS); }
    |own, s|
    /// The casting target number.
    target: i32, whole(5..=40) => 12 + 2 * i32::from(is_wide(s)) + 2 * i32::from(s.effect.holds());
    mana: i32, whole(0..=50) => 2 + i32::from(is_wide(s)) + i32::from(s.effect.holds());
    /// Added to the base initiative (SP-04).
    speed: i32, whole(-5..=30) => target - 10;
    /// The type of its damage.
    kind: DamageType => own.r#type.unwrap_or(DamageType::Fire);
}

fn is_wide(s: &Spell) -> bool {
    s.area != SpellArea::One
}
