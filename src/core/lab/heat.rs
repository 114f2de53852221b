//! Heat maps: how often something happened in each cell.

use super::tally::join;
use crate::grid::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often something happened in each cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(i16, i16, u64)>", from = "Vec<(i16, i16, u64)>")]
pub struct Heat(BTreeMap<Cell, u64>);

impl Heat {
    pub fn add(&mut self, cell: Cell) {
        *self.0.entry(cell).or_default() += 1;
    }

    pub fn at(&self, cell: Cell) -> u64 {
        self.0.get(&cell).copied().unwrap_or(0)
    }

    pub fn all(&self) -> u64 {
        self.0.values().sum()
    }

    /// The greatest count of any cell.
    pub fn most(&self) -> u64 {
        self.0.values().copied().max().unwrap_or(0)
    }

    pub fn join(&mut self, other: &Self) {
        join(&mut self.0, &other.0);
    }
}

/// As a list of column, row and count.
impl From<Heat> for Vec<(i16, i16, u64)> {
    fn from(heat: Heat) -> Self {
        heat.0.into_iter().map(|(c, n)| (c.x, c.y, n)).collect()
    }
}

impl From<Vec<(i16, i16, u64)>> for Heat {
    fn from(all: Vec<(i16, i16, u64)>) -> Self {
        let cells = all.into_iter().map(|(x, y, n)| (Cell::new(x, y), n));
        Self(cells.collect())
    }
}
