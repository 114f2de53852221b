//! The Phased section of a creature.

use super::{AttackLine, Class, HitDice, PhasedStats, Row, Saves, Tables, Tag, arms::tags};
use crate::{
    content::{Armour, Attribute, Attributes, Skill, Training, Weapon},
    ron_read::{Piece, Place, Reader},
};
use std::{collections::BTreeSet, str::FromStr, sync::Arc};

/// The section as it is written: what it leaves out is derived.
#[derive(Clone, Debug, Default)]
pub(in crate::content) struct PhasedEntry {
    hp: Option<i32>,
    ac: Option<i32>,
    ac_ranged: Option<i32>,
    aac0: Option<String>,
    hit_dice: Option<HitDice>,
    class: Option<Class>,
    body: Option<i32>,
    breath: Option<i32>,
    magic: Option<i32>,
    reaction: Option<i32>,
    rate: Option<i32>,
    routines: Option<i32>,
    attacks: Option<AttackLine>,
    first: Option<bool>,
    last: Option<bool>,
    native: Option<bool>,
    immune: Option<BTreeSet<Tag>>,
    needs_magic: Option<i32>,
    shows: Option<bool>,
    hedged: Option<bool>,
}

/// What a creature is besides, as far as the formulas use it.
pub(in crate::content) struct Wearer<'a> {
    pub training: &'a Training,
    pub attributes: &'a Attributes,
    pub armour: &'a Option<Arc<Armour>>,
    pub shield: &'a Option<Arc<Armour>>,
    pub weapons: &'a [Arc<Weapon>],
    /// Feet in a Move, as all rulesets know it.
    pub speed: i32,
}

/// A hero's class goes by its best skill; of equals the first of these.
const CALLINGS: [(Class, &[Skill]); 4] = [
    (
        Class::Fighter,
        &[Skill::Stab, Skill::Brawl, Skill::Shoot, Skill::Exert],
    ),
    (Class::Mage, &[Skill::Cast]),
    (Class::Priest, &[Skill::Heal]),
    (Class::Rogue, &[Skill::Sneak, Skill::Notice, Skill::Talk]),
];

impl PhasedEntry {
    pub fn read(r: &mut Reader, piece: &Piece) -> Option<Self> {
        let classes = Class::ALL.map(|class| (class.name(), class));
        let mut f = r.fields(piece, "a Phased section")?;
        let entry = Self {
            hp: f.optional(r, "hp", |r, p| r.whole(p, 1..=1000)),
            ac: f.optional(r, "ac", |r, p| r.whole(p, -10..=10)),
            ac_ranged: f.optional(r, "ac_ranged", |r, p| r.whole(p, -10..=10)),
            aac0: f.optional(r, "aac0", |r, p| {
                let text = r.text(p)?;
                if Row::of(&text).is_none() {
                    r.expected(p, "what AC 0 needs, such as \"15\" or \"20*\"");
                    return None;
                }
                Some(text)
            }),
            hit_dice: f.optional(r, "hit_dice", parsed),
            class: f.optional(r, "class", |r, p| r.word(p, "a class", &classes)),
            body: f.optional(r, "body", |r, p| r.whole(p, 2..=20)),
            breath: f.optional(r, "breath", |r, p| r.whole(p, 2..=20)),
            magic: f.optional(r, "magic", |r, p| r.whole(p, 2..=20)),
            reaction: f.optional(r, "reaction", |r, p| r.whole(p, -5..=5)),
            rate: f.optional(r, "rate", |r, p| r.whole(p, 0..=48)),
            routines: f.optional(r, "routines", |r, p| r.whole(p, 1..=5)),
            attacks: f.optional(r, "attacks", parsed),
            first: f.optional(r, "first", Reader::yes_no),
            last: f.optional(r, "last", Reader::yes_no),
            native: f.optional(r, "native", Reader::yes_no),
            immune: f.optional(r, "immune", tags),
            needs_magic: f.optional(r, "needs_magic", |r, p| r.whole(p, 0..=10)),
            shows: f.optional(r, "shows", Reader::yes_no),
            hedged: f.optional(r, "hedged", Reader::yes_no),
        };
        f.finish(r);
        Some(entry)
    }

    pub fn over(&self, base: &Self) -> Self {
        Self {
            hp: self.hp.or(base.hp),
            ac: self.ac.or(base.ac),
            ac_ranged: self.ac_ranged.or(base.ac_ranged),
            aac0: self.aac0.clone().or_else(|| base.aac0.clone()),
            hit_dice: self.hit_dice.or(base.hit_dice),
            class: self.class.or(base.class),
            body: self.body.or(base.body),
            breath: self.breath.or(base.breath),
            magic: self.magic.or(base.magic),
            reaction: self.reaction.or(base.reaction),
            rate: self.rate.or(base.rate),
            routines: self.routines.or(base.routines),
            attacks: self.attacks.clone().or_else(|| base.attacks.clone()),
            first: self.first.or(base.first),
            last: self.last.or(base.last),
            native: self.native.or(base.native),
            immune: self.immune.clone().or_else(|| base.immune.clone()),
            needs_magic: self.needs_magic.or(base.needs_magic),
            shows: self.shows.or(base.shows),
            hedged: self.hedged.or(base.hedged),
        }
    }

