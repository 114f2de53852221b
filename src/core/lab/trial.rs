//! Trials: the chance to win that the battle builder and the Road show, from simulated
//! battles.

use super::{interval::wilson, series::Arena, series::Series};
use crate::{battle::Side, control::forecast::outcome};
use std::ops::Range;

/// The result of a trial for the first side.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TrialResult {
    /// Battles won; a battle without a winner counts as half.
    pub won: f64,
    /// Battles fought.
    pub of: u32,
    /// Rounds of all battles together.
    pub rounds: u32,
}

impl TrialResult {
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

/// Runs a trial: one battle of the series for each seed. `fought` is called after each
/// battle with the result so far. `None` if it returns `false`, which stops the trial.
pub fn tried(
    series: &Series,
    seeds: Range<u64>,
    mut fought: impl FnMut(TrialResult) -> bool,
) -> Option<TrialResult> {
    let mut arena = Arena::default();
    let mut all = TrialResult::default();
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
