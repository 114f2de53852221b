//! What Activity needs to know about creatures, weapons and spells. `docs/content.md` lists the
//! formulas.

use crate::content::{
    Attribute, Creature, Effect, Launch, Make, OwnSections, Registered, Spell, Training, Weapon,
    section::{flag, section, whole, word, word_enum, words, yes_no},
};
use crate::levels::Level;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The content sections of Activity.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<ActivityStats>()],
    weapon: &[Registered::new::<ActivityWeapon>()],
    spell: &[Registered::new::<ActivitySpell>()],
    ..OwnSections::NONE
};

flag! {
    /// Hastening a spell costs 2 for every 20% saved, instead of 10 for every round.
    pub struct FineHaste of Level, "fine_haste"
}

section! {
    /// Numbers of a creature for the Activity ruleset.
    pub struct ActivityStats from WrittenStats, of Creature, "activity": "an Activity section";
    with { db: i32, whole(-100..=300) => |s| s.armour; }
    |own, c|
    /// Steps by which its attacks are larger than its weapons.
    stature: i32 => i32::from(c.size) - 1;
    /// Maximum concussion hits, at least 1 (AC-33).
    hits: i32, whole(1..=1000) => {
        (18 + 6 * rank(c) + 4 * c.modifier(Attribute::Con) + 15 * stature).max(1)
    };
    /// The unit dies at this many hits below 0 (AC-33).
    constitution: i32, whole(1..=300) => {
        (40 + 10 * c.modifier(Attribute::Con) + 20 * stature).max(1)
    };
    /// Initiative bonuses (AC-11); Quickness also counts for DB (AC-32).
    quickness: i32, whole(-50..=50) => 3 * c.modifier(Attribute::Dex);
    insight: i32, whole(-50..=50) => 2 * c.modifier(Attribute::Wis);
    /// Offensive bonus before attribute, skill and weapon.
    ob: i32, whole(-100..=300) => 30 + 6 * rank(c);
    /// Defensive bonus of armour, without Quickness and shield (AC-32).
    armour: i32 => own.db.unwrap_or(5 * worn(c));
    /// Defensive bonus of the shield while it is held.
    shield: i32 => 10 * c.shield_bonus(|s| s.ac_melee);
    /// Penalty of armour to maneuvers, 0 or less.
    hindrance: i32 => -3 * (worn(c) - 2).max(0);
    /// Added to casting rolls (AC-34).
    casting: i32, whole(-100..=300) => {
        let (_, wit) = c.best_modifier(&[Attribute::Int, Attribute::Wis]);
        40 + 8 * rank(c) + 5 * wit
    };
    /// Power points for the battle.
    power: i32, whole(0..=300) => if c.spells.is_empty() { 0 } else { 8 + 4 * rank(c) };
    /// Added to resistance, perception and other maneuver rolls (AC-35).
    resistance: i32, whole(-100..=300) => 20 + 6 * rank(c) + 5 * c.modifier(Attribute::Con);
    perception: i32, whole(-100..=300) => 30 + 5 * rank(c) + 5 * c.modifier(Attribute::Wis);
    /// Added to morale rolls (AC-37).
    morale: i32, whole(-100..=300) => 5 * rank(c) + 5 * c.morale.unwrap_or(7);
    talents: BTreeSet<Talent>, words("a talent", &Talent::WORDS) => BTreeSet::new();
}

/// A hero's level plus 1; hit dice for everyone else.
fn rank(c: &Creature) -> i32 {
    match &c.training {
        Training::Hero { level, .. } => *level + 1,
        Training::Npc { hit_dice, .. } => *hit_dice,
    }
}

/// Armour class that the armour gives beyond 10.
fn worn(c: &Creature) -> i32 {
    let armour = c.armour.as_ref();
    armour.map_or(0, |a| a.ac_melee + a.magic - 10).max(0)
}

