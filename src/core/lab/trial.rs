//! How often a side wins: the odds that the battle builder and the Road show.

use super::{interval::wilson, series::Arena, series::Series};
use std::ops::Range;

/// Battles won by a side out of all that were fought. A battle without a winner
/// counts as half.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried {
    pub won: f64,
    pub of: u32,
}

impl Tried {
    /// The share, 0 to 1.
    pub fn share(self) -> f64 {
        self.won / f64::from(self.of.max(1))
    }

    /// The 95% interval of the share.
    pub fn interval(self) -> (f64, f64) {
        wilson(self.won, self.of as usize)
    }
}

/// How often the first side of a series wins, with one battle per seed. `fought` is
/// called after each battle with the results so far; if it returns `false`, the trial
/// stops and the result is `None`.
pub fn tried(
    series: &Series,
    seeds: Range<u64>,
    mut fought: impl FnMut(Tried) -> bool,
) -> Option<Tried> {
    let mut arena = Arena::default();
    let mut all = Tried { won: 0.0, of: 0 };
    for seed in seeds {
        let (battle, _) = arena.fight(series, seed, || false)?;
        all.won += match battle.over().flatten() {
            Some(side) => f64::from(u8::from(side.index() == 0)),
            None => 0.5,
        };
        all.of += 1;
        if !fought(all) {
            return None;
        }
    }
    Some(all)
}
