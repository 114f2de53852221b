//! Fits the weights of the formula, and measures how well it predicts, from battles of the
//! quick AI against itself.

use super::{FEATURES, Formula, Position, chances, position};
use crate::{
    battle::{Battle, DiceBox, Progress, Replica, Ruleset, Setup},
    control::{Controllers, Player, play},
};

/// A position at the end of a round, and the result for each side: 1 for the winner; equal
/// shares that add up to 1 if no side won.
#[derive(Clone, Debug)]
pub struct Sample {
    pub position: Position,
    pub won: Vec<f32>,
}

/// A battle is abandoned after this many answers.
const MAX_ANSWERS: usize = 20_000;
/// Steps of the gradient descent.
const STEPS: usize = 600;

/// The positions at the start of a battle and at the end of each round.
pub fn samples(setup: &Setup, rules: &'static Ruleset, sides: usize, seed: u64) -> Vec<Sample> {
    let mut controllers = Controllers::new(&vec![Player::Quick; sides], setup, rules, seed);
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    let mut seen = Replica::new(setup, rules, None);
    let mut positions = vec![position(&mut seen.world, rules)];
    let mut rounds = 0;
    while battle.asked().is_some() && battle.answers().len() < MAX_ANSWERS {
        play(&mut battle, &mut controllers, 1);
        let now = battle.world().resource::<Progress>().rounds;
        if now != rounds && battle.over().is_none() {
            rounds = now;
            seen.catch_up(battle.events());
            positions.push(position(&mut seen.world, rules));
        }
    }
    let winner = battle.over().flatten();
    let share = |n: usize| match winner {
        Some(side) => f32::from(u8::from(side.index() == n)),
        None => 1.0 / sides as f32,
    };
    let won: Vec<f32> = (0..sides).map(share).collect();
    let sample = |position| Sample {
        position,
        won: won.clone(),
    };
    positions.into_iter().map(sample).collect()
}

/// Index of the feature for hit points.
const HIT_POINTS: usize = 1;
/// Index of the feature for progress towards objectives.
const NEARNESS: usize = 3;

/// The formula that predicts these samples best.
pub fn fit(samples: &[Sample]) -> Formula {
    let weights = descend(samples, &[true; FEATURES]);
    let mut only = [false; FEATURES];
    only[HIT_POINTS] = true;
    let mut formula = Formula {
        weights,
        hit_points: descend(samples, &only)[HIT_POINTS],
        error: 0.0,
    };
    formula.error = Calibration::of(samples, |s| formula.chances(&s.position)).gap();
    formula
}

/// Gradient descent on the logarithmic loss, with a step for each weight scaled by the spread
/// of its feature.
fn descend(samples: &[Sample], used: &[bool; FEATURES]) -> [f32; FEATURES] {
    let mut weights = [0.0; FEATURES];
    let all = samples.len().max(1) as f32;
    let mean = |of: &dyn Fn(&Sample) -> f32| samples.iter().map(of).sum::<f32>() / all;
    // The difference between the sides in a feature.
    let apart = |s: &Sample, k: usize| {
        let values = s.position.iter().map(|side| side[k]);
        let most = values.clone().fold(f32::MIN, f32::max);
        most - values.fold(f32::MAX, f32::min)
    };
    let scale = (0..FEATURES).map(|k| mean(&|s| apart(s, k).powi(2)).max(1e-3));
    let scale: Vec<f32> = scale.collect();
    for _ in 0..STEPS {
        let mut slope = [0.0; FEATURES];
        for sample in samples {
            let foretold = chances(&weights, &sample.position);
            for ((side, predicted), won) in sample.position.iter().zip(foretold).zip(&sample.won) {
                for k in 0..FEATURES {
                    slope[k] += (predicted - won) * side[k] / all;
                }
            }
        }
        for k in (0..FEATURES).filter(|&k| used[k]) {
            // Weights decay slightly towards 0, because some levels do not use every feature.
            weights[k] -= 0.7 * (slope[k] + 1e-4 * weights[k]) / scale[k];
            if k == NEARNESS {
                // On some levels, the side closest to its objectives usually loses. Progress
                // must still never lower a side's chance.
                weights[k] = weights[k].max(0.0);
            }
        }
    }
    weights
}

/// How well predicted chances match results, in ten bins.
#[derive(Clone, Debug, Default)]
pub struct Calibration {
    /// The mean squared error: 0 is perfect, 0.25 is as good as a coin.
    pub brier: f32,
    /// For each tenth: the number of samples, the mean prediction and the mean result.
    pub bins: [(u32, f32, f32); 10],
}

impl Calibration {
    /// `predict` predicts the chance of each side; only the first side is measured.
    pub fn of(samples: &[Sample], predict: impl Fn(&Sample) -> Vec<f32>) -> Self {
        let mut found = Self::default();
        for sample in samples {
            let (predicted, won) = (predict(sample)[0], sample.won[0]);
            found.brier += (predicted - won).powi(2) / samples.len() as f32;
            let bin = &mut found.bins[((predicted * 10.0) as usize).min(9)];
            *bin = (bin.0 + 1, bin.1 + predicted, bin.2 + won);
        }
        for bin in found.bins.iter_mut().filter(|bin| bin.0 > 0) {
            (bin.1, bin.2) = (bin.1 / bin.0 as f32, bin.2 / bin.0 as f32);
        }
        found
    }

    /// The calibration of hit points alone.
    pub fn of_hit_points(samples: &[Sample], formula: &Formula) -> Self {
        let mut weights = [0.0; FEATURES];
        weights[HIT_POINTS] = formula.hit_points;
        Self::of(samples, |s| chances(&weights, &s.position))
    }

    /// The root mean square difference between predictions and results over all bins.
    pub fn gap(&self) -> f32 {
        let all: u32 = self.bins.iter().map(|bin| bin.0).sum();
        let off = |bin: &(u32, f32, f32)| bin.0 as f32 * (bin.1 - bin.2).powi(2);
        (self.bins.iter().map(off).sum::<f32>() / all.max(1) as f32).sqrt()
    }
}
