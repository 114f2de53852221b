//! A cache of the cells in a body's reach (GR-40).

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use super::{Board, Cell, Space};

/// The cells in reach, by space and feet.
#[derive(Debug, Default)]
pub(super) struct Reaches(RwLock<HashMap<(Space, u16), Arc<[Cell]>>>);

/// The maximum number of cached reaches.
const MAX: usize = 1 << 14;

impl Board {
    /// All cells in a reach of `feet` from a body, row by row; see [`in_reach`](Self::in_reach).
    pub fn reach(&self, from: Space, feet: u16) -> Arc<[Cell]> {
        if self.forgets() {
            return self.reach_afresh(from, feet);
        }
        let Reaches(known) = self.reaches();
        let read = known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(cells) = read.get(&(from, feet)) {
            return cells.clone();
        }
        drop(read);
        let cells = self.reach_afresh(from, feet);
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX {
            known.clear();
        }
        known.insert((from, feet), cells.clone());
        cells
    }

    fn reach_afresh(&self, from: Space, feet: u16) -> Arc<[Cell]> {
        let far = (feet / 5).min(Self::MAX_SIDE) as i16;
        let span = |at: i16, size: u16| {
            let last = at.saturating_add(from.side() - 1).saturating_add(far);
            at.saturating_sub(far).max(0)..=last.min(size as i16 - 1)
        };
        let (columns, rows) = (
            span(from.at.x, self.width()),
            span(from.at.y, self.height()),
        );
        let cells = rows.flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)));
        cells
            .filter(|cell| self.in_reach(from, Space::one(*cell), feet))
            .collect()
    }
}
