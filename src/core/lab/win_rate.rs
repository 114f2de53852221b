//! Win rates: the chance to win that the battle builder and the Road show, from simulated
//! battles.

use super::{interval::wilson, series::Arena, series::Series};
use crate::{battle::Side, control::forecast::outcome};
use std::ops::Range;

/// How often the first side won a series of simulated battles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WinRate {
    /// Battles won; a battle without a winner counts as half.
    pub won: f64,
    /// Battles fought.
    pub of: u32,
    /// Rounds of all battles together.
    pub rounds: u32,
}

impl WinRate {
    /// The share of battles won, 0 to 1.
    pub fn share(self) -> f64 {
        self.won / f64::from(self.of.max(1))
    }

    /// Mean number of rounds of a battle.
    pub fn length(self) -> f64 {
        f64::from(self.rounds) / f64::from(self.of.max(1))
    }

    /// The 95% confidence interval of the share.
    pub fn interval(self) -> (f64, f64) {
        wilson(self.won, self.of as usize)
    }
}

/// Measures a win rate: one battle of the series for each seed. `fought` is called after each
/// battle with the result so far. `None` if it returns `false`, which stops the battles.
pub fn measure(
    series: &Series,
    seeds: Range<u64>,
    mut fought: impl FnMut(WinRate) -> bool,
) -> Option<WinRate> {
    let mut arena = Arena::default();
    let mut all = WinRate::default();
    for seed in seeds {
        let (battle, _) = arena.fight(series, seed, || false)?;
        all.won += f64::from(outcome(battle.over().flatten(), Side(0)));
        all.of += 1;
        all.rounds += battle.rounds();
        if !fought(all) {
            return None;
        }
    }
    Some(all)
}
