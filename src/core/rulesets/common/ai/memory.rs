//! A cache that lasts from decision to decision: what attacks are worth.

use super::{QuickAi, State, targets::AttackOptions};
use crate::battle::{self, Conditions, Id, Inventory, View};
use bevy_platform::collections::HashMap;
use std::sync::Arc;

/// Units decide again and again, and few units change in between. The worth of one unit's attacks
/// on another is therefore cached under a snapshot of each: the values it depends on.
pub struct Memory<R: QuickAi> {
    snapshots: Vec<UnitSnapshots<R::Traits>>,
    attack_options: HashMap<[u16; 4], Arc<AttackOptions>>,
    lookups: u32,
    /// The number of the decision that is being made: no snapshot changes in the middle of one.
    decision: u32,
}

/// The snapshots that one unit has had so far, and the index of the current one.
struct UnitSnapshots<T> {
    known: Vec<UnitSnapshot<T>>,
    now: usize,
    /// The decision for which `now` was found.
    checked: u32,
}

/// Everything that changes in a battle and that attacks by or on a unit depend on.
struct UnitSnapshot<T> {
    hp: i32,
    state: battle::State,
    prone: bool,
    own: T,
    inventory: Inventory,
    conditions: Conditions,
}

/// Cached snapshots per unit and cached attacks, at most.
const MAX_SNAPSHOTS: usize = 128;
const MAX_ATTACK_OPTIONS: usize = 1 << 14;
/// With debug assertions, one lookup in this many is compared with a fresh result. Comparing every
/// lookup would make the cache useless.
const CHECKED_EVERY: u32 = 64;

impl<T: PartialEq> UnitSnapshot<T> {
    fn is_of(&self, view: &View, id: Id, own: &T) -> bool {
        let body = view.body(id);
        (self.hp, self.state, self.prone) == (body.hp, body.state, body.prone)
            && self.own == *own
            && self.inventory == *view.inventory(id)
            && self.conditions.0 == view.conditions(id)
    }
}

impl<R: QuickAi> Default for Memory<R> {
    fn default() -> Self {
        Self {
            snapshots: vec![],
            attack_options: HashMap::default(),
            lookups: 0,
            decision: 0,
        }
    }
}

impl<R: QuickAi> Memory<R> {
    /// Begins another decision: units may have changed since the last one.
    pub(super) fn begin(&mut self) {
        self.decision = self.decision.wrapping_add(1);
    }

    /// The attacks of `by` on `at`, computed by `fresh` if they are not cached.
    pub(super) fn attack_options(
        &mut self,
        state: &State<R>,
        by: Id,
        at: Id,
        fresh: impl Fn() -> AttackOptions,
    ) -> Arc<AttackOptions> {
        let both = self
            .snapshot_index(state, by)
            .zip(self.snapshot_index(state, at));
        let Some((mine, theirs)) = both else {
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
    fn snapshot_index(&mut self, state: &State<R>, id: Id) -> Option<u16> {
        let known = self.snapshots.get(id.index());
        if let Some(snapshots) = known.filter(|snapshots| snapshots.checked == self.decision) {
            return Some(snapshots.now as u16);
        }
        let (view, own) = (R::view(state), R::traits(state, id)?);
        if self.snapshots.len() <= id.index() {
            let none = || UnitSnapshots {
                known: vec![],
                now: 0,
                checked: self.decision.wrapping_sub(1),
            };
            self.snapshots.resize_with(id.index() + 1, none);
        }
        let UnitSnapshots {
            known,
            now,
            checked,
        } = &mut self.snapshots[id.index()];
        *checked = self.decision;
        let is_of = |snapshot: &UnitSnapshot<R::Traits>| snapshot.is_of(view, id, &own);
        if !known.get(*now).is_some_and(is_of) {
            *now = known.iter().position(is_of).unwrap_or(known.len());
        }
        if *now >= MAX_SNAPSHOTS {
            known.clear();
            *now = 0;
            self.attack_options
                .retain(|of, _| of[0] != id.0 && of[2] != id.0);
        }
        if *now == known.len() {
            let body = view.body(id);
            known.push(UnitSnapshot {
                hp: body.hp,
                state: body.state,
                prone: body.prone,
                own,
                inventory: view.inventory(id).clone(),
                conditions: Conditions(view.conditions(id).to_vec()),
            });
        }
        Some(*now as u16)
    }
}
