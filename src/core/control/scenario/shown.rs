//! Which rules a battle has shown. A scenario must show every rule that it proves.

use super::Claim;
use crate::battle::{Event, EventKind, LogLevel, Names};
use serde_json::Value;
use std::collections::BTreeSet;

/// The ids of the rules shown so far.
#[derive(Default, Debug)]
pub(super) struct Shown(BTreeSet<String>);

impl Shown {
    pub fn has(&self, rule: &str) -> bool {
        self.0.contains(rule)
    }

    pub fn add(&mut self, rule: &str) {
        self.0.insert(rule.to_owned());
    }

    /// Adds the rules of an event: its own, that of its action or attack, and those of its
    /// modifiers. An event without a log line shows nothing.
    pub fn event(&mut self, event: &Event, names: &Names) {
        let line = event.describe(names);
        if line.is_none_or(|line| line.depth == LogLevel::Part) {
            return;
        }
        match &event.what {
            EventKind::Acted { choice } => self.add(choice.verb.rule),
            EventKind::AttackRolled { rolled_attack } => self.add(rolled_attack.attack.rule),
            _ => {}
        }
        self.value(&event.json(names));
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            Value::Object(fields) => {
                // The log does not list modifiers of 0.
                if fields.get("value").and_then(Value::as_i64) == Some(0) {
                    return;
                }
                if let Some(rule) = fields.get("rule").and_then(Value::as_str) {
                    self.add(rule);
                }
                fields.values().for_each(|field| self.value(field));
            }
            _ => {}
        }
    }

    /// Adds the rules that a claim about the grid shows by itself: line of sight, cover and
    /// paths have no events.
    pub fn grid(&mut self, claim: &Claim) {
        let mut show = |rules: &[&str]| rules.iter().for_each(|rule| self.add(rule));
        match claim {
            Claim::Sight(claim) => {
                show(&["GR-01", "GR-13"]);
                if claim.los.is_some() {
                    show(&["GR-10", "GR-11", "GR-12"]);
                }
                if claim.feet.is_some() || claim.reach.is_some() {
                    show(&["GR-40"]);
                }
                if claim.cover.is_some() || claim.corners.is_some() {
                    show(&["GR-20", "GR-20a", "GR-21", "GR-22", "GR-23"]);
                }
            }
            Claim::Path(claim) => {
                if claim.reach.is_some() {
                    show(&["GR-01", "GR-03", "GR-30", "GR-32"]);
                }
                if claim.feet.is_some() {
                    show(&["GR-30", "GR-31", "GR-32"]);
                }
                if claim.by.is_some() || claim.provokes.is_some() {
                    show(&["GR-33"]);
                }
                if claim.provokes.is_some() {
                    show(&["GR-40"]);
                }
            }
            _ => {}
        }
    }
}
