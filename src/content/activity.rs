//! What Activity needs to know of creatures, weapons and spells, and how it is
//! derived. `docs/content.md` tells the formulas.

use super::{Armour, Attribute, Attributes, Effect, Launch, Make, Melee, Ranged, Training};
use crate::ron_read::{Piece, Reader};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers of the Activity ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActivityStats {
    /// Concussion hits when unhurt, at least 1 (AC-33).
    pub hits: i32,
    /// Dead at this many hits below 0 (AC-33).
    pub constitution: i32,
    /// Bonuses to initiative (AC-11); the first to DB too (AC-32).
    pub quickness: i32,
    pub insight: i32,
    /// Offensive bonus before attribute, skill and weapon.
    pub ob: i32,
    /// Defensive bonus of what it wears, Quickness and shield apart (AC-32).
    pub armour: i32,
    /// Defensive bonus of the shield while it is borne.
    pub shield: i32,
    /// What armour takes from maneuvers, 0 or less.
    pub hindrance: i32,
    /// Added to casting rolls (AC-34).
    pub casting: i32,
    /// Power points for the battle.
    pub power: i32,
    /// Added to resistance, perception and other maneuvers (AC-35).
    pub resistance: i32,
    pub perception: i32,
    /// Added to morale (AC-37).
    pub morale: i32,
    /// Steps by which its attacks are larger than its arms.
    pub stature: i32,
    pub talents: BTreeSet<Talent>,
}

/// What sets somebody apart under Activity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Talent {
    /// Loads in half the time (AC-24).
    SpeedLoader,
    /// Parries a missile with all its OB, without a shield (AC-22).
    MissileDeflection,
    /// Chi speed and chi defense (AC-01, AC-25).
    Chi,
    /// Has the prepared herb that stanches bleeding at hand (AC-01).
    Herbs,
}

/// What an attack is looked up as (AC-31).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum AttackType {
    Slash,
    Crush,
    Puncture,
    Unarmed,
    Heat,
    Cold,
    Shock,
    Missile,
}

/// How large an attack is (AC-30).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum AttackSize {
    Tiny,
    Small,
    Medium,
    Large,
    Huge,
}

impl AttackSize {
    pub const ALL: [Self; 5] = [
        Self::Tiny,
        Self::Small,
        Self::Medium,
        Self::Large,
        Self::Huge,
    ];

    /// So many steps larger, or smaller.
    pub fn grown(self, steps: i32) -> Self {
        Self::ALL[(self as i32 + steps).clamp(0, 4) as usize]
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
            Self::Huge => "huge",
        }
    }
}

/// A weapon under Activity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActivityArms {
    /// As what it strikes from the hand; a missile is a missile.
    pub attack: AttackType,
    pub size: AttackSize,
    /// A first roll of this or less is a fumble.
    pub fumble: i32,
    /// Percent of a round to load it; 0 for what needs no loading (AC-01).
    pub reload: i32,
}

/// A spell under Activity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActivitySpell {
    /// Power points of the base form, and the most that may be put into it.
    pub points: i32,
    pub most: i32,
    /// Takes 10% and is no action of its own (AC-01).
    pub instantaneous: bool,
    pub attack: AttackType,
    pub size: AttackSize,
    /// What it does under Activity instead of its effect, for as many rounds.
    pub grants: Option<Grant>,
    /// Minutes that it lasts by the reckoning of two-second rounds, if it is
    /// not reckoned in rounds (AC-20).
    pub minutes: Option<i32>,
}

/// What only Activity knows of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grant {
    /// 200% activity (AC-25).
    Swift,
    /// Missile weapons load in 10% (AC-24).
    QuickLoad,
}

const GRANTS: [(&str, Grant); 2] = [("Swift", Grant::Swift), ("QuickLoad", Grant::QuickLoad)];

pub(super) const TALENTS: [(&str, Talent); 4] = [
    ("SpeedLoader", Talent::SpeedLoader),
    ("MissileDeflection", Talent::MissileDeflection),
    ("Chi", Talent::Chi),
    ("Herbs", Talent::Herbs),
];

const TYPES: [(&str, AttackType); 8] = [
    ("Slash", AttackType::Slash),
    ("Crush", AttackType::Crush),
    ("Puncture", AttackType::Puncture),
    ("Unarmed", AttackType::Unarmed),
    ("Heat", AttackType::Heat),
    ("Cold", AttackType::Cold),
    ("Shock", AttackType::Shock),
    ("Missile", AttackType::Missile),
];

