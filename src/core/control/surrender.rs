//! When an AI surrenders (OP-08).

use super::forecast;
use crate::{
    battle::{Battle, Choice, CurrentLevel, Progress, Replica, surrender},
    levels::Goal,
};

/// Rounds without progress before a side considers surrender. As long as it can hurt an enemy,
/// or an enemy comes nearer, it fights on.
const QUIET: u32 = 3;

/// A win probability of at most this, at the lower end of its interval, counts as lost.
const HOPELESS: f32 = 0.01;

/// A side also counts as lost if an enemy has this many times its hit points: the formula was
/// fitted to battles that start even, and is too optimistic here.
const OUTMATCHED: f32 = 10.0;

/// The surrender of the asked side, by what it knows. `None` if the battle still makes
/// progress, the side has an open objective other than defeating enemies, or it may still win.
pub(super) fn surrenders(battle: &mut Battle, known: &mut Replica) -> Option<Choice> {
    let side = battle.asked()?.side;
    let world = battle.world();
    let progress = world.get_resource::<Progress>()?;
    if progress.idle < QUIET || progress.is_surrendering(side) {
        return None;
    }
    let level = &world.resource::<CurrentLevel>().0;
    let mut open = level.objectives.iter().zip(&progress.lost);
    let is_left = open.any(|(objective, lost)| {
        !lost && side == objective.side.into() && !matches!(objective.goal, Goal::Defeat(_))
    });
    if is_left || !level.surrender {
        return None;
    }
    let rules = battle.rules();
    let world = battle.known(known);
    let hit_points = forecast::hit_points(world, rules);
    let own = hit_points[side.index()];
    let is_outmatched = hit_points.iter().any(|&other| other >= own * OUTMATCHED);
    let chance = forecast::formula_estimate(world, rules, side, &[])?;
    let is_lost = is_outmatched || chance.interval().0 <= HOPELESS;
    is_lost.then(|| surrender(side))
}
