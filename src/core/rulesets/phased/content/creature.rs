//! The Phased section of a creature: fields of level files, and the numbers derived from them.

use super::{AttackLine, Class, HitDice, Tag};
use crate::{
    battle::Rule,
    content::{
        Armour, Attribute, Creature, Skill, Training,
        section::{parsed, section, small, whole, word, words, yes_no},
    },
    ron_read::{ByteRange, Piece, Reader},
    rulesets::phased::numbers::{AttackTableRow, Saves, tables},
};
use std::collections::BTreeSet;

section! {
    /// A creature's numbers under Phased.
    pub struct PhasedStats from WrittenStats, of Creature, "phased": "a Phased section";
    check: fits_together;
    with {
        ac: i32, whole(-10..=10) => |s| s.ac_melee + s.shield_melee;
        ac_ranged: i32, whole(-10..=10) => |s| s.ac_ranged + s.shield_ranged;
        aac0: String, |r, p, _| aac0(r, p);
        class: Class, word("a class", &Class::WORDS);
        body: i32, whole(2..=20) => |s| s.saves.body;
        breath: i32, whole(2..=20) => |s| s.saves.breath;
        magic: i32, whole(2..=20) => |s| s.saves.magic;
        rate: i32, whole(0..=48) => |s| s.rate / 10;
        attacks: AttackLine, parsed;
    }
    |own, c|
    hit_dice: HitDice, parsed => match &c.training {
        Training::Hero { .. } => HitDice::default(),
        Training::Npc { hit_dice, .. } => HitDice { dice: *hit_dice, plus: 0 },
    };
    /// Class and level; `None` for creatures without a class.
    class: Option<(Class, i32)> => class_of(c, own.class);
    /// Hit points when unhurt, at least 1.
    hp: i32, whole(1..=1000) => basis(c, hit_dice, class).hp.max(1);
    /// By how much `ac_melee` is worse without the shield.
    shield_melee: i32 => c.shield_bonus(|s| s.ac_melee);
    /// By how much `ac_ranged` is worse without the shield.
    shield_ranged: i32 => c.shield_bonus(|s| s.ac_ranged);
    /// Descending armour class in melee, with everything worn: 10 is the worst, -10 the best.
    ac_melee: i32 => {
        let bare = own.ac.unwrap_or_else(|| bare(c, |a| a.ac_melee));
        (bare - shield_melee).clamp(-10, 10)
    };
    /// Descending armour class against missiles, with everything worn.
    ac_ranged: i32 => {
        let bare = own.ac_ranged.or(own.ac).unwrap_or_else(|| bare(c, |a| a.ac_ranged));
        (bare - shield_ranged).clamp(-10, 10)
    };
    /// The creature's row of the attack tables (PH-30 to PH-33). An AAC0 in its own field comes
    /// first, then one in its attack line (PH-36).
    row: AttackTableRow => {
        let line = || own.attacks.as_ref()?.aac0;
        let written = own.aac0.as_deref().and_then(AttackTableRow::of).or_else(line);
        written.unwrap_or_else(|| basis(c, hit_dice, class).row)
    };
    /// What a d20 must reach for each save.
    saves: Saves => {
        let saves = basis(c, hit_dice, class).saves;
        Saves {
            body: own.body.unwrap_or(saves.body),
            breath: own.breath.unwrap_or(saves.breath),
            magic: own.magic.unwrap_or(saves.magic),
        }
    };
    /// Added to the creature's morale (PH-33).
    steadfast: i32 => hit_dice.plus;
    /// DEX reaction adjustment (PH-03).
    reaction: i32, whole(-5..=5) => c.modifier(Attribute::Dex);
    /// Feet that the creature moves in a round.
    rate: i32 => own.rate.map_or(c.speed * 2, |rate| rate * 10);
    /// Attack routines in a round of melee (PH-35).
    routines: u8, small(1..=5) => {
        let by_class = |(class, level)| tables().class(class).routines(level);
        class.map_or(1, by_class)
    };
    /// The routine of natural attacks; `None`: one attack with each natural weapon.
    attacks: Option<AttackLine> => own.attacks.clone();
    /// Acts before the groups (PH-01).
    first: bool, yes_no => false;
    /// Acts after the spells (PH-01).
    last: bool, yes_no => false;
    /// Flies or swims by nature, so that concentration does not slow it (PH-21).
    native: bool, yes_no => false;
    /// Effects with any of these tags do nothing to the creature (PH-43).
    immune: BTreeSet<Tag>, words("an attribute", &Tag::WORDS) => BTreeSet::new();
    /// Weapons with a lower magic bonus don't harm the creature (PH-37).
    needs_magic: i32, whole(0..=10) => 0;
    /// All sides see at once that the creature is immune (PH-37).
    shows: bool, yes_no => false;
    /// Bodies cannot touch the creature (PH-37).
    hedged: bool, yes_no => false;
}

