//! What Segments needs to know of a creature, a weapon and a spell, and how it
//! is derived.

use super::{Area, Attribute, Attributes, Make, Melee, Skill, SkirmishStats, Training, Weapon};
use crate::ron_read::{Piece, Reader};
use std::sync::Arc;

/// Numbers of the Segments ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SegmentsStats {
    /// Hit points when unhurt, at least 1.
    pub hp: i32,
    /// Descending armour class in melee, shield and DEX in it: 10 is the worst,
    /// -10 the best (SE-50).
    pub ac: i32,
    /// The same against missiles.
    pub ac_ranged: i32,
    /// What `ac` gets worse by without the shield.
    pub shield: i32,
    /// What `ac_ranged` gets worse by without the shield.
    pub shield_ranged: i32,
    /// What its d20 has to reach against AC 0 (SE-50).
    pub to_hit: i32,
    /// Added to attacks with missiles, and taken off the segment in which it
    /// shoots (SE-31).
    pub missile: i32,
    /// Segments of surprise that it loses; below 0 they are more (SE-13).
    pub surprise: i32,
    /// Its enemies are surprised on a roll of 1 to this (SE-11).
    pub surprises: i32,
    /// False: nothing surprises it (SE-11).
    pub surprised: bool,
    /// A save succeeds with this or more on d20 (SE-50).
    pub save: i32,
    /// Percent that it must not exceed to keep its courage; `None` has no fear
    /// (SE-55).
    pub morale: Option<i32>,
    /// Attack routines in a round (SE-34).
    pub routines: u8,
    /// The blows of one routine, when they are more than one weapon's (SE-34).
    pub attacks: Vec<Arc<Weapon>>,
}

/// Numbers of a weapon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentsWeapon {
    /// Missiles in one routine.
    pub rate: u8,
    /// May be set against a charge (SE-51).
    pub set: bool,
}

/// Numbers of a spell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentsSpell {
    /// Segments that it takes; ten are a round (SE-40).
    pub casting: i32,
}

/// The section of a creature as it is written: what it leaves out is derived.
#[derive(Clone, Debug, Default)]
pub(super) struct SegmentsEntry {
    hp: Option<i32>,
    ac: Option<i32>,
    ac_ranged: Option<i32>,
    to_hit: Option<i32>,
    missile: Option<i32>,
    surprise: Option<i32>,
    surprises: Option<i32>,
    surprised: Option<bool>,
    save: Option<i32>,
    morale: Option<i32>,
    routines: Option<i32>,
    attacks: Option<Vec<Arc<Weapon>>>,
}

/// What of a creature the derivation looks at.
pub(super) struct Common<'a> {
    pub training: &'a Training,
    pub attributes: &'a Attributes,
    /// 2 to 12, as every ruleset knows it.
    pub morale: Option<i32>,
    pub weapons: &'a [Arc<Weapon>],
    pub skirmish: &'a SkirmishStats,
}

impl SegmentsEntry {
    /// `weapon` reads the id of one.
    pub(super) fn read(
        r: &mut Reader,
        piece: &Piece,
        mut weapon: impl FnMut(&mut Reader, &Piece) -> Option<Arc<Weapon>>,
    ) -> Option<Self> {
        let mut f = r.fields(piece, "a Segments section")?;
        let entry = Self {
            hp: f.optional(r, "hp", |r, p| r.whole(p, 1..=1000)),
            ac: f.optional(r, "ac", |r, p| r.whole(p, -10..=10)),
            ac_ranged: f.optional(r, "ac_ranged", |r, p| r.whole(p, -10..=10)),
            to_hit: f.optional(r, "to_hit", |r, p| r.whole(p, 1..=30)),
            missile: f.optional(r, "missile", |r, p| r.whole(p, -9..=9)),
            surprise: f.optional(r, "surprise", |r, p| r.whole(p, -6..=6)),
            surprises: f.optional(r, "surprises", |r, p| r.whole(p, 1..=6)),
            surprised: f.optional(r, "surprised", Reader::yes_no),
            save: f.optional(r, "save", |r, p| r.whole(p, 2..=20)),
            morale: f.optional(r, "morale", |r, p| r.whole(p, 1..=100)),
            routines: f.optional(r, "routines", |r, p| r.whole(p, 1..=4)),
            attacks: f.optional(r, "attacks", |r, p| r.list(p, &mut weapon)),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            hp: self.hp.or(base.hp),
            ac: self.ac.or(base.ac),
            ac_ranged: self.ac_ranged.or(base.ac_ranged),
            to_hit: self.to_hit.or(base.to_hit),
            missile: self.missile.or(base.missile),
            surprise: self.surprise.or(base.surprise),
            surprises: self.surprises.or(base.surprises),
            surprised: self.surprised.or(base.surprised),
            save: self.save.or(base.save),
            morale: self.morale.or(base.morale),
            routines: self.routines.or(base.routines),
            attacks: self.attacks.or(base.attacks),
        }
    }

