//! Sequential halving: all candidates get a few playouts, the better half of them gets more,
//! and so on. All use the same dice.

use super::{Budget, Candidate, Thought, playout};
use crate::battle::{Battle, Choice};
use rayon::prelude::*;

/// A candidate and its playout results, an arm of the bandit problem. Equal indexes of `values`
/// have equal dice.
struct Arm {
    nth: usize,
    choice: Choice,
    values: Vec<f32>,
}

pub fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

/// The standard error of a mean.
pub fn error(values: &[f32]) -> f32 {
    let mean = mean(values);
    let spread: f32 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    let n = values.len() as f32;
    match n > 1.0 {
        true => (spread / (n - 1.0) / n).sqrt(),
        false => 1.0,
    }
}

/// Rates the candidates of the open decision of `base`, a fork of what a side knows. The first must
/// be the quick AI's choice: it stays first unless another is better by more than the error of their
/// difference. A single candidate needs no playouts.
pub fn rate(base: &Battle, candidates: Vec<Choice>, seed: u64, budget: Budget) -> Thought {
    let arm = |(nth, choice)| Arm {
        nth,
        choice,
        values: vec![],
    };
    let mut arms: Vec<Arm> = candidates.into_iter().enumerate().map(arm).collect();
    let stages = (arms.len() as f32).log2().ceil() as usize;
    let mut left = arms.len();
    for _ in 0..stages {
        let each = (budget.playouts as usize / stages / left).max(1);
        if (budget.enough)() {
            break;
        }
        play(base, &mut arms[..left], each, seed, budget);
        arms[..left].sort_by(|a, b| mean(&b.values).total_cmp(&mean(&a.values)));
        left = left.div_ceil(2).max(2);
        // The quick AI's choice always stays in.
        let quick = place_of_quick(&arms);
        if quick >= left {
            arms[left - 1..=quick].rotate_right(1);
        }
    }
    let quick = place_of_quick(&arms);
    if quick != 0 && !beats(&arms[0], &arms[quick]) {
        arms[..=quick].rotate_right(1);
    }
    let candidate = |arm: Arm| Candidate {
        value: mean(&arm.values),
        error: error(&arm.values),
        playouts: arm.values.len() as u32,
        choice: arm.choice,
    };
    arms.into_iter().map(candidate).collect()
}

/// The place of the quick AI's choice.
fn place_of_quick(arms: &[Arm]) -> usize {
    arms.iter().position(|arm| arm.nth == 0).unwrap_or(0)
}

/// Whether it is better by more than one standard error of the paired difference.
fn beats(arm: &Arm, other: &Arm) -> bool {
    let pairs = arm.values.iter().zip(&other.values);
    let differences: Vec<f32> = pairs.map(|(a, b)| a - b).collect();
    mean(&differences) > error(&differences)
}

/// Adds this many playouts to each candidate.
fn play(base: &Battle, arms: &mut [Arm], times: usize, seed: u64, budget: Budget) {
    let side = base.asked().expect("a question stands").side;
    let job = |arm: &Arm, n: usize| {
        let dice = seed.wrapping_add((arm.values.len() + n) as u64);
        playout::value(base, side, &arm.choice, dice)
    };
    // One row per set of dice, so that stopping early leaves all candidates with equal dice.
    let row = |n: usize| -> Option<Vec<f32>> {
        let go = !(budget.enough)();
        go.then(|| arms.iter().map(|arm| job(arm, n)).collect())
    };
    let rows: Vec<Option<Vec<f32>>> = match budget.parallel {
        true => (0..times).into_par_iter().map(row).collect(),
        false => (0..times).map(row).collect(),
    };
    for row in rows.into_iter().map_while(|row| row) {
        for (arm, value) in arms.iter_mut().zip(row) {
            arm.values.push(value);
        }
    }
}