const SIZES: [(&str, AttackSize); 5] = [
    ("Tiny", AttackSize::Tiny),
    ("Small", AttackSize::Small),
    ("Medium", AttackSize::Medium),
    ("Large", AttackSize::Large),
    ("Huge", AttackSize::Huge),
];

/// The section of a creature as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct ActivityEntry {
    hits: Option<i32>,
    constitution: Option<i32>,
    quickness: Option<i32>,
    insight: Option<i32>,
    ob: Option<i32>,
    db: Option<i32>,
    casting: Option<i32>,
    power: Option<i32>,
    resistance: Option<i32>,
    perception: Option<i32>,
    morale: Option<i32>,
    talents: Option<BTreeSet<Talent>>,
}

impl ActivityEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "an Activity section")?;
        let talent = |r: &mut Reader, p: &Piece| r.word(p, "a talent", &TALENTS);
        let entry = Self {
            hits: f.optional(r, "hits", |r, p| r.whole(p, 1..=1000)),
            constitution: f.optional(r, "constitution", |r, p| r.whole(p, 1..=300)),
            quickness: f.optional(r, "quickness", |r, p| r.whole(p, -50..=50)),
            insight: f.optional(r, "insight", |r, p| r.whole(p, -50..=50)),
            ob: f.optional(r, "ob", |r, p| r.whole(p, -100..=300)),
            db: f.optional(r, "db", |r, p| r.whole(p, -100..=300)),
            casting: f.optional(r, "casting", |r, p| r.whole(p, -100..=300)),
            power: f.optional(r, "power", |r, p| r.whole(p, 0..=300)),
            resistance: f.optional(r, "resistance", |r, p| r.whole(p, -100..=300)),
            perception: f.optional(r, "perception", |r, p| r.whole(p, -100..=300)),
            morale: f.optional(r, "morale", |r, p| r.whole(p, -100..=300)),
            talents: f.optional(r, "talents", |r, p| {
                Some(r.list(p, talent)?.into_iter().collect())
            }),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(&self, base: &Self) -> Self {
        Self {
            hits: self.hits.or(base.hits),
            constitution: self.constitution.or(base.constitution),
            quickness: self.quickness.or(base.quickness),
            insight: self.insight.or(base.insight),
            ob: self.ob.or(base.ob),
            db: self.db.or(base.db),
            casting: self.casting.or(base.casting),
            power: self.power.or(base.power),
            resistance: self.resistance.or(base.resistance),
            perception: self.perception.or(base.perception),
            morale: self.morale.or(base.morale),
            talents: self.talents.clone().or_else(|| base.talents.clone()),
        }
    }

    /// The formulas of `docs/content.md`. `morale`: the score of the entry,
    /// 2 to 12.
    pub(super) fn derive(
        &self,
        training: &Training,
        attributes: &Attributes,
        armour: &Option<Arc<Armour>>,
        shield: &Option<Arc<Armour>>,
        size: u8,
        morale: Option<i32>,
        casts: bool,
    ) -> ActivityStats {
        let of = |a| attributes.get(a);
        let rank = match training {
            Training::Hero { level, .. } => *level + 1,
            Training::Npc { hit_dice, .. } => *hit_dice,
        };
        let stature = i32::from(size) - 1;
        let worn = armour
            .as_ref()
            .map_or(0, |a| a.ac_melee + a.magic - 10)
            .max(0);
        let held = shield.as_ref().map_or(0, |s| s.ac_melee + s.magic);
        let casting = of(Attribute::Int).max(of(Attribute::Wis));
        ActivityStats {
            hits: self
                .hits
                .unwrap_or(18 + 6 * rank + 4 * of(Attribute::Con) + 15 * stature)
                .max(1),
            constitution: self
                .constitution
                .unwrap_or(40 + 10 * of(Attribute::Con) + 20 * stature)
                .max(1),
            quickness: self.quickness.unwrap_or(3 * of(Attribute::Dex)),
            insight: self.insight.unwrap_or(2 * of(Attribute::Wis)),
            ob: self.ob.unwrap_or(30 + 6 * rank),
            armour: self.db.unwrap_or(5 * worn),
            shield: 10 * held,
            hindrance: -3 * (worn - 2).max(0),
            casting: self.casting.unwrap_or(40 + 8 * rank + 5 * casting),
            power: self.power.unwrap_or(if casts { 8 + 4 * rank } else { 0 }),
            resistance: self
                .resistance
                .unwrap_or(20 + 6 * rank + 5 * of(Attribute::Con)),
            perception: self
                .perception
                .unwrap_or(30 + 5 * rank + 5 * of(Attribute::Wis)),
            morale: self.morale.unwrap_or(5 * rank + 5 * (morale.unwrap_or(7))),
            stature,
            talents: self.talents.clone().unwrap_or_default(),
        }
    }
}

