//! What Skirmish stores for a creature. The formulas are in `docs/content.md`.

use crate::content::{
    Armour, Attribute, Creature, OwnSections, Registered, Training,
    section::{section, whole},
};

/// Skirmish's sections of content files.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<SkirmishStats>()],
    ..OwnSections::NONE
};

section! {
    /// A creature's numbers under Skirmish.
    pub struct SkirmishStats from WrittenStats, of Creature, "skirmish": "a Skirmish section";
    with {
        ac: i32, whole(0..=40) => |s| s.ac_melee - s.shield_melee;
        ac_ranged: i32, whole(0..=40) => |s| s.ac_ranged - s.shield_ranged;
        attack: i32, whole(-10..=30) => |s| s.attack_bonus;
        save: i32, whole(2..=20) => |s| s.physical_save;
    }
    |own, c|
    /// Hit points when unhurt, at least 1.
    hp: i32, whole(1..=1000) => hp(c).max(1);
    /// The part of `ac_melee` that is lost with the shield.
    shield_melee: i32 => c.shield_bonus(|s| s.ac_melee);
    /// The part of `ac_ranged` that is lost with the shield.
    shield_ranged: i32 => c.shield_bonus(|s| s.ac_ranged);
    /// Armour class in melee, including armour, shield and DEX.
    ac_melee: i32 => own.ac.unwrap_or_else(|| worn(c, |a| a.ac_melee)) + shield_melee;
    /// Armour class against ranged attacks, including armour, shield and DEX.
    ac_ranged: i32 => {
        let bare = own.ac_ranged.or(own.ac);
        bare.unwrap_or_else(|| worn(c, |a| a.ac_ranged)) + shield_ranged
    };
    /// Added to every attack roll, on top of attribute, skill and weapon.
    attack_bonus: i32 => own.attack.unwrap_or_else(|| match &c.training {
        Training::Hero { level, .. } => (level + 1) / 2,
        Training::Npc { hit_dice, .. } => *hit_dice,
    });
    /// The d20 result that a Physical save needs.
    physical_save: i32 => own.save.unwrap_or_else(|| save(c)).clamp(2, 20);
}

fn hp(c: &Creature) -> i32 {
    let con = c.modifier(Attribute::Con);
    match &c.training {
        Training::Hero { level, .. } => (6 + con).max(1) + (level - 1) * (4 + con).max(1),
        Training::Npc { hit_dice, .. } => hit_dice * 9 / 2 + hit_dice * con,
    }
}

/// Armour class without the shield.
fn worn(c: &Creature, ac: fn(&Armour) -> i32) -> i32 {
    let armour = c.armour.as_ref().map_or(10, |a| ac(a) + a.magic);
    armour + c.modifier(Attribute::Dex)
}

fn save(c: &Creature) -> i32 {
    let (_, sturdy) = c.best_modifier(&[Attribute::Str, Attribute::Con]);
    match &c.training {
        Training::Hero { level, .. } => 15 - level - sturdy,
        Training::Npc { hit_dice, .. } => 15 - hit_dice / 2 - sturdy,
    }
}
