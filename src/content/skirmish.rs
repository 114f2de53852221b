//! What Skirmish needs to know of a creature, and how it is derived.

use super::{Armour, Attribute, Attributes, Training};
use crate::ron_read::{Piece, Reader};
use std::sync::Arc;

/// Numbers of the Skirmish ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SkirmishStats {
    /// Hit points when unhurt, at least 1.
    pub hp: i32,
    /// Armour class in melee with all that it wears, shield and DEX in it.
    pub ac_melee: i32,
    /// Armour class against missiles, likewise.
    pub ac_ranged: i32,
    /// The part of `ac_melee` that is lost with the shield.
    pub shield_melee: i32,
    /// The part of `ac_ranged` that is lost with the shield.
    pub shield_ranged: i32,
    /// Added to every attack roll before attribute, skill and weapon.
    pub attack_bonus: i32,
    /// A Physical save succeeds with this or more on 1d20.
    pub physical_save: i32,
}

/// The section as it is written: what it leaves out is derived.
#[derive(Clone, Debug, Default)]
pub(super) struct SkirmishEntry {
    hp: Option<i32>,
    ac: Option<i32>,
    ac_ranged: Option<i32>,
    attack: Option<i32>,
    save: Option<i32>,
}

impl SkirmishEntry {
    pub(super) fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let mut f = r.fields(piece, "a Skirmish section")?;
        let entry = Self {
            hp: f.optional(r, "hp", |r, p| r.whole(p, 1..=1000)),
            ac: f.optional(r, "ac", |r, p| r.whole(p, 0..=40)),
            ac_ranged: f.optional(r, "ac_ranged", |r, p| r.whole(p, 0..=40)),
            attack: f.optional(r, "attack", |r, p| r.whole(p, -10..=30)),
            save: f.optional(r, "save", |r, p| r.whole(p, 2..=20)),
        };
        f.finish(r);
        Some(entry)
    }

    pub(super) fn over(&self, base: &Self) -> Self {
        Self {
            hp: self.hp.or(base.hp),
            ac: self.ac.or(base.ac),
            ac_ranged: self.ac_ranged.or(base.ac_ranged),
            attack: self.attack.or(base.attack),
            save: self.save.or(base.save),
        }
    }

    /// The formulas of `docs/content.md`.
    pub(super) fn derive(
        &self,
        training: &Training,
        attributes: &Attributes,
        armour: &Option<Arc<Armour>>,
        shield: &Option<Arc<Armour>>,
    ) -> SkirmishStats {
        let con = attributes.get(Attribute::Con);
        let dex = attributes.get(Attribute::Dex);
        let sturdy = attributes.get(Attribute::Str).max(con);
        let (hp, attack, save) = match training {
            Training::Hero { level, .. } => {
                let hp = (6 + con).max(1) + (level - 1) * (4 + con).max(1);
                (hp, (level + 1) / 2, 15 - level - sturdy)
            }
            Training::Npc { hit_dice, .. } => {
                let hp = hit_dice * 9 / 2 + hit_dice * con;
                (hp, *hit_dice, 15 - hit_dice / 2 - sturdy)
            }
        };
        let worn = |ac: fn(&Armour) -> i32| match armour {
            Some(armour) => ac(armour) + armour.magic + dex,
            None => 10 + dex,
        };
        let held = |ac: fn(&Armour) -> i32| shield.as_ref().map_or(0, |s| ac(s) + s.magic);
        let shield_melee = held(|s| s.ac_melee);
        let shield_ranged = held(|s| s.ac_ranged);
        let ac_melee = self.ac.unwrap_or_else(|| worn(|a| a.ac_melee));
        let ac_ranged = self
            .ac_ranged
            .or(self.ac)
            .unwrap_or_else(|| worn(|a| a.ac_ranged));
        SkirmishStats {
            hp: self.hp.unwrap_or(hp).max(1),
            ac_melee: ac_melee + shield_melee,
            ac_ranged: ac_ranged + shield_ranged,
            shield_melee,
            shield_ranged,
            attack_bonus: self.attack.unwrap_or(attack),
            physical_save: self.save.unwrap_or(save).clamp(2, 20),
        }
    }
}