/// The section of a weapon as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ArmsEntry {
    attack: Option<AttackType>,
    size: Option<AttackSize>,
    fumble: Option<i32>,
    reload: Option<i32>,
}

impl ArmsEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "an Activity section of a weapon")?;
        let entry = Self {
            attack: f.optional(r, "attack", |r, p| r.word(p, "a type of attack", &TYPES)),
            size: f.optional(r, "size", |r, p| r.word(p, "a size of attack", &SIZES)),
            fumble: f.optional(r, "fumble", |r, p| r.whole(p, 0..=20)),
            reload: f.optional(r, "reload", |r, p| r.whole(p, 0..=500)),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(&self, base: &Self) -> Self {
        Self {
            attack: self.attack.or(base.attack),
            size: self.size.or(base.size),
            fumble: self.fumble.or(base.fumble),
            reload: self.reload.or(base.reload),
        }
    }

    pub(super) fn derive(
        &self,
        make: Make,
        hands: u8,
        melee: &Option<Melee>,
        ranged: &Option<Ranged>,
        most: i32,
    ) -> ActivityArms {
        let attack = match (make, melee) {
            (Make::Unarmed, _) => AttackType::Unarmed,
            (_, None) => AttackType::Missile,
            (_, Some(m)) if m.thrusting => AttackType::Puncture,
            _ => AttackType::Slash,
        };
        let size = match most {
            ..=2 => AttackSize::Tiny,
            3..=5 => AttackSize::Small,
            6..=9 => AttackSize::Medium,
            10..=14 => AttackSize::Large,
            _ => AttackSize::Huge,
        };
        let reload = match ranged.as_ref().map(|r| r.how) {
            Some(Launch::Bow) if hands == 2 && most >= 8 => 70,
            Some(Launch::Bow) => 50,
            Some(Launch::Crossbow) if most >= 10 => 300,
            Some(Launch::Crossbow) => 150,
            _ => 0,
        };
        ActivityArms {
            attack: self.attack.unwrap_or(attack),
            size: self.size.unwrap_or(size),
            fumble: self.fumble.unwrap_or(match make {
                Make::Forged => 2 + i32::from(hands),
                _ => 1,
            }),
            reload: self.reload.unwrap_or(reload),
        }
    }
}

/// The section of a spell as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpellEntry {
    points: Option<i32>,
    most: Option<i32>,
    instantaneous: Option<bool>,
    attack: Option<AttackType>,
    size: Option<AttackSize>,
    grants: Option<Grant>,
    minutes: Option<i32>,
}

impl SpellEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "an Activity section of a spell")?;
        let entry = Self {
            points: f.optional(r, "points", |r, p| r.whole(p, 1..=30)),
            most: f.optional(r, "most", |r, p| r.whole(p, 1..=60)),
            instantaneous: f.optional(r, "instantaneous", Reader::yes_no),
            attack: f.optional(r, "attack", |r, p| r.word(p, "a type of attack", &TYPES)),
            size: f.optional(r, "size", |r, p| r.word(p, "a size of attack", &SIZES)),
            grants: f.optional(r, "grants", |r, p| r.word(p, "a gift", &GRANTS)),
            minutes: f.optional(r, "minutes", |r, p| r.whole(p, 1..=100)),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(&self, base: &Self) -> Self {
        Self {
            points: self.points.or(base.points),
            most: self.most.or(base.most),
            instantaneous: self.instantaneous.or(base.instantaneous),
            attack: self.attack.or(base.attack),
            size: self.size.or(base.size),
            grants: self.grants.or(base.grants),
            minutes: self.minutes.or(base.minutes),
        }
    }

    pub(super) fn derive(&self, effect: &Effect) -> ActivitySpell {
        let points = self.points.unwrap_or(match effect {
            Effect::Damage(dice) => 1 + 2 * i32::from(dice.count),
            Effect::Heal(_) => 4,
            _ => 3,
        });
        ActivitySpell {
            points,
            most: self.most.unwrap_or(points * 2).max(points),
            instantaneous: self.instantaneous.unwrap_or(false),
            attack: self.attack.unwrap_or(AttackType::Shock),
            size: self.size.unwrap_or(AttackSize::Medium),
            grants: self.grants,
            minutes: self.minutes,
        }
    }
}
