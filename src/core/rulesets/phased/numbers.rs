//! The tables of Phased, from `assets/tables/phased.ron`: what each class and
//! hit die needs to hit and to save, and the numbers that are the game's own.

use super::content::{Class, Tag};
use crate::{
    ron_read::Problem,
    rulesets::common::{numbers, table::asset},
};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct File {
    phased: Tables,
}

/// All tables of the ruleset.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub classes: BTreeMap<Class, ClassTable>,
    pub monsters: MonsterTable,
    /// From which percent on which penalty; the highest that is reached counts
    /// (PH-27).
    pub cover: Vec<Share>,
    pub concealment: Vec<Share>,
    pub numbers: Numbers,
    pub implies: Vec<Implied>,
}

/// What a character class brings with it, by level.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClassTable {
    /// Sides of the die of its hit points.
    pub hit_die: i32,
    pub attack: Vec<AttackRow>,
    pub saves: Vec<SaveRow>,
    pub routines: Vec<RoutinesRow>,
}

/// What hit dice bring with them.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct MonsterTable {
    pub attack: Vec<AttackRow>,
    pub saves: Vec<SaveRow>,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct AttackRow {
    /// The first level or hit die that it holds for.
    pub from: i32,
    pub aac0: String,
    /// The same for enhanced hit dice (PH-33).
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

/// What a save needs on d20, by what it is against (PH-60).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saves {
    /// Poison, death, being held.
    pub body: i32,
    /// What fills a space: blasts, cones, lines.
    pub breath: i32,
    /// Any other spell.
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

/// An attribute of effects that brings others with it (PH-43).
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Implied {
    pub tag: Tag,
    pub also: Vec<Tag>,
}

/// What the rules leave to the game. Feet, points, multiples.
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

/// A row of an attack table, whole: the highest armour class against which a
/// 20 is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub first_20: i32,
}

/// A 20 hits this many armour classes in a row before more is needed (PH-31).
const TWENTIES: i32 = 6;

impl Row {
    /// "15", or "20*" where a 20 is needed against AC 1 too.
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

    /// What the modified roll needs against an armour class.
    pub fn need(self, ac: i32) -> i32 {
        let beyond = self.first_20 - ac;
        match beyond {
            ..=0 => 20 + beyond,
            1..TWENTIES => 20,
            _ => 21 + beyond - TWENTIES,
        }
    }

    /// As it is written: "15", "20*".
    pub fn aac0(self) -> String {
        match self.first_20 {
            1..TWENTIES => "20*".into(),
            _ => self.need(0).to_string(),
        }
    }
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| numbers::built_in(asset!("tables/phased.ron"), read));

impl Tables {
    /// Those that come with the game.
    pub fn built_in() -> &'static Self {
        &TABLES
    }

    pub fn class(&self, class: Class) -> &ClassTable {
        &self.classes[&class]
    }

    /// The tag and all that it implies.
    pub fn all_tags(&self, tags: &[Tag]) -> Vec<Tag> {
        let mut all = tags.to_vec();
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
    pub fn row(&self, level: i32) -> Row {
        let text = &at(&self.attack, level, |r| r.from).aac0;
        Row::of(text).expect("rows were checked")
    }

    pub fn saves(&self, level: i32) -> Saves {
        at(&self.saves, level, |r| r.from).saves()
    }

    pub fn routines(&self, level: i32) -> u8 {
        at(&self.routines, level, |r| r.from).routines
    }
}

impl MonsterTable {
    /// The row of this many hit dice; `plus` for an enhancement of 1 to 3.
    pub fn row(&self, dice: i32, plus: bool) -> Row {
        let row = at(&self.attack, dice, |r| r.from);
        let text = row.plus.as_ref().filter(|_| plus && row.from == dice);
        Row::of(text.unwrap_or(&row.aac0)).expect("rows were checked")
    }

    pub fn saves(&self, dice: i32) -> Saves {
        at(&self.saves, dice, |r| r.from).saves()
    }
}

/// The penalty for a share in percent: that of the highest row it reaches.
pub fn penalty(rows: &[Share], percent: u8) -> i32 {
    let reached = rows.iter().filter(|row| row.percent <= percent);
    reached.map(|row| row.penalty).max().unwrap_or(0)
}

/// Reads the file of tables.
pub fn read(file: &str, text: &str) -> Result<Tables, Problem> {
    numbers::read(file, text, |file: File| file.phased, Tables::flaw)
}

impl Tables {
    /// What cannot be used as it is.
    fn flaw(&self) -> Option<String> {
        let classes = || self.classes.values();
        let attacks: Vec<_> = classes()
            .map(|c| &c.attack)
            .chain([&self.monsters.attack])
            .collect();
        let saves: Vec<_> = classes()
            .map(|c| &c.saves)
            .chain([&self.monsters.saves])
            .collect();
        let rows = attacks.iter().copied().flatten();
        let mut texts = rows
            .flat_map(|row| [Some(&row.aac0), row.plus.as_ref()])
            .flatten();
        if let Some(wrong) = texts.find(|text| Row::of(text).is_none()) {
            return Some(format!("{wrong:?} is no AAC0"));
        }
        let all = Class::ALL
            .iter()
            .all(|class| self.classes.contains_key(class));
        let empty = attacks.iter().any(|rows| rows.is_empty())
            || saves.iter().any(|rows| rows.is_empty())
            || classes().any(|c| c.routines.is_empty());
        (empty || !all).then(|| "a class or a table is missing".into())
    }
}
