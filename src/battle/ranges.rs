//! Where somebody can go, remembered: the offers, what is done with them and
//! those who weigh them up ask for the same range one after the other.

use super::{Id, View, movement::Occupancy};
use crate::grid::{Cell, Lie, Range};
use bevy::ecs::resource::Resource;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// The last ranges of a battle. They depend on nothing but their [`Key`], so
/// this is no part of its state.
#[derive(Resource, Default)]
pub struct Ranges(Mutex<VecDeque<(Key, Arc<Range>)>>);

/// How many are remembered.
const KEPT: usize = 6;

/// All that a range depends on within a level.
#[derive(PartialEq)]
struct Key {
    from: Cell,
    /// Feet.
    budget: u16,
    prone: bool,
    lie: Lie,
    ways: Occupancy,
}

impl View<'_, '_> {
    /// Where this many feet along these ways take `who` from where they stand.
    pub fn range(&self, who: Id, ways: Occupancy, budget: u16) -> Arc<Range> {
        let body = self.body(who);
        let key = Key {
            from: body.at,
            budget,
            prone: body.prone,
            lie: self.board.lie(),
            ways,
        };
        let mut known = self.ranges.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = known.iter().position(|(of, _)| *of == key) {
            let found = known.remove(n).expect("it was found there");
            let range = found.1.clone();
            known.push_front(found);
            return range;
        }
        let range = Arc::new(self.walk(who, &key.ways, |walk| walk.range(key.from, budget)));
        known.truncate(KEPT - 1);
        known.push_front((key, range.clone()));
        range
    }
}
