//! What Speed needs to know of creatures, weapons, armour and spells, and how
//! it is derived where an entry is silent: `docs/content.md`.

use super::{Area, Armour, Attribute, Attributes, Effect, Launch, Make, Melee, Ranged, Spell};
use super::{Dice, Training};
use crate::ron_read::{Piece, Reader};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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

/// Numbers of the Speed ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpeedStats {
    /// Scores, 1 to 30, by [`Ability`].
    pub scores: [i32; 6],
    /// HD of a monster, level of a hero (SP-30).
    pub hit_dice: i32,
    /// Most Stress, at least 0 (SP-22).
    pub stress: i32,
    /// Added to the Strength score for Wound Points (SP-23).
    pub wounds: i32,
    /// Added to 10 and Agility, the shield aside (SP-20).
    pub defense: i32,
    /// The part of the Defense that is lost with the shield.
    pub shield: i32,
    /// Taken off the damage of every hit (SP-21).
    pub armour: i32,
    /// Added to every attack beside ability and skill.
    pub attack: i32,
    /// What traits add to the base initiative (SP-02).
    pub initiative: i32,
    pub mana: i32,
    /// Spells in bottles, as often as it has one: consumables (SP-04).
    pub draughts: Vec<Arc<Spell>>,
    /// Names of conditions that it begins with (SP-32).
    pub suffers: Vec<&'static str>,
}

/// What Speed needs to know of a weapon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpeedWeapon {
    /// Added to the base initiative of an attack (SP-04).
    pub speed: i32,
    /// The same for a throw.
    pub thrown: i32,
    /// Never empty; of two the attacker chooses at a critical hit (SP-26).
    pub types: Vec<DamageType>,
    /// A d20 that shows this or more, and hits, is a critical hit.
    pub critical: i32,
    /// What a critical hit multiplies the damage by.
    pub times: i32,
    /// Who is hit is grappled (SP-32).
    pub seizes: bool,
    /// A part of the body that goes with the arms (SP-27).
    pub arms: bool,
}

/// What Speed needs to know of armour and shields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SpeedArmour {
    pub defense: i32,
    pub armour: i32,
}

/// What Speed needs to know of a spell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SpeedSpell {
    /// The casting target number.
    pub target: i32,
    pub mana: i32,
    /// Added to the base initiative (SP-04).
    pub speed: i32,
    /// What its damage is.
    pub kind: DamageType,
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

/// The section of a creature as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct SpeedEntry {
    scores: [Option<i32>; 6],
    stress: Option<i32>,
    wounds: Option<i32>,
    defense: Option<i32>,
    armour: Option<i32>,
    attack: Option<i32>,
    initiative: Option<i32>,
    mana: Option<i32>,
    draughts: Option<Vec<Arc<Spell>>>,
    suffers: Option<Vec<&'static str>>,
}

/// With what conditions somebody may begin.
pub const SUFFERED: [&str; 8] = [
    "Stunned",
    "Blinded",
    "Grappled",
    "Slowed",
    "Bleeding",
    "Burning",
    "Frightened",
    "Surprised",
];

