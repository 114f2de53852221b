//! The numbers of creatures, weapons and spells that only Segments uses. `docs/content.md` lists
//! the formulas of their defaults.

use crate::{
    content::{
        Attribute, Creature, Make, OwnSections, Registered, Skill, Spell, SpellArea, Training,
        Weapon,
        section::{section, small, weapons, whole, yes_no},
    },
    ron_read::{ByteRange, Reader},
    rulesets::skirmish::content::SkirmishStats,
};
use std::sync::Arc;

/// The content sections that Segments defines.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<SegmentsStats>()],
    weapon: &[Registered::new::<SegmentsWeapon>()],
    spell: &[Registered::new::<SegmentsSpell>()],
    ..OwnSections::NONE
};

section! {
    /// A creature's numbers under Segments. Defaults derive from its Skirmish numbers, attributes
    /// and training.
    pub struct SegmentsStats from WrittenStats, of Creature, "segments": "a Segments section";
    check: has_its_weapons;
    with {
        ac: i32, whole(-10..=10) => |s| s.ac + s.shield;
        ac_ranged: i32, whole(-10..=10) => |s| s.ac_ranged + s.shield_ranged;
        morale: i32, whole(1..=100);
    }
    |own, c|
    /// Hit points when unhurt, at least 1.
    hp: i32, whole(1..=1000) => skirmish(c).hp;
    /// By how much `ac` is worse without the shield.
    shield: i32 => skirmish(c).shield_melee;
    /// By how much `ac_ranged` is worse without the shield.
    shield_ranged: i32 => skirmish(c).shield_ranged;
    /// Descending armour class in melee, with shield and DEX: 10 is the worst, -10 the best
    /// (SE-50).
    ac: i32 => {
        let bare = own.ac.unwrap_or(20 - (skirmish(c).ac_melee - shield));
        (bare - shield).clamp(-10, 10)
    };
    /// Descending armour class against missiles, with shield and DEX (SE-50).
    ac_ranged: i32 => {
        let bare = 20 - (skirmish(c).ac_ranged - shield_ranged);
        (own.ac_ranged.or(own.ac).unwrap_or(bare) - shield_ranged).clamp(-10, 10)
    };
    /// The total that the creature's d20 must reach against AC 0 (SE-50).
    to_hit: i32, whole(1..=30) => match &c.training {
        Training::Hero { level, .. } => (20 - level - best(c)).max(1),
        Training::Npc { hit_dice, .. } => (20 - hit_dice).max(1),
    };
    /// Bonus to missile attacks; the creature also shoots that many segments sooner (SE-31).
    missile: i32, whole(-9..=9) => c.modifier(Attribute::Dex);
    /// Segments of surprise that the creature cancels; below 0, they are added (SE-13).
    surprise: i32, whole(-6..=6) => c.modifier(Attribute::Dex);
    /// The creature surprises on a d6 roll of 1 to this number (SE-11).
    surprises: i32, whole(1..=6) => 2;
    /// `false`: the creature cannot be surprised (SE-11).
    surprised: bool, yes_no => true;
    /// The d20 roll needed to succeed at a save (SE-50).
    save: i32, whole(2..=20) => skirmish(c).physical_save;
    /// Highest morale roll, in percent, at which the creature keeps its nerve; `None`: it never
    /// checks morale (SE-55).
    morale: Option<i32> => c.morale.map(|morale| own.morale.unwrap_or(percent(morale)));
    /// Attack routines per round (SE-34).
    routines: u8, small(1..=4) => match &c.training {
        Training::Hero { level, .. } if *level >= SEASONED && best(c) > 0 => 2,
        _ => 1,
    };
    /// The attacks of one routine, if it has more than one weapon's (SE-34).
    attacks: Vec<Arc<Weapon>>, weapons => {
        let born = |w: &&Arc<Weapon>| w.make == Make::Natural && w.melee.is_some();
        c.weapons.iter().filter(born).cloned().collect()
    };
}

/// The level at which a hero with combat training gets two routines per round.
const SEASONED: i32 = 7;

fn skirmish(c: &Creature) -> &SkirmishStats {
    c.section()
}

/// The creature's best combat skill.
fn best(c: &Creature) -> i32 {
    c.attack_skill(&Skill::COMBAT).1
}

/// The chance in percent that 2d6 roll `morale` or less.
fn percent(morale: i32) -> i32 {
    let ways: i32 = (2..=morale.min(12)).map(|n| 6 - (7 - n).abs()).sum();
    (ways * 100 + 18) / 36
}

fn has_its_weapons(
    stats: &SegmentsStats,
    _: &WrittenStats,
    c: &Creature,
    r: &mut Reader,
    at: ByteRange,
) {
    for weapon in &stats.attacks {
        if !c.weapons.contains(weapon) && c.off_hand.as_ref() != Some(weapon) {
            let (id, weapon_id) = (&c.id, &weapon.id);
            let what = format!("`{id}` attacks with `{weapon_id}`, which it does not have");
            r.problem(at, what, "name it among its `weapons`");
        }
    }
}

section! {
    /// A weapon's numbers under Segments.
    pub struct SegmentsWeapon from WrittenWeapon, of Weapon,
    "segments": "a Segments section of a weapon";
    with { set: bool, yes_no; }
    |own, w|
    /// Missiles in one routine.
    rate: u8, small(1..=4) => 1;
    /// Can be set against a charge (SE-51): long melee weapons, unless written otherwise.
    set: bool => w.melee.is_some() && own.set.unwrap_or(w.is_long_arm());
}

section! {
    /// A spell's numbers under Segments.
    pub struct SegmentsSpell from WrittenSpell, of Spell,
    "segments": "a Segments section of a spell";
    |own, s|
    /// Casting time in segments; ten make a round (SE-40).
    casting: i32, whole(1..=100) => if s.area == SpellArea::One { 1 } else { 3 };
}
