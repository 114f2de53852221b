//! Caches of movement ranges and of path lengths: listing offers, carrying them out and the AI ask
//! for the same ones in quick succession.

use super::{Id, View, movement::Occupancy};
use crate::grid::{BoardState, Cell, Field, Fields, Provokes, Range, Space, StepRules};
use bevy_ecs::resource::Resource;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// The last ranges of a battle and its path lengths. A range depends only on its [`RangeKey`], and path
/// lengths on the map, so the caches are not part of the battle's state.
#[derive(Resource, Default)]
pub struct Ranges {
    last: Mutex<VecDeque<(RangeKey, Arc<Range>)>>,
    lengths: Mutex<Fields>,
}

/// The number of ranges that are kept: units that act at once all choose before the first of them
/// sets out.
const KEPT: usize = 16;

/// Everything that a range depends on within a level.
#[derive(PartialEq)]
struct RangeKey {
    from: Cell,
    /// Feet of movement.
    budget: u16,
    board_state: BoardState,
    occupancy: Occupancy,
}

impl View<'_, '_> {
    /// The path lengths from every cell to the nearest of these cells; see [`Fields::to`].
    pub fn lengths_to(&self, cells: &[Cell]) -> Field {
        let lengths = self.ranges.lengths.lock();
        let mut lengths = lengths.unwrap_or_else(PoisonError::into_inner);
        lengths.to(&self.board, cells)
    }

    /// The path lengths from every cell to the nearest of these units.
    pub fn lengths_to_any(&self, units: impl IntoIterator<Item = Id>) -> Field {
        let spaces = units.into_iter().map(|id| self.body(id).space());
        let spaces: Vec<Space> = spaces.collect();
        let lengths = self.ranges.lengths.lock();
        let mut lengths = lengths.unwrap_or_else(PoisonError::into_inner);
        lengths.nearest_of(&self.board, spaces)
    }

    /// Where `who` can get from its position with this many feet.
    pub fn range(&self, who: Id, occupancy: Occupancy, budget: u16) -> Arc<Range> {
        let key = RangeKey {
            from: self.body(who).at,
            budget,
            board_state: self.board.state(),
            occupancy,
        };
        let known = self.ranges.last.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = known.iter().position(|(of, _)| *of == key) {
            let found = known.remove(n).expect("it was found there");
            let range = found.1.clone();
            known.push_front(found);
            return range;
        }
        // Enemies too far away to be provoked must not slow the search down.
        let near = key.occupancy.threatened_near(key.from, budget / 5);
        if near.is_some() {
            key.occupancy.threats_by_cell();
        }
        let range = Arc::new(self.walk(who, &key.occupancy, |walk| {
            let provokes = walk.provokes.zip(near);
            let provokes = provokes.map(|(it, within)| Provokes { within, ..it });
            StepRules { provokes, ..*walk }.range(key.from, budget)
        }));
        known.truncate(KEPT - 1);
        known.push_front((key, range.clone()));
        range
    }
}