section! {
    /// Numbers of a weapon for the Activity ruleset.
    #[derive(Copy)]
    pub struct ActivityWeapon from WrittenWeapon, of Weapon,
    "activity": "an Activity section of a weapon";
    |own, w|
    /// The attack type in melee; missiles always use `Missile`.
    attack: AttackType, word("a type of attack", &AttackType::WORDS) => match (w.make, &w.melee) {
        (Make::Unarmed, _) => AttackType::Unarmed,
        (_, None) => AttackType::Missile,
        (_, Some(m)) if m.thrusting => AttackType::Puncture,
        _ => AttackType::Slash,
    };
    size: AttackSize, word("a size of attack", &AttackSize::WORDS) => match w.damage.max() {
        ..=2 => AttackSize::Tiny,
        3..=5 => AttackSize::Small,
        6..=9 => AttackSize::Medium,
        10..=14 => AttackSize::Large,
        _ => AttackSize::Huge,
    };
    /// A first roll of this or less is a fumble.
    fumble: i32, whole(0..=20) => match w.make {
        Make::Forged => 2 + i32::from(w.hands),
        _ => 1,
    };
    /// Percent of a round to load it, 0 if it needs no loading (AC-01).
    reload: i32, whole(0..=500) => match w.ranged.as_ref().map(|r| r.how) {
        Some(Launch::Bow) if w.hands == 2 && w.damage.max() >= 8 => 70,
        Some(Launch::Bow) => 50,
        Some(Launch::Crossbow) if w.damage.max() >= 10 => 300,
        Some(Launch::Crossbow) => 150,
        _ => 0,
    };
}

section! {
    /// Numbers of a spell for the Activity ruleset.
    #[derive(Copy)]
    pub struct ActivitySpell from WrittenSpell, of Spell,
    "activity": "an Activity section of a spell";
    with { most: i32, whole(1..=60); }
    |own, s|
    /// Power points of the base form in `points`, and the most that can be spent in `most`.
    points: i32, whole(1..=30) => match s.effect {
        Effect::Damage(dice) => 1 + 2 * i32::from(dice.count),
        Effect::Heal(_) => 4,
        _ => 3,
    };
    most: i32 => own.most.unwrap_or(points * 2).max(points);
    /// Whether it takes 10% and does not count as an action (AC-01).
    instantaneous: bool, yes_no => false;
    attack: AttackType, word("a type of attack", &AttackType::WORDS) => AttackType::Shock;
    size: AttackSize, word("a size of attack", &AttackSize::WORDS) => AttackSize::Medium;
    /// Replaces the spell's effect under Activity, for the same number of rounds.
    grants: Option<Grant>, |r, p, _| Some(Some(r.word(p, "a gift", &Grant::WORDS)?)) => None;
    /// Duration in minutes of the two-second system. `None` if the duration is in rounds
    /// (AC-20).
    minutes: Option<i32>, |r, p, _| Some(Some(r.whole(p, 1..=100)?)) => None;
}

word_enum! {
    /// A special ability under Activity.
    pub enum Talent {
        /// Loading takes half the time (AC-24).
        SpeedLoader,
        /// Missile parries use the full OB, without a shield (AC-22).
        MissileDeflection,
        /// Chi speed and chi defense (AC-01, AC-25).
        Chi,
        /// Carries the prepared herb that stanches bleeding (AC-01).
        Herbs,
    }
}

word_enum! {
    /// The table in which an attack is looked up (AC-31).
    #[derive(Deserialize)]
    pub enum AttackType {
        Slash = "slash",
        Crush = "crush",
        Puncture = "puncture",
        Unarmed = "unarmed",
        Heat = "heat",
        Cold = "cold",
        Shock = "shock",
        Missile = "missile",
    }
}

word_enum! {
    /// The size of an attack (AC-30).
    #[derive(Deserialize)]
    pub enum AttackSize {
        Tiny = "tiny",
        Small = "small",
        Medium = "medium",
        Large = "large",
        Huge = "huge",
    }
}

impl AttackSize {
    /// The size this many steps larger, or smaller if negative.
    pub fn grown(self, steps: i32) -> Self {
        Self::ALL[(self as i32 + steps).clamp(0, 4) as usize]
    }
}

word_enum! {
    /// Spell effects that exist only under Activity.
    pub enum Grant {
        /// 200% activity (AC-25).
        Swift,
        /// Loading a missile weapon takes 10% (AC-24).
        QuickLoad,
    }
}
