//! Pending attacks: rolled, open to reactions, not yet resolved.

use super::{Id, Item, Modifier, Roll, Rule};
use bevy_ecs::resource::Resource;
use serde::Serialize;

/// One attack, before its dice. A batch of attacks, often of only one, is rolled together, open
/// to reactions together and resolved together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Attack {
    pub by: Id,
    pub at: Id,
    pub with: Item,
    pub ranged: bool,
    /// The rule of the attack: an action (SK-10), an attack of opportunity (SK-06).
    pub rule: Rule,
    /// Modifiers of this occasion: a charge, a snap attack.
    pub extra: Vec<Modifier>,
}

impl Attack {
    /// Attacker, target, weapon, and whether it is a ranged attack.
    pub fn parts(&self) -> (Id, Id, Item, bool) {
        (self.by, self.at, self.with, self.ranged)
    }

    /// An attack without extra modifiers.
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

/// An attack with its roll. Whether it hits is worked out when it is resolved, so that a defense
/// or a fall in between does not have to change it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RolledAttack {
    pub serial: u32,
    pub attack: Attack,
    pub roll: Roll,
    /// The total with which the attack hits as it is rolled; a defense may raise it.
    pub needed: i32,
}

/// The pending attacks. Those of an interrupt come after the ones that it interrupts.
#[derive(Resource, Clone, Default, Debug)]
pub struct PendingAttacks {
    next: u32,
    rolled_attacks: Vec<RolledAttack>,
}

impl PendingAttacks {
    /// The serial number for the next attack.
    pub fn next(&self) -> u32 {
        self.next
    }

    pub fn get(&self, serial: u32) -> Option<&RolledAttack> {
        self.rolled_attacks.iter().find(|s| s.serial == serial)
    }

    pub fn all(&self) -> &[RolledAttack] {
        &self.rolled_attacks
    }

    pub(super) fn launch(&mut self, rolled_attack: RolledAttack) {
        self.next = self.next.max(rolled_attack.serial + 1);
        self.rolled_attacks.push(rolled_attack);
    }

    pub(super) fn clear(&mut self) {
        self.rolled_attacks.clear();
    }

    pub(super) fn reroll(&mut self, serial: u32, roll: &Roll) {
        if let Some(rolled_attack) = self.rolled_attacks.iter_mut().find(|s| s.serial == serial) {
            rolled_attack.roll.clone_from(roll);
        }
    }

    pub(super) fn land(&mut self, serial: u32) {
        self.rolled_attacks.retain(|s| s.serial != serial);
    }
}
