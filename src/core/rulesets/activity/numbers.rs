//! The ruleset's tables: costs, modifiers, what attacks and fumbles do. They
//! are data, in `assets/tables/activity.ron`.

use crate::{
    ron_read::Problem,
    rulesets::{
        activity::content::{AttackSize, AttackType},
        common::{numbers, table::asset},
    },
};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// Everything in `assets/tables/activity.ron`; see there for what each is.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub costs: Costs,
    pub base_rate_divisor: i32,
    pub pace: i32,
    pub max_actions: usize,
    pub initiative_die: u16,
    pub count_per_tenth: i32,
    pub move_penalty: i32,
    pub charge_bonus: i32,
    pub charge_least: u16,
    pub charge_most: i32,
    pub opportunity: i32,
    pub half_cover: i32,
    pub full_cover: i32,
    pub long_range: i32,
    pub prone_target_near: i32,
    pub prone_target_far: i32,
    pub prone_attacker: i32,
    pub stunned_target: i32,
    pub foe_in_reach: i32,
    pub hidden_perception: i32,
    pub chi_defense: i32,
    pub casting_target: i32,
    pub casting_fumble: i32,
    pub maneuver_target: i32,
    pub open_ended: u16,
    pub morale: (i32, i32, i32),
    pub sizes: BTreeMap<AttackSize, (i32, i32)>,
    pub critical: BTreeMap<AttackType, Vec<Row>>,
    pub fumbles: Vec<Row>,
    pub spell_fumbles: Vec<Row>,
}

/// Percent of a round (AC-01).
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    pub melee: (i32, i32),
    pub missile: (i32, i32),
    pub perception: (i32, i32),
    pub spell_per_point: i32,
    pub instantaneous: i32,
    pub move_base: i32,
    pub draw: i32,
    pub change: i32,
    pub drop_prone: i32,
    pub stand_up: i32,
    pub chi: i32,
    pub herb: i32,
    pub parry_missile: i32,
    pub stanch: i32,
    pub door: i32,
    pub other: i32,
    pub reload_spell: i32,
}

/// What a total up to `to` does.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Row {
    pub to: i32,
    /// Concussion hits lost.
    pub hits: i32,
    /// Rounds of stun, this one included.
    pub stun: i32,
    /// Hits bled at the end of each round.
    pub bleed: i32,
    /// To everything that one does, 0 or less; to maneuvers on top of that.
    pub penalty: i32,
    pub maneuver: i32,
    /// Knocked down.
    pub down: bool,
    pub dead: bool,
    /// The weapon falls from the hand.
    pub drop: bool,
    /// In the game's words, after a colon.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    activity_tables: Tables,
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| numbers::built_in(asset!("tables/activity.ron"), read));

/// Reads such a file; the first thing that is wrong with it.
pub fn read(file: &str, text: &str) -> Result<Tables, Problem> {
    numbers::read(file, text, |file: File| file.activity_tables, flaw)
}

/// What cannot be used as it is.
fn flaw(tables: &Tables) -> Option<String> {
    let sizes = AttackSize::ALL.iter().all(|s| tables.sizes.contains_key(s));
    let rows = tables.critical.len() == 8 && tables.critical.values().all(|r| !r.is_empty());
    let fumbles = !tables.fumbles.is_empty() && !tables.spell_fumbles.is_empty();
    let what = "every size, every kind of attack and both kinds of fumbles need rows";
    (!(sizes && rows && fumbles)).then(|| what.into())
}

pub fn tables() -> &'static Tables {
    &TABLES
}

impl Tables {
    /// AC-30: what an attack's size adds, and the most that the total can be.
    pub fn size(&self, size: AttackSize) -> (i32, i32) {
        self.sizes[&size]
    }

    /// AC-31: what a total does. None below 1: a miss.
    pub fn critical(&self, attack: AttackType, total: i32) -> Option<&Row> {
        (total >= 1).then(|| row(self.rows(attack), total))
    }

    /// The rows of a kind of attack.
    pub fn rows(&self, attack: AttackType) -> &[Row] {
        &self.critical[&attack]
    }

    /// What a fumble does, by a d100.
    pub fn fumble(&self, roll: i32) -> &Row {
        row(&self.fumbles, roll)
    }

    pub fn spell_fumble(&self, roll: i32) -> &Row {
        row(&self.spell_fumbles, roll)
    }
}

/// The row of a number; beyond the last, the last.
pub fn row(rows: &[Row], n: i32) -> &Row {
    let found = rows.iter().find(|row| n <= row.to);
    found.unwrap_or(&rows[rows.len() - 1])
}
