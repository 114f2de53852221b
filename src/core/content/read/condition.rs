//! Conditions as written in files.

use super::{Entry, entry, plain_name};
use crate::content::section::{whole, word, yes_no};
use crate::content::{Condition, Content, Registry};
use crate::icons::Icon;
use crate::ron_read::{ByteRange, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

entry! {
    pub(super) struct ConditionEntry: Condition in conditions;
    name: String, super::name;
    half_speed: bool, yes_no;
    idle: bool, yes_no;
    to_hit: i32, whole(-10..=10);
    defense: i32, whole(-10..=10);
    save_ends: bool, yes_no;
    icon: Icon, word("an icon", Icon::WORDS);
}

impl Entry for ConditionEntry {
    const THING: &'static str = "a condition";
    const NEEDS: &'static [&'static [&'static str]] = &[];

    fn make(&self, _: &mut Reader, _: ByteRange, id: &str, _: &Registry) -> Option<Condition> {
        Some(Condition {
            id: id.to_string(),
            name: self.name.clone().unwrap_or_else(|| plain_name(id)),
            half_speed: self.half_speed.unwrap_or(false),
            idle: self.idle.unwrap_or(false),
            to_hit: self.to_hit.unwrap_or(0),
            defense: self.defense.unwrap_or(0),
            save_ends: self.save_ends.unwrap_or(false),
            icon: self.icon,
        })
    }
}
