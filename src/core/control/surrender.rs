//! When an AI gives up (OP-08).

use super::forecast;
use crate::{
    battle::{Battle, Choice, LevelRes, Progress, Replica, surrender},
    levels::Goal,
};

/// Rounds in a row in which nothing happens before a side considers it: while it
/// can still hurt an enemy, or an enemy comes nearer, it fights on.
const QUIET: u32 = 3;

/// A side with a chance to win of no more than this, as far as the formula can tell,
/// has lost.
const HOPELESS: f32 = 0.01;

/// Nor can a side win whose enemies have this many times its hit points. The formula was
/// fitted to battles that were even as they began, and is too hopeful here.
const OUTMATCHED: f32 = 10.0;

/// The surrender of the side that is asked, by what it knows; none while the
/// battle goes on somewhere, an objective is left to it, or it may yet win.
pub(super) fn surrenders(battle: &mut Battle, known: &mut Replica) -> Option<Choice> {
    let side = battle.asked()?.side;
    let world = battle.world();
    let progress = world.get_resource::<Progress>()?;
    if progress.idle < QUIET || progress.is_surrendering(side) {
        return None;
    }
    let level = &world.resource::<LevelRes>().0;
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
    let chance = forecast::at_once(world, rules, side, &[])?;
    let is_lost = is_outmatched || chance.interval().0 <= HOPELESS;
    is_lost.then(|| surrender(side))
}
