//! Attacks under way: rolled, open to reactions, not yet settled.

use super::{Id, Item, Modifier, Roll, Rule};
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// One attack, before any die. A volley is a list of these, often of one, that
/// are rolled together, answered together and settled together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Attack {
    pub by: Id,
    pub at: Id,
    pub with: Item,
    pub ranged: bool,
    /// Why it happens: an act (SK-10), an attack of opportunity (SK-06).
    pub rule: Rule,
    /// What this occasion adds to the roll: a charge, a snap.
    pub extra: Vec<Modifier>,
}

impl Attack {
    /// Attacker, target, weapon, and whether it is shot or thrown.
    pub fn parts(&self) -> (Id, Id, Item, bool) {
        (self.by, self.at, self.with, self.ranged)
    }

    /// With nothing added to the roll by the occasion.
    pub fn new(by: Id, at: Id, with: Item, ranged: bool, rule: Rule) -> Self {
        let extra = vec![];
        Self {
            by,
            at,
            with,
            ranged,
            rule,
            extra,
        }
    }
}

/// An attack with its die. Whether it hits is derived when it is settled, so
/// that what happens in between (a defense, a fall) needs to edit nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RolledAttack {
    pub serial: u32,
    pub attack: Attack,
    pub roll: Roll,
}

/// The attacks under way; an interrupt's lie on top of those that it interrupts.
#[derive(Resource, Clone, Default, Debug)]
pub struct PendingAttacks {
    next: u32,
    shots: Vec<RolledAttack>,
}

impl PendingAttacks {
    /// The serial number of the next attack.
    pub fn next(&self) -> u32 {
        self.next
    }

    pub fn get(&self, serial: u32) -> Option<&RolledAttack> {
        self.shots.iter().find(|s| s.serial == serial)
    }

    pub fn all(&self) -> &[RolledAttack] {
        &self.shots
    }

    pub(super) fn launch(&mut self, shot: RolledAttack) {
        self.next = self.next.max(shot.serial + 1);
        self.shots.push(shot);
    }

    pub(super) fn clear(&mut self) {
        self.shots.clear();
    }

    pub(super) fn reroll(&mut self, serial: u32, roll: &Roll) {
        if let Some(shot) = self.shots.iter_mut().find(|s| s.serial == serial) {
            shot.roll.clone_from(roll);
        }
    }

    pub(super) fn land(&mut self, serial: u32) {
        self.shots.retain(|s| s.serial != serial);
    }
}
