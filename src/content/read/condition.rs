//! Conditions as they are written.

use super::{Entry, plain_name};
use crate::content::{Condition, Content, Registry};
use crate::ron_read::{Fields, Place, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(super) struct ConditionEntry {
    name: Option<String>,
    half_speed: Option<bool>,
    idle: Option<bool>,
    to_hit: Option<i32>,
    defense: Option<i32>,
    save_ends: Option<bool>,
}

impl Entry for ConditionEntry {
    type Made = Condition;
    const THING: &'static str = "a condition";
    const NEEDS: &'static [&'static [&'static str]] = &[];

    fn read(r: &mut Reader, f: &mut Fields, _: &Content) -> Self {
        Self {
            name: f.optional(r, "name", Reader::filled_text),
            half_speed: f.optional(r, "half_speed", Reader::yes_no),
            idle: f.optional(r, "idle", Reader::yes_no),
            to_hit: f.optional(r, "to_hit", |r, p| r.whole(p, -10..=10)),
            defense: f.optional(r, "defense", |r, p| r.whole(p, -10..=10)),
            save_ends: f.optional(r, "save_ends", Reader::yes_no),
        }
    }

    fn over(self, base: &Self) -> Self {
        Self {
            name: self.name.or_else(|| base.name.clone()),
            half_speed: self.half_speed.or(base.half_speed),
            idle: self.idle.or(base.idle),
            to_hit: self.to_hit.or(base.to_hit),
            defense: self.defense.or(base.defense),
            save_ends: self.save_ends.or(base.save_ends),
        }
    }

    fn make(&self, _: &mut Reader, _: Place, id: &str, _: &Registry) -> Option<Condition> {
        Some(Condition {
            id: id.to_string(),
            name: self.name.clone().unwrap_or_else(|| plain_name(id)),
            half_speed: self.half_speed.unwrap_or(false),
            idle: self.idle.unwrap_or(false),
            to_hit: self.to_hit.unwrap_or(0),
            defense: self.defense.unwrap_or(0),
            save_ends: self.save_ends.unwrap_or(false),
        })
    }

    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
        &mut content.entries.conditions
    }

    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Condition>> {
        &mut content.conditions
    }
}