    /// The formulas of `docs/content.md`.
    pub(super) fn derive(&self, of: &Common) -> SegmentsStats {
        let dex = of.attributes.get(Attribute::Dex);
        let (to_hit, seasoned) = match of.training {
            Training::Hero { level, skills } => {
                let best = Skill::COMBAT.iter().filter_map(|s| skills.get(s)).max();
                let best = best.copied().unwrap_or(0);
                (20 - level - best, *level >= SEASONED && best > 0)
            }
            Training::Npc { hit_dice, .. } => (20 - hit_dice, false),
        };
        let sk = of.skirmish;
        // Better is lower here: 10 there is 10 here, 20 there is 0.
        let worn = |ac: i32, shield: i32| 20 - (ac - shield);
        let ac = self.ac.unwrap_or(worn(sk.ac_melee, sk.shield_melee));
        let bare_ranged = worn(sk.ac_ranged, sk.shield_ranged);
        let ac_ranged = self.ac_ranged.or(self.ac).unwrap_or(bare_ranged);
        SegmentsStats {
            hp: self.hp.unwrap_or(sk.hp),
            ac: (ac - sk.shield_melee).clamp(-10, 10),
            ac_ranged: (ac_ranged - sk.shield_ranged).clamp(-10, 10),
            shield: sk.shield_melee,
            shield_ranged: sk.shield_ranged,
            to_hit: self.to_hit.unwrap_or(to_hit.max(1)),
            missile: self.missile.unwrap_or(dex),
            surprise: self.surprise.unwrap_or(dex),
            surprises: self.surprises.unwrap_or(2),
            surprised: self.surprised.unwrap_or(true),
            save: self.save.unwrap_or(sk.physical_save),
            morale: of.morale.map(|m| self.morale.unwrap_or(percent(m))),
            routines: self
                .routines
                .map_or(if seasoned { 2 } else { 1 }, |n| n as u8),
            attacks: self.attacks.clone().unwrap_or_else(|| {
                let born = |w: &&Arc<Weapon>| w.make == Make::Natural && w.melee.is_some();
                of.weapons.iter().filter(born).cloned().collect()
            }),
        }
    }

    /// The arms that its routine names.
    pub(super) fn attacks(&self) -> &[Arc<Weapon>] {
        self.attacks.as_deref().unwrap_or_default()
    }
}

/// The level from which a trained hero has two routines a round.
const SEASONED: i32 = 7;

/// How often 2d6 come up no higher than this, in percent.
fn percent(morale: i32) -> i32 {
    let ways: i32 = (2..=morale.min(12)).map(|n| 6 - (7 - n).abs()).sum();
    (ways * 100 + 18) / 36
}

/// The section of a weapon.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SegmentsWeaponEntry {
    rate: Option<i32>,
    set: Option<bool>,
}

impl SegmentsWeaponEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Segments section of a weapon")?;
        let entry = Self {
            rate: f.optional(r, "rate", |r, p| r.whole(p, 1..=4)),
            set: f.optional(r, "set", Reader::yes_no),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            rate: self.rate.or(base.rate),
            set: self.set.or(base.set),
        }
    }

    /// Long arms can be set; what else can says so.
    pub(super) fn derive(self, make: Make, melee: Option<&Melee>) -> SegmentsWeapon {
        let long = make == Make::Forged && melee.is_some_and(|m| m.reach > 5);
        SegmentsWeapon {
            rate: self.rate.unwrap_or(1) as u8,
            set: melee.is_some() && self.set.unwrap_or(long),
        }
    }
}

/// The section of a spell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SegmentsSpellEntry {
    casting: Option<i32>,
}

impl SegmentsSpellEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Segments section of a spell")?;
        let casting = f.optional(r, "casting", |r, p| r.whole(p, 1..=100));
        f.finish(r);
        Some(Self { casting })
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            casting: self.casting.or(base.casting),
        }
    }

    pub(super) fn derive(self, area: Area) -> SegmentsSpell {
        let usual = if area == Area::One { 1 } else { 3 };
        SegmentsSpell {
            casting: self.casting.unwrap_or(usual),
        }
    }
}
