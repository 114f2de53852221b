//! Win probability: immediately by a formula, fitted to battles of the quick AI against itself;
//! more precisely by playouts from a fork of what a side knows.
//!
//! - this file: the formula, and its result for a world
//! - `fit`: the weights, and how well they predict
//! - `advice`: what orders would do to the win probability
//! - `reason`: why they are promising

mod advice;
pub mod fit;
mod reason;

use super::{interval::wilson, strategist::play_rounds};
use crate::{
    battle::{
        Battle, Body, Choice, CreatureRef, CurrentLevel, DiceBox, Id, Progress, Roster, Ruleset,
        Side, State, of_unit,
    },
    levels::Goal,
};
pub use advice::{Advice, OrderAdvice};
use bevy_ecs::world::World;
pub use reason::OrderReason;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::LazyLock};

/// The features of a side: the strength left (by its ruleset's measure), the logarithm of its
/// hit points, its share of all units present, its progress towards its objectives, and the
/// logarithm of its units' levels, each weighted by remaining hit points.
pub const FEATURES: usize = 5;
/// The features of each side, by side.
pub type Position = Vec<[f32; FEATURES]>;

/// The formula of a ruleset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Formula {
    /// The weight of each feature.
    pub weights: [f32; FEATURES],
    /// The weight of hit points in a formula that uses only them, for comparison.
    pub hit_points: f32,
    /// The average error, 0 to 1.
    pub error: f32,
}

/// The formulas by ruleset id; `fivefoot-measure forecast --fit` writes them.
static FORMULAS: LazyLock<BTreeMap<String, Formula>> = LazyLock::new(|| {
    let text = include_str!("../../../../assets/forecast.json");
    read(text).expect("the shipped forecast is sound")
});

/// Reads formulas from a file, by ruleset id.
pub fn read(text: &str) -> serde_json::Result<BTreeMap<String, Formula>> {
    serde_json::from_str(text)
}

/// The formula of a ruleset. `None` for the demonstration, which has none.
pub fn formula(rules: &Ruleset) -> Option<&'static Formula> {
    FORMULAS.get(rules.id)
}

/// The features of each side in a world.
pub fn position(world: &mut World, rules: &Ruleset) -> Position {
    position_without(world, rules, 0)
}

/// Hit points of each side's units that are up or still to enter, plus 1.
pub fn hit_points(world: &mut World, rules: &Ruleset) -> Vec<f32> {
    let all = position(world, rules);
    all.iter().map(|of| of[1].exp()).collect()
}

/// The features of each side, ignoring the units in a bit set.
fn position_without(world: &mut World, rules: &Ruleset, without: u64) -> Position {
    let shares = (rules.strength)(world, without);
    features(world, &shares, without)
}

/// The features of each side, given the share of strength that each has left.
fn features(world: &World, shares: &[f32], without: u64) -> Position {
    let roster = world.resource::<Roster>();
    let (mut points, mut unit_counts) = (vec![0; shares.len()], vec![0; shares.len()]);
    let mut levels = vec![0.0_f32; shares.len()];
    for id in roster.ids().filter(|id| without & id.bit() == 0) {
        let body = of_unit::<Body>(world, id);
        if matches!(body.state, State::Up | State::Waiting) {
            let (side, hp) = (body.side.index(), body.hp.max(1));
            points[side] += hp;
            unit_counts[side] += 1;
            let level = of_unit::<CreatureRef>(world, id).creature.rank();
            levels[side] += (0.5 + level as f32) * hp as f32 / body.max_hp.max(1) as f32;
        }
    }
    let all: i32 = unit_counts.iter().sum();
    let of = |n: usize| {
        [
            shares[n],
            (1.0 + points[n] as f32).ln(),
            unit_counts[n] as f32 / all.max(1) as f32,
            nearness(world, Side(n as u8)),
            (0.5 + levels[n]).ln(),
        ]
    };
    (0..shares.len()).map(of).collect()
}

/// A side's progress towards the nearest of its objectives about rounds or places, 0 to 1.
fn nearness(world: &World, side: Side) -> f32 {
    let progress = world.resource::<Progress>();
    let level = &world.resource::<CurrentLevel>().0;
    let all = level.objectives.iter().enumerate();
    let own = all.filter(|&(n, o)| Side::from(o.side) == side && !progress.lost[n]);
    let near = own.map(|(n, objective)| match &objective.goal {
        Goal::Survive { rounds } => progress.rounds as f32 / *rounds as f32,
        Goal::Capture { rounds, .. } => progress.held[n] as f32 / *rounds as f32,
        Goal::Reach { count, .. } => progress.reached[n].count_ones() as f32 / *count as f32,
        Goal::Defeat(_) | Goal::Protect(_) => 0.0,
    });
    near.fold(0.0, f32::max).min(1.0)
}

impl Formula {
    /// The win probability of each side.
    pub fn chances(&self, position: &Position) -> Vec<f32> {
        chances(&self.weights, position)
    }
}