    /// The formulas of `docs/content.md`.
    pub fn derive(&self, r: &mut Reader, at: Place, of: &Wearer) -> PhasedStats {
        self.complain(r, at, of);
        let tables = Tables::built_in();
        let con = of.attributes.get(Attribute::Con);
        let class = self.class_of(of.training);
        let hit_dice = self.hit_dice.unwrap_or(match of.training {
            Training::Hero { .. } => HitDice::default(),
            Training::Npc { hit_dice, .. } => HitDice {
                dice: *hit_dice,
                plus: 0,
            },
        });
        // PH-32: hit dice, unless the class level is higher.
        let by_class = class.filter(|(_, level)| *level > hit_dice.dice);
        let (row, saves, hp) = match by_class {
            Some((class, level)) => {
                let table = tables.class(class);
                let later = (level - 1) * (table.hit_die / 2 + 1 + con).max(1);
                let hp = (table.hit_die + con).max(1) + later;
                (table.row(level), table.saves(level), hp)
            }
            None => {
                let HitDice { dice, plus } = hit_dice;
                let (attack, little_more) = hit_dice.to_attack();
                let hp = dice * 9 / 2 + dice * (plus + con);
                let saves = tables.monsters.saves(hit_dice.overall());
                (tables.monsters.row(attack, little_more), saves, hp)
            }
        };
        let (shield_melee, shield_ranged) = (held(of, |s| s.ac_melee), held(of, |s| s.ac_ranged));
        let worn = |bare: i32, shield: i32| (bare - shield).clamp(-10, 10);
        let bare_melee = self.ac.unwrap_or_else(|| bare(of, |a| a.ac_melee));
        let bare_ranged = self.ac_ranged.or(self.ac);
        let bare_ranged = bare_ranged.unwrap_or_else(|| bare(of, |a| a.ac_ranged));
        let by_class = |n: &(Class, i32)| tables.class(n.0).routines(n.1);
        PhasedStats {
            hp: self.hp.unwrap_or(hp).max(1),
            ac_melee: worn(bare_melee, shield_melee),
            ac_ranged: worn(bare_ranged, shield_ranged),
            shield_melee,
            shield_ranged,
            row: self.written_row().unwrap_or(row),
            hit_dice,
            class,
            saves: Saves {
                body: self.body.unwrap_or(saves.body),
                breath: self.breath.unwrap_or(saves.breath),
                magic: self.magic.unwrap_or(saves.magic),
            },
            steadfast: hit_dice.plus,
            reaction: self.reaction.unwrap_or(of.attributes.get(Attribute::Dex)),
            rate: self.rate.map_or(of.speed * 2, |rate| rate * 10),
            routines: self
                .routines
                .map_or_else(|| class.as_ref().map_or(1, by_class), |n| n as u8),
            attacks: self.attacks.clone(),
            first: self.first.unwrap_or(false),
            last: self.last.unwrap_or(false),
            native: self.native.unwrap_or(false),
            immune: self.immune.clone().unwrap_or_default(),
            needs_magic: self.needs_magic.unwrap_or(0),
            shows: self.shows.unwrap_or(false),
            hedged: self.hedged.unwrap_or(false),
        }
    }

    /// What AC 0 takes, by its own field or else in its attack line (PH-36).
    fn written_row(&self) -> Option<Row> {
        let line = || self.attacks.as_ref()?.aac0;
        self.aac0.as_deref().and_then(Row::of).or_else(line)
    }

    fn class_of(&self, training: &Training) -> Option<(Class, i32)> {
        let Training::Hero { level, skills } = training else {
            return None;
        };
        let best = |of: &[Skill]| of.iter().filter_map(|s| skills.get(s)).max().copied();
        let mut found = (Class::Fighter, i32::MIN);
        for (class, of) in CALLINGS {
            let trained = best(of).unwrap_or(-1);
            if trained > found.1 {
                found = (class, trained);
            }
        }
        Some((self.class.unwrap_or(found.0), *level))
    }

    fn complain(&self, r: &mut Reader, at: Place, of: &Wearer) {
        let is_hero = matches!(of.training, Training::Hero { .. });
        if is_hero && self.hit_dice.is_some_and(|dice| dice.plus > 0) {
            r.problem(at, "enhanced hit dice are for those without a class", "");
        }
        if !is_hero && self.class.is_some() {
            r.problem(at, "who has hit dice has no class", "`level` makes a hero");
        }
        let parts = self.attacks.iter().flat_map(|line| &line.parts);
        for part in parts {
            if !of
                .weapons
                .iter()
                .any(|w| part.is_of(&w.name) && w.melee.is_some())
            {
                let what = format!("`{}` is none of its weapons for melee", part.name);
                r.problem(at, what, "`attacks` says how it uses the arms that it has");
            }
        }
    }
}

/// Armour class before the shield, DEX in it.
fn bare(of: &Wearer, ac: fn(&Armour) -> i32) -> i32 {
    let worn = of
        .armour
        .as_ref()
        .map_or(10, |armour| ac(armour) + armour.magic);
    20 - worn - of.attributes.get(Attribute::Dex)
}

fn held(of: &Wearer, ac: fn(&Armour) -> i32) -> i32 {
    of.shield
        .as_ref()
        .map_or(0, |shield| ac(shield) + shield.magic)
}

/// A text in a form of its own.
fn parsed<T: FromStr<Err = &'static str>>(r: &mut Reader, piece: &Piece) -> Option<T> {
    let text = r.text(piece)?;
    match text.parse() {
        Ok(found) => Some(found),
        Err(shape) => {
            r.expected(piece, shape);
            None
        }
    }
}