impl SpeedEntry {
    pub(super) fn read(
        r: &mut Reader,
        piece: &Piece,
        mut spell: impl FnMut(&mut Reader, &Piece) -> Option<Arc<Spell>>,
    ) -> Option<Self> {
        const SCORES: [&str; 6] = [
            "strength",
            "agility",
            "dexterity",
            "insight",
            "perception",
            "memory",
        ];
        let mut f = r.fields(piece, "a Speed section")?;
        let words = SUFFERED.map(|name| (name, name));
        let entry = Self {
            scores: SCORES.map(|name| f.optional(r, name, |r, p| r.whole(p, 1..=30))),
            stress: f.optional(r, "stress", |r, p| r.whole(p, 0..=1000)),
            wounds: f.optional(r, "wounds", |r, p| r.whole(p, -20..=100)),
            defense: f.optional(r, "defense", |r, p| r.whole(p, -10..=30)),
            armour: f.optional(r, "armour", |r, p| r.whole(p, 0..=30)),
            attack: f.optional(r, "attack", |r, p| r.whole(p, -10..=30)),
            initiative: f.optional(r, "initiative", |r, p| r.whole(p, -20..=20)),
            mana: f.optional(r, "mana", |r, p| r.whole(p, 0..=100)),
            draughts: f.optional(r, "draughts", |r, p| r.list(p, &mut spell)),
            suffers: f.optional(r, "suffers", |r, p| {
                r.list(p, |r, p| r.word(p, "a condition", &words))
            }),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(&self, base: &Self) -> Self {
        let of = |n: usize| self.scores[n].or(base.scores[n]);
        Self {
            scores: std::array::from_fn(of),
            stress: self.stress.or(base.stress),
            wounds: self.wounds.or(base.wounds),
            defense: self.defense.or(base.defense),
            armour: self.armour.or(base.armour),
            attack: self.attack.or(base.attack),
            initiative: self.initiative.or(base.initiative),
            mana: self.mana.or(base.mana),
            draughts: self.draughts.clone().or_else(|| base.draughts.clone()),
            suffers: self.suffers.clone().or_else(|| base.suffers.clone()),
        }
    }

    /// The formulas of `docs/content.md`.
    pub(super) fn derive(
        &self,
        training: &Training,
        attributes: &Attributes,
        armour: &Option<Arc<Armour>>,
        shield: &Option<Arc<Armour>>,
    ) -> SpeedStats {
        let score =
            |a: Ability| self.scores[a as usize].unwrap_or(10 + 2 * attributes.get(a.attribute()));
        let (hit_dice, attack, casts) = match training {
            Training::Hero { level, skills } => {
                let cast = skills.get(&super::Skill::Cast).copied().unwrap_or(0);
                (*level, (level + 1) / 2, cast)
            }
            Training::Npc { hit_dice, skill } => (*hit_dice, *hit_dice, *skill),
        };
        let worn = armour.as_ref().map_or(SpeedArmour::default(), |a| a.speed);
        let held = shield.as_ref().map_or(SpeedArmour::default(), |s| s.speed);
        let strength = Ability::modifier(score(Ability::Strength));
        let memory = Ability::modifier(score(Ability::Memory));
        SpeedStats {
            scores: Ability::ALL.map(score),
            hit_dice,
            stress: self
                .stress
                .unwrap_or_else(|| most_stress(hit_dice, strength)),
            wounds: self.wounds.unwrap_or(0),
            defense: self.defense.unwrap_or(worn.defense),
            shield: held.defense,
            armour: self.armour.unwrap_or(worn.armour + held.armour),
            attack: self.attack.unwrap_or(attack),
            initiative: self.initiative.unwrap_or(0),
            mana: self.mana.unwrap_or((4 + 2 * (casts + memory)).max(0)),
            draughts: self.draughts.clone().unwrap_or_default(),
            suffers: self.suffers.clone().unwrap_or_default(),
        }
    }
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

/// The section of a weapon as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct SpeedWeaponEntry {
    speed: Option<i32>,
    thrown: Option<i32>,
    types: Option<Vec<DamageType>>,
    critical: Option<i32>,
    times: Option<i32>,
    seizes: Option<bool>,
    arms: Option<bool>,
}

impl SpeedWeaponEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Speed section of a weapon")?;
        let words = DamageType::ALL.map(|t| (t.name(), t));
        let entry = Self {
            speed: f.optional(r, "speed", |r, p| r.whole(p, -5..=20)),
            thrown: f.optional(r, "thrown", |r, p| r.whole(p, -5..=20)),
            types: f.optional(r, "types", |r, p| {
                let list = r.list(p, |r, p| r.word(p, "a damage type", &words))?;
                if list.is_empty() {
                    r.expected(p, "at least one damage type");
                }
                Some(list).filter(|list| !list.is_empty())
            }),
            critical: f.optional(r, "critical", |r, p| r.whole(p, 2..=20)),
            times: f.optional(r, "times", |r, p| r.whole(p, 2..=4)),
            seizes: f.optional(r, "seizes", Reader::yes_no),
            arms: f.optional(r, "arms", Reader::yes_no),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            speed: self.speed.or(base.speed),
            thrown: self.thrown.or(base.thrown),
            types: self.types.or(base.types),
            critical: self.critical.or(base.critical),
            times: self.times.or(base.times),
            seizes: self.seizes.or(base.seizes),
            arms: self.arms.or(base.arms),
        }
    }