impl PhasedStats {
    /// What else sets the creature apart, in words, each with what it means and its rule. That it
    /// needs magic to be harmed is not among them: an enemy may have to find that out.
    pub fn traits(&self) -> impl Iterator<Item = (&'static str, &'static str, Rule)> {
        let first = "Acts before HIGH and LOW, in the order of parts";
        let last = "Acts after HIGH and LOW, at the end of the round";
        let native = "Moves at its full rate while it keeps up a spell";
        let hedged = "Attacks with the body, without a weapon, have no effect on it";
        let all = [
            (self.first, ("acts first", first, "PH-01")),
            (self.last, ("acts last", last, "PH-01")),
            (self.native, ("flies or swims by nature", native, "PH-21")),
            (self.hedged, ("bodies cannot touch it", hedged, "PH-37")),
        ];
        all.into_iter().filter(|(is, _)| *is).map(|(_, what)| what)
    }
}

/// Reads the field `aac0`: what an attack on armour class 0 needs. Reports any other text.
fn aac0(r: &mut Reader, p: &Piece) -> Option<String> {
    let text = r.text(p)?;
    if AttackTableRow::of(&text).is_none() {
        r.expected(p, "what AC 0 needs, such as \"15\" or \"20*\"");
        return None;
    }
    Some(text)
}

/// The skills of each class. A hero's class follows from its best skill; of equals, the first.
const CLASS_SKILLS: [(Class, &[Skill]); 4] = [
    (
        Class::Fighter,
        &[Skill::Stab, Skill::Brawl, Skill::Shoot, Skill::Exert],
    ),
    (Class::Mage, &[Skill::Cast]),
    (Class::Priest, &[Skill::Heal]),
    (Class::Rogue, &[Skill::Sneak, Skill::Notice, Skill::Talk]),
];

/// A hero's class and level; `None` for other creatures. `written` is the class in the file.
fn class_of(c: &Creature, written: Option<Class>) -> Option<(Class, i32)> {
    let Training::Hero { level, skills } = &c.training else {
        return None;
    };
    let best = |of: &[Skill]| of.iter().filter_map(|s| skills.get(s)).max().copied();
    let mut found = (Class::Fighter, i32::MIN);
    for (class, of) in CLASS_SKILLS {
        let trained = best(of).unwrap_or(-1);
        if trained > found.1 {
            found = (class, trained);
        }
    }
    Some((written.unwrap_or(found.0), *level))
}

/// A creature's numbers from the tables.
struct Basis {
    row: AttackTableRow,
    saves: Saves,
    hp: i32,
}

/// Numbers from the creature's hit dice, or from its class if the level is higher (PH-32).
fn basis(c: &Creature, hit_dice: HitDice, class: Option<(Class, i32)>) -> Basis {
    let tables = tables();
    let con = c.modifier(Attribute::Con);
    let HitDice { dice, plus } = hit_dice;
    match class.filter(|(_, level)| *level > dice) {
        Some((class, level)) => {
            let table = tables.class(class);
            let later = (level - 1) * (table.hit_die / 2 + 1 + con).max(1);
            Basis {
                row: table.row(level),
                saves: table.saves(level),
                hp: (table.hit_die + con).max(1) + later,
            }
        }
        None => {
            let (attack, little_more) = hit_dice.to_attack();
            Basis {
                row: tables.monsters.row(attack, little_more),
                saves: tables.monsters.saves(hit_dice.overall()),
                hp: dice * 9 / 2 + dice * (plus + con),
            }
        }
    }
}

/// Descending armour class without the shield, including DEX. `ac` reads the ascending one.
fn bare(c: &Creature, ac: fn(&Armour) -> i32) -> i32 {
    let worn = c.armour.as_ref().map_or(10, |a| ac(a) + a.magic);
    20 - worn - c.modifier(Attribute::Dex)
}

/// Reports fields that contradict each other or the creature's common fields.
fn fits_together(
    stats: &PhasedStats,
    own: &WrittenStats,
    c: &Creature,
    r: &mut Reader,
    at: ByteRange,
) {
    if c.is_hero() && stats.hit_dice.plus > 0 {
        r.problem(at, "a hero has no enhanced hit dice", "leave them out");
    }
    if !c.is_hero() && own.class.is_some() {
        let what = "a creature with `hit_dice` has no class";
        r.problem(at, what, "leave `class` out, or give it a `level`");
    }
    for part in stats.attacks.iter().flat_map(|line| &line.parts) {
        let is_it =
            |w: &&std::sync::Arc<crate::content::Weapon>| part.is_of(&w.name) && w.melee.is_some();
        if c.weapons.iter().find(is_it).is_none() {
            let what = format!("`{}` is none of its weapons for melee", part.name);
            r.problem(at, what, "`attacks` says how it uses the arms that it has");
        }
    }
}
