//! The tables of Phased, from `assets/tables/phased.ron`: attack and save numbers for each class
//! and hit die, and the game's own constants.

use super::content::{Class, Tag};
use crate::rulesets::common::numbers::tables_file;
use serde::Deserialize;
use std::collections::BTreeMap;

/// All tables of the ruleset.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub classes: BTreeMap<Class, ClassTable>,
    pub monsters: MonsterTable,
    /// Penalties, each from a percentage of cover on; the highest that is reached counts (PH-27).
    pub cover: Vec<Share>,
    pub concealment: Vec<Share>,
    pub numbers: Numbers,
    pub implies: Vec<Implied>,
}

/// A character class's numbers, by level.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClassTable {
    /// Sides of the class's hit die.
    pub hit_die: i32,
    pub attack: Vec<AttackRow>,
    pub saves: Vec<SaveRow>,
    pub routines: Vec<RoutinesRow>,
}

/// The numbers of creatures by hit dice.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct MonsterTable {
    pub attack: Vec<AttackRow>,
    pub saves: Vec<SaveRow>,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct AttackRow {
    /// The first level or hit die that the row applies to.
    pub from: i32,
    pub aac0: String,
    /// The AAC0 for enhanced hit dice (PH-33).
    #[serde(default)]
    pub plus: Option<String>,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SaveRow {
    pub from: i32,
    pub body: i32,
    pub breath: i32,
    pub magic: i32,
}

impl SaveRow {
    fn saves(&self) -> Saves {
        Saves {
            body: self.body,
            breath: self.breath,
            magic: self.magic,
        }
    }
}

/// The d20 rolls needed for saves, by kind of attack (PH-60).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saves {
    /// Against poison, death, being held.
    pub body: i32,
    /// Against areas: blasts, cones, lines.
    pub breath: i32,
    /// Against any other spell.
    pub magic: i32,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct RoutinesRow {
    pub from: i32,
    pub routines: u8,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Share {
    pub percent: u8,
    pub penalty: i32,
}

/// A tag of effects and the tags that it implies (PH-43).
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Implied {
    pub tag: Tag,
    pub also: Vec<Tag>,
}

/// The constants that the rules leave to the game: feet, modifiers, multipliers.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    pub surprised_on: u16,
    pub low_spell: u8,
    pub free_attack_on_flight: i16,
    pub charge_attack: i16,
    pub charge_ac: i32,
    pub charge_paces: u16,
    pub set_times: i32,
    pub called_shot_times: i32,
    pub prone_attack: i16,
    pub prone_target: i16,
    pub long_range: i16,
    pub main_hand: i32,
    pub off_hand: i32,
    pub positioning_feet: u16,
    pub melee_feet: u16,
    pub open_cells: usize,
    pub dead_at: i32,
    pub parley_needs: i32,
    pub parley_feet: u16,
}

/// A row of an attack table: the highest armour class against which a 20 is needed. The rest of the
/// row follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttackTableRow {
    pub first_20: i32,
}

/// Number of consecutive armour classes against which a 20 is needed (PH-31).
const TWENTIES: i32 = 6;

impl AttackTableRow {
    /// Parses the roll needed against AC 0: "15", or "20*" if AC 1 also needs a 20. `None` if it is
    /// no such number.
    pub fn of(aac0: &str) -> Option<Self> {
        if aac0 == "20*" {
            return Some(Self { first_20: 1 });
        }
        let n: i32 = aac0.parse().ok()?;
        let first_20 = match n {
            ..=20 => n - 20,
            _ => n - 21 + TWENTIES,
        };
        (-20..=40).contains(&n).then_some(Self { first_20 })
    }

    /// The total needed against an armour class.
    pub fn need(self, ac: i32) -> i32 {
        let beyond = self.first_20 - ac;
        match beyond {
            ..=0 => 20 + beyond,
            1..TWENTIES => 20,
            _ => 21 + beyond - TWENTIES,
        }
    }

    /// The roll needed against AC 0, as written in tables: "15", "20*".
    pub fn aac0(self) -> String {
        match self.first_20 {
            1..TWENTIES => "20*".into(),
            _ => self.need(0).to_string(),
        }
    }
}

tables_file! { phased, "assets/tables/phased.ron", Tables::flaw }

impl Tables {
    pub fn class(&self, class: Class) -> &ClassTable {
        &self.classes[&class]
    }

    /// The tags and all tags that they imply.
    pub fn all_tags(&self, tags: impl IntoIterator<Item = Tag>) -> Vec<Tag> {
        let mut all: Vec<Tag> = tags.into_iter().collect();
        let mut n = 0;
        while n < all.len() {
            let implied = self.implies.iter().filter(|i| i.tag == all[n]);
            for tag in implied.flat_map(|i| i.also.clone()).collect::<Vec<_>>() {
                if !all.contains(&tag) {
                    all.push(tag);
                }
            }
            n += 1;
        }
        all
    }
}

/// The last row that begins at or below a level.
fn at<T>(rows: &[T], level: i32, from: impl Fn(&T) -> i32) -> &T {
    let fits = rows.iter().rev().find(|row| from(row) <= level);
    fits.unwrap_or(&rows[0])
}

impl ClassTable {
    pub fn row(&self, level: i32) -> AttackTableRow {
        let text = &at(&self.attack, level, |r| r.from).aac0;
        AttackTableRow::of(text).expect("rows were checked")
    }

    pub fn saves(&self, level: i32) -> Saves {
        at(&self.saves, level, |r| r.from).saves()
    }

    pub fn routines(&self, level: i32) -> u8 {
        at(&self.routines, level, |r| r.from).routines
    }
}

impl MonsterTable {
    /// The row for a number of hit dice; `plus` if they are enhanced by 1 to 3.
    pub fn row(&self, dice: i32, plus: bool) -> AttackTableRow {
        let row = at(&self.attack, dice, |r| r.from);
        let text = row.plus.as_ref().filter(|_| plus && row.from == dice);
        AttackTableRow::of(text.unwrap_or(&row.aac0)).expect("rows were checked")
    }

    pub fn saves(&self, dice: i32) -> Saves {
        at(&self.saves, dice, |r| r.from).saves()
    }
}

/// The penalty for a percentage: that of the highest row it reaches.
pub fn penalty(rows: &[Share], percent: u8) -> i32 {
    let reached = rows.iter().filter(|row| row.percent <= percent);
    reached.map(|row| row.penalty).max().unwrap_or(0)
}

impl Tables {
    /// The first mistake in the tables; `None` if they are usable.
    fn flaw(&self) -> Option<String> {
        let classes = || self.classes.values();
        let monsters = (&self.monsters.attack, &self.monsters.saves);
        let tables = || classes().map(|c| (&c.attack, &c.saves)).chain([monsters]);
        let rows = tables().flat_map(|(attack, _)| attack);
        let mut texts = rows.flat_map(|row| [&row.aac0].into_iter().chain(&row.plus));
        if let Some(wrong) = texts.find(|text| AttackTableRow::of(text).is_none()) {
            return Some(format!("{wrong:?} is no AAC0"));
        }
        let has = |class: &Class| self.classes.contains_key(class);
        let empty = tables().any(|(attack, saves)| attack.is_empty() || saves.is_empty())
            || classes().any(|c| c.routines.is_empty());
        (empty || !Class::ALL.iter().all(has)).then(|| "a class or a table is missing".into())
    }
}
