//! What Segments needs to know of a creature, a weapon and a spell.
//! `docs/content.md` tells the formulas.

use crate::{
    content::{
        Area, Attribute, Creature, Make, OwnSections, Registered, Skill, Spell, Training, Weapon,
        section::{section, small, weapons, whole, yes_no},
    },
    ron_read::{Place, Reader},
    rulesets::skirmish::content::SkirmishStats,
};
use std::sync::Arc;

/// The sections of Segments.
pub const SECTIONS: OwnSections = OwnSections {
    creature: &[Registered::new::<SegmentsStats>()],
    weapon: &[Registered::new::<SegmentsWeapon>()],
    spell: &[Registered::new::<SegmentsSpell>()],
    ..OwnSections::NONE
};

section! {
    /// Numbers of the Segments ruleset. What is not its own is that of Skirmish.
    pub struct SegmentsStats from WrittenStats, of Creature, "segments": "a Segments section";
    check: has_its_arms;
    with {
        ac: i32, whole(-10..=10) => |s| s.ac + s.shield;
        ac_ranged: i32, whole(-10..=10) => |s| s.ac_ranged + s.shield_ranged;
        morale: i32, whole(1..=100);
    }
    |own, c|
    /// Hit points when unhurt, at least 1.
    hp: i32, whole(1..=1000) => skirmish(c).hp;
    /// What `ac` gets worse by without the shield.
    shield: i32 => skirmish(c).shield_melee;
    /// What `ac_ranged` gets worse by without the shield.
    shield_ranged: i32 => skirmish(c).shield_ranged;
    /// Descending armour class in melee, shield and DEX in it: 10 is the worst,
    /// -10 the best (SE-50).
    ac: i32 => {
        let bare = own.ac.unwrap_or(20 - (skirmish(c).ac_melee - shield));
        (bare - shield).clamp(-10, 10)
    };
    /// The same against missiles.
    ac_ranged: i32 => {
        let bare = 20 - (skirmish(c).ac_ranged - shield_ranged);
        (own.ac_ranged.or(own.ac).unwrap_or(bare) - shield_ranged).clamp(-10, 10)
    };
    /// What its d20 has to reach against AC 0 (SE-50).
    to_hit: i32, whole(1..=30) => match &c.training {
        Training::Hero { level, .. } => (20 - level - best(c)).max(1),
        Training::Npc { hit_dice, .. } => (20 - hit_dice).max(1),
    };
    /// Added to attacks with missiles, and taken off the segment in which it
    /// shoots (SE-31).
    missile: i32, whole(-9..=9) => c.modifier(Attribute::Dex);
    /// Segments of surprise that it loses; below 0 they are more (SE-13).
    surprise: i32, whole(-6..=6) => c.modifier(Attribute::Dex);
    /// Its enemies are surprised on a roll of 1 to this (SE-11).
    surprises: i32, whole(1..=6) => 2;
    /// False: nothing surprises it (SE-11).
    surprised: bool, yes_no => true;
    /// A save succeeds with this or more on d20 (SE-50).
    save: i32, whole(2..=20) => skirmish(c).physical_save;
    /// Percent that it must not exceed to keep its courage; `None` has no fear
    /// (SE-55).
    morale: Option<i32> => c.morale.map(|morale| own.morale.unwrap_or(percent(morale)));
    /// Attack routines in a round (SE-34).
    routines: u8, small(1..=4) => match &c.training {
        Training::Hero { level, .. } if *level >= SEASONED && best(c) > 0 => 2,
        _ => 1,
    };
    /// The blows of one routine, when they are more than one weapon's (SE-34).
    attacks: Vec<Arc<Weapon>>, weapons => {
        let born = |w: &&Arc<Weapon>| w.make == Make::Natural && w.melee.is_some();
        c.weapons.iter().filter(born).cloned().collect()
    };
}

/// The level from which a trained hero has two routines a round.
const SEASONED: i32 = 7;

fn skirmish(c: &Creature) -> &SkirmishStats {
    c.section()
}

/// A hero's best combat skill.
fn best(c: &Creature) -> i32 {
    c.attack_skill(&Skill::COMBAT).1
}

/// How often 2d6 come up no higher than this, in percent.
fn percent(morale: i32) -> i32 {
    let ways: i32 = (2..=morale.min(12)).map(|n| 6 - (7 - n).abs()).sum();
    (ways * 100 + 18) / 36
}

fn has_its_arms(stats: &SegmentsStats, _: &WrittenStats, c: &Creature, r: &mut Reader, at: Place) {
    for arm in &stats.attacks {
        if !c.weapons.contains(arm) && c.off_hand.as_ref() != Some(arm) {
            let (id, arm) = (&c.id, &arm.id);
            let what = format!("`{id}` attacks with `{arm}`, which it does not have");
            r.problem(at, what, "name it among its `weapons`");
        }
    }
}

section! {
    /// Numbers of a weapon.
    pub struct SegmentsWeapon from WrittenWeapon, of Weapon,
    "segments": "a Segments section of a weapon";
    with { set: bool, yes_no; }
    |own, w|
    /// Missiles in one routine.
    rate: u8, small(1..=4) => 1;
    /// May be set against a charge (SE-51): long arms, and what says so.
    set: bool => w.melee.is_some() && own.set.unwrap_or(w.is_long_arm());
}

section! {
    /// Numbers of a spell.
    pub struct SegmentsSpell from WrittenSpell, of Spell,
    "segments": "a Segments section of a spell";
    |own, s|
    /// Segments that it takes; ten are a round (SE-40).
    casting: i32, whole(1..=100) => if s.area == Area::One { 1 } else { 3 };
}