    /// The formulas of `docs/content.md`.
    pub(super) fn derive(
        &self,
        make: Make,
        hands: u8,
        damage: Dice,
        melee: Option<&Melee>,
        ranged: Option<&Ranged>,
    ) -> SpeedWeapon {
        let crossbow = ranged.is_some_and(|r| r.how == Launch::Crossbow);
        let long = melee.is_some_and(|m| m.reach > 5);
        let speed = match make {
            Make::Forged => {
                let most = damage.max() - i32::from(damage.plus);
                most / 2 + i32::from(hands == 2) + i32::from(long) + 2 * i32::from(crossbow)
            }
            Make::Natural | Make::Unarmed => 0,
        };
        let pierces = melee.is_none_or(|m| m.thrusting);
        let kind = match make {
            Make::Unarmed => DamageType::Blunt,
            _ if pierces => DamageType::Piercing,
            _ => DamageType::Slashing,
        };
        SpeedWeapon {
            speed: self.speed.unwrap_or(speed),
            thrown: self.thrown.unwrap_or(2),
            types: self.types.clone().unwrap_or_else(|| vec![kind]),
            critical: self.critical.unwrap_or(20),
            times: self.times.unwrap_or(2),
            seizes: self.seizes.unwrap_or(false),
            arms: self.arms.unwrap_or(make == Make::Unarmed),
        }
    }
}

/// The section of an armour or shield as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpeedArmourEntry {
    defense: Option<i32>,
    armour: Option<i32>,
}

impl SpeedArmourEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Speed section of armour")?;
        let entry = Self {
            defense: f.optional(r, "defense", |r, p| r.whole(p, -5..=10)),
            armour: f.optional(r, "armour", |r, p| r.whole(p, 0..=20)),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            defense: self.defense.or(base.defense),
            armour: self.armour.or(base.armour),
        }
    }

    /// A shield adds its bonus to the Defense; armour takes off half of what
    /// it gives beyond 10, rounded down.
    pub(super) fn derive(self, shield: bool, ac: i32, magic: i32) -> SpeedArmour {
        let (defense, armour) = match shield {
            true => (ac + magic, 0),
            false => (0, (ac - 10) / 2 + magic),
        };
        SpeedArmour {
            defense: self.defense.unwrap_or(defense),
            armour: self.armour.unwrap_or(armour),
        }
    }
}

/// The section of a spell as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpeedSpellEntry {
    target: Option<i32>,
    mana: Option<i32>,
    speed: Option<i32>,
    kind: Option<DamageType>,
}

impl SpeedSpellEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Speed section of a spell")?;
        let words = DamageType::ALL.map(|t| (t.name(), t));
        let entry = Self {
            target: f.optional(r, "target", |r, p| r.whole(p, 5..=40)),
            mana: f.optional(r, "mana", |r, p| r.whole(p, 0..=50)),
            speed: f.optional(r, "speed", |r, p| r.whole(p, -5..=30)),
            kind: f.optional(r, "type", |r, p| r.word(p, "a damage type", &words)),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            target: self.target.or(base.target),
            mana: self.mana.or(base.mana),
            speed: self.speed.or(base.speed),
            kind: self.kind.or(base.kind),
        }
    }

    /// The formulas of `docs/content.md`.
    pub(super) fn derive(self, area: Area, effect: &Effect) -> SpeedSpell {
        let wide = i32::from(area != Area::One);
        let helpless = i32::from(effect.holds());
        let target = self.target.unwrap_or(12 + 2 * wide + 2 * helpless);
        SpeedSpell {
            target,
            mana: self.mana.unwrap_or(2 + wide + helpless),
            speed: self.speed.unwrap_or(target - 10),
            kind: self.kind.unwrap_or(DamageType::Fire),
        }
    }
}