fn chances(weights: &[f32; FEATURES], position: &Position) -> Vec<f32> {
    let score = |of: &[f32; FEATURES]| -> f32 { of.iter().zip(weights).map(|(a, b)| a * b).sum() };
    let scores: Vec<f32> = position.iter().map(score).collect();
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f32 = odds.iter().sum();
    odds.into_iter().map(|one| one / all).collect()
}

/// The win probability of a side, and how certain it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chance {
    /// From 0 to 1.
    pub value: f32,
    /// How many playouts the estimate counts as.
    pub worth: u32,
    /// Playouts that were run for it; 0 for the formula.
    pub playouts: u32,
}

impl Chance {
    /// Wilson's 95% confidence interval: two shares from 0 to 1 with the value between them.
    pub fn interval(self) -> (f32, f32) {
        let hits = f64::from(self.value) * f64::from(self.worth);
        let (low, high) = wilson(hits, self.worth as usize);
        (low as f32, high as f32)
    }

    /// Whether the interval is narrow enough to show the value as final.
    pub fn is_settled(self) -> bool {
        let (low, high) = self.interval();
        high - low <= SETTLED
    }

    /// The log odds of the chance; below 1% or above 99% it counts as 1% or 99%.
    pub fn log_odds(self) -> f32 {
        log_odds(self.value)
    }

    /// The chance with this much added to its log odds, to correct a known error of the
    /// formula.
    pub fn corrected(self, by: f32) -> Self {
        if by == 0.0 {
            return self;
        }
        Self {
            value: logistic(self.log_odds() + by),
            ..self
        }
    }
}

/// The result of a finished battle for a side: 1 for the winner, 0 for the others, 0.5 if no side
/// wins.
pub fn outcome(won: Option<Side>, side: Side) -> f32 {
    won.map_or(0.5, |winner| f32::from(u8::from(winner == side)))
}

/// The [`outcome`] of each side.
pub fn outcomes(won: Option<Side>, sides: usize) -> Vec<f32> {
    let of = |n: usize| outcome(won, Side(n as u8));
    (0..sides).map(of).collect()
}

/// The log odds of a chance; below 1% or above 99% it counts as 1% or 99%.
pub fn log_odds(chance: f32) -> f32 {
    let value = chance.clamp(0.01, 0.99);
    (value / (1.0 - value)).ln()
}

/// The chance with these log odds: the logistic function.
pub fn logistic(log_odds: f32) -> f32 {
    let odds = log_odds.exp();
    odds / (1.0 + odds)
}

/// The formula's estimate for a side, ignoring units that the side does not know of. `None` if
/// the ruleset has no formula.
pub fn formula_estimate(
    world: &mut World,
    rules: &Ruleset,
    side: Side,
    unknown: &[Id],
) -> Option<Chance> {
    let formula = formula(rules)?;
    let without = unknown.iter().fold(0, |set, id| set | id.bit());
    let value = formula.chances(&position_without(world, rules, without))[side.index()];
    Some(Chance {
        value,
        worth: WORTH,
        playouts: 0,
    })
}

/// How many playouts the formula's estimate counts as.
const WORTH: u32 = 8;

/// The widest interval of a settled chance, as a share: 8 points to either side.
const SETTLED: f32 = 0.16;

/// Runs playouts until there are `playouts` or `enough` returns true. `play` gives the side's
/// result with the dice of a seed. Equal seeds give equal dice, so that similar states are compared
/// without differences in luck. `first` is the estimate so far, weighted by its worth; playouts that
/// contradict it replace it.
pub fn refine(
    mut play: impl FnMut(u64) -> f32,
    first: Chance,
    playouts: u32,
    seed: u64,
    enough: &dyn Fn() -> bool,
) -> Chance {
    let (mut sum, mut n) = (0.0, 0);
    while n < playouts && !enough() {
        sum += play(seed.wrapping_add(n.into()));
        n += 1;
    }
    let (low, high) = wilson(f64::from(sum), n as usize);
    let is_likely = (low..=high).contains(&f64::from(first.value));
    let weight = if is_likely { first.worth } else { 0 };
    let worth = weight + n;
    Chance {
        value: (sum + weight as f32 * first.value) / worth as f32,
        worth,
        playouts: n,
    }
}

/// The win probability of each side after these orders, with the dice of this seed: the quick
/// AI plays all sides on to the start of the second round from then, and the formula gives the
/// estimate. `read` is called with the battle at that point.
///
/// # Panics
/// If the ruleset has no fitted formula.
pub fn chances_after(
    base: &Battle,
    orders: &[Choice],
    seed: u64,
    read: impl FnOnce(&Battle),
) -> Vec<f32> {
    // Orders that are compared share the dice of each unit.
    let mut battle = base.fork(DiceBox::per_unit(seed));
    for order in orders {
        // An order may not be legal any more if events differ from those expected.
        if battle.check(order).is_err() || battle.answer(order.clone()).is_err() {
            break;
        }
    }
    play_rounds(&mut battle, Side(0));
    let shares = battle.strength();
    let chances = match battle.over() {
        Some(won) => outcomes(won, shares.len()),
        None => {
            let at = features(battle.world(), &shares, 0);
            let formula = formula(battle.rules()).expect("one was fitted");
            formula.chances(&at)
        }
    };
    read(&battle);
    chances
}
