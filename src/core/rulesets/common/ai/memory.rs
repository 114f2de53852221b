//! A cache that lasts from decision to decision: what attacks are worth.

use super::{
    QuickAi, State,
    targets::{AttackOptions, compute_attack_options},
};
use crate::battle::{self, Conditions, Id, Inventory};
use bevy_platform::collections::HashMap;
use std::sync::Arc;

/// Units decide again and again, and few units change in between. The worth of one unit's attacks
/// on another is therefore cached under a snapshot of each: the values it depends on.
#[derive(Default)]
pub struct Memory<T> {
    snapshots: Vec<UnitSnapshots<T>>,
    attack_options: HashMap<[u16; 4], Arc<AttackOptions>>,
    lookups: u32,
    /// The number of the decision that is being made: no snapshot changes in the middle of one.
    decision: u32,
}

/// The snapshots that one unit has had so far, and the index of the current one.
#[derive(Default)]
struct UnitSnapshots<T> {
    known: Vec<UnitSnapshot<T>>,
    now: usize,
    /// The decision for which `now` was found.
    checked: Option<u32>,
}

/// Everything that changes in a battle and that attacks by or on a unit depend on.
struct UnitSnapshot<T> {
    /// Hit points, state, whether it is prone, and what the ruleset adds.
    own: (i32, battle::State, bool, T),
    inventory: Inventory,
    conditions: Conditions,
}

/// Cached snapshots per unit and cached attacks, at most.
const MAX_SNAPSHOTS: usize = 128;
const MAX_ATTACK_OPTIONS: usize = 1 << 14;
/// With debug assertions, one lookup in this many is compared with a fresh result. Comparing every
/// lookup would make the cache useless.
const CHECKED_EVERY: u32 = 64;

impl<T: Default + PartialEq> Memory<T> {
    /// Begins another decision: units may have changed since the last one.
    pub(super) fn begin(&mut self) {
        self.decision = self.decision.wrapping_add(1);
    }

    /// The attacks of `by` on `at`, computed if they are not cached.
    pub(super) fn attack_options<R: QuickAi<Traits = T>>(
        &mut self,
        state: &State<R>,
        by: Id,
        at: Id,
    ) -> Arc<AttackOptions> {
        let fresh = || compute_attack_options::<R>(state, by, at);
        let mine = self.snapshot_index::<R>(state, by);
        let Some((mine, theirs)) = mine.zip(self.snapshot_index::<R>(state, at)) else {
            return Arc::new(fresh());
        };
        if self.attack_options.len() >= MAX_ATTACK_OPTIONS {
            self.attack_options.clear();
        }
        let known = self.attack_options.entry([by.0, mine, at.0, theirs]);
        let options = known.or_insert_with(|| Arc::new(fresh()));
        self.lookups = self.lookups.wrapping_add(1);
        debug_assert!(
            !self.lookups.is_multiple_of(CHECKED_EVERY) || **options == fresh(),
            "a trait of {by:?} or {at:?} is missing from `UnitSnapshot`"
        );
        options.clone()
    }

    /// The index of a unit's current snapshot. `None` if its attacks depend on more than it holds.
    fn snapshot_index<R: QuickAi<Traits = T>>(&mut self, state: &State<R>, id: Id) -> Option<u16> {
        let known = self.snapshots.get(id.index());
        if let Some(unit) = known.filter(|unit| unit.checked == Some(self.decision)) {
            return Some(unit.now as u16);
        }
        let view = R::view(state);
        let body = view.body(id);
        let own = (body.hp, body.state, body.prone, R::traits(state, id)?);
        if self.snapshots.len() <= id.index() {
            self.snapshots
                .resize_with(id.index() + 1, UnitSnapshots::default);
        }
        let unit = &mut self.snapshots[id.index()];
        unit.checked = Some(self.decision);
        let is_current = |snapshot: &UnitSnapshot<T>| {
            snapshot.own == own
                && snapshot.inventory == *view.inventory(id)
                && snapshot.conditions.0 == view.conditions(id)
        };
        if !unit.known.get(unit.now).is_some_and(is_current) {
            let found = unit.known.iter().position(is_current);
            unit.now = found.unwrap_or(unit.known.len());
        }
        if unit.now >= MAX_SNAPSHOTS {
            unit.known.clear();
            unit.now = 0;
            self.attack_options
                .retain(|of, _| of[0] != id.0 && of[2] != id.0);
        }
        if unit.now == unit.known.len() {
            unit.known.push(UnitSnapshot {
                own,
                inventory: view.inventory(id).clone(),
                conditions: Conditions(view.conditions(id).to_vec()),
            });
        }
        Some(unit.now as u16)
    }
}
