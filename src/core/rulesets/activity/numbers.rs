//! The ruleset's tables: costs, modifiers, and results of attacks and fumbles. They are data in
//! `assets/tables/activity.ron`.

use super::content::{AttackSize, AttackType};
use crate::rulesets::common::numbers::tables_file;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Everything in `assets/tables/activity.ron`; comments there explain each value.
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
    pub critical: BTreeMap<AttackType, Vec<ResultRow>>,
    pub fumbles: Vec<ResultRow>,
    pub spell_fumbles: Vec<ResultRow>,
}

/// Costs in percent of a round (AC-01).
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

/// The effects of a total up to `to`.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct ResultRow {
    pub to: i32,
    /// Concussion hits lost.
    pub hits: i32,
    /// Rounds of stun, including this one.
    pub stun: i32,
    /// Hits lost to bleeding at the end of each round.
    pub bleed: i32,
    /// Penalties, 0 or less: `penalty` applies to everything, `maneuver` also to maneuvers.
    pub penalty: i32,
    pub maneuver: i32,
    /// Whether the target is knocked down.
    pub down: bool,
    pub dead: bool,
    pub drop: bool,
    /// Description for the log, shown after a colon.
    pub text: String,
}

tables_file! { activity_tables, "assets/tables/activity.ron", flaw }

/// A description of what is missing from the tables. `None` if they are complete.
fn flaw(tables: &Tables) -> Option<String> {
    let sizes = AttackSize::ALL.iter().all(|s| tables.sizes.contains_key(s));
    let rows = tables.critical.len() == 8 && tables.critical.values().all(|r| !r.is_empty());
    let fumbles = !tables.fumbles.is_empty() && !tables.spell_fumbles.is_empty();
    let what = "every size, every kind of attack and both kinds of fumbles need rows";
    (!(sizes && rows && fumbles)).then(|| what.into())
}

impl Tables {
    /// The bonus for an attack's size, and the cap on the total (AC-30).
    pub fn size(&self, size: AttackSize) -> (i32, i32) {
        self.sizes[&size]
    }

    /// The effects of a total (AC-31). `None` below 1, which is a miss.
    pub fn critical(&self, attack: AttackType, total: i32) -> Option<&ResultRow> {
        (total >= 1).then(|| row(self.rows(attack), total))
    }

    pub fn rows(&self, attack: AttackType) -> &[ResultRow] {
        &self.critical[&attack]
    }

    /// The effects of a fumble, by a d100.
    pub fn fumble(&self, roll: i32) -> &ResultRow {
        row(&self.fumbles, roll)
    }
}

/// The row for a number; numbers beyond the last row use the last.
pub fn row(rows: &[ResultRow], n: i32) -> &ResultRow {
    let found = rows.iter().find(|row| n <= row.to);
    found.unwrap_or(&rows[rows.len() - 1])
}
