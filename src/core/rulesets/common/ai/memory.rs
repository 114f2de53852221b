//! A cache that lasts from decision to decision: what attacks are worth.

use super::{QuickAi, State, targets::Arms};
use crate::battle::{self, Conditions, Id, Inventory, View};
use bevy_platform::collections::HashMap;
use std::sync::Arc;

/// Units decide again and again, and few units change in between. The worth of one unit's attacks
/// on another is therefore cached under the looks of both: the values it depends on.
pub struct Memory<R: QuickAi> {
    looks: Vec<Looks<R::Traits>>,
    arms: HashMap<[u16; 4], Arc<Arms>>,
    lookups: u32,
    /// The number of the decision that is being made: no look changes in the middle of one.
    decision: u32,
}

/// The looks that one unit has had so far, and the index of the current one.
struct Looks<T> {
    known: Vec<UnitLook<T>>,
    now: usize,
    /// The decision for which `now` was found.
    checked: u32,
}

/// Everything that changes in a battle and that attacks by or on a unit depend on.
struct UnitLook<T> {
    hp: i32,
    state: battle::State,
    prone: bool,
    own: T,
    inventory: Inventory,
    conditions: Conditions,
}

/// Cached looks per unit and cached attacks, at most.
const MAX_LOOKS: usize = 128;
const MAX_ARMS: usize = 1 << 14;
/// With debug assertions, one lookup in this many is compared with a fresh result. Comparing every
/// lookup would make the cache useless.
const CHECKED_EVERY: u32 = 64;

impl<T: PartialEq> UnitLook<T> {
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
            looks: vec![],
            arms: HashMap::default(),
            lookups: 0,
            decision: 0,
        }
    }
}

impl<R: QuickAi> Memory<R> {
    /// Begins another decision: units may look different from now on.
    pub(super) fn begin(&mut self) {
        self.decision = self.decision.wrapping_add(1);
    }

    /// The attacks of `by` on `at`, computed by `fresh` if they are not cached.
    pub(super) fn arms(
        &mut self,
        state: &State<R>,
        by: Id,
        at: Id,
        fresh: impl Fn() -> Arms,
    ) -> Arc<Arms> {
        let looks = self.look(state, by).zip(self.look(state, at));
        let Some((mine, theirs)) = looks else {
            return Arc::new(fresh());
        };
        if self.arms.len() >= MAX_ARMS {
            self.arms.clear();
        }
        let known = self.arms.entry([by.0, mine, at.0, theirs]);
        let arms = known.or_insert_with(|| Arc::new(fresh()));
        self.lookups = self.lookups.wrapping_add(1);
        debug_assert!(
            !self.lookups.is_multiple_of(CHECKED_EVERY) || **arms == fresh(),
            "a trait of {by:?} or {at:?} is missing from what their attacks are remembered by"
        );
        arms.clone()
    }

    /// The index of a unit's current look. `None` if its attacks depend on more than a look holds.
    fn look(&mut self, state: &State<R>, id: Id) -> Option<u16> {
        let known = self.looks.get(id.index());
        if let Some(looks) = known.filter(|looks| looks.checked == self.decision) {
            return Some(looks.now as u16);
        }
        let (view, own) = (R::view(state), R::traits(state, id)?);
        if self.looks.len() <= id.index() {
            let none = || Looks {
                known: vec![],
                now: 0,
                checked: self.decision.wrapping_sub(1),
            };
            self.looks.resize_with(id.index() + 1, none);
        }
        let Looks {
            known,
            now,
            checked,
        } = &mut self.looks[id.index()];
        *checked = self.decision;
        let is_of = |look: &UnitLook<R::Traits>| look.is_of(view, id, &own);
        if !known.get(*now).is_some_and(is_of) {
            *now = known.iter().position(is_of).unwrap_or(known.len());
        }
        if *now >= MAX_LOOKS {
            known.clear();
            *now = 0;
            self.arms.retain(|of, _| of[0] != id.0 && of[2] != id.0);
        }
        if *now == known.len() {
            let body = view.body(id);
            known.push(UnitLook {
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
