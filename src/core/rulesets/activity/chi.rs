//! Chi speed (AC-25): a maneuver that can fail.

use super::{
    events::ActivityEvent,
    odds::chance_of,
    query::{ActivityQuery, maneuver},
    state::{Lasts, Timed},
};
use crate::{
    battle::{DiceBox, Id, Modifier, StepOutcome, sum},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// A unit attempts chi speed.
    pub struct Quicken { pub who: Id } => quicken
}

/// Modifiers of the maneuver: resistance, Quickness and everything that hinders maneuvers
/// (AC-35).
pub fn parts(ac: &ActivityQuery, who: Id) -> Vec<Modifier> {
    let stats = ac.stats(who);
    let own = [
        (stats.resistance, "resistance"),
        (stats.quickness, "Quickness"),
    ];
    let own = Modifier::list("AC-35", own);
    own.chain(ac.hindrances(who)).collect()
}

/// Chance that the maneuver succeeds, out of 10,000.
pub fn chance(ac: &ActivityQuery, who: Id) -> u32 {
    chance_of(sum(&parts(ac, who)), ac.tables().maneuver_target, 0)
}

/// A success gives 200% activity in the next round, but no further attempt in that round. After
/// a failure the unit can try again next round (AC-25).
fn quicken(
    In(Quicken { who }): In<Quicken>,
    ac: ActivityQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let parts = parts(&ac, who);
    if maneuver(who, "chi speed", parts, &mut dice, &mut outcome) {
        for what in [Lasts::Swift, Lasts::ChiSpent] {
            let lasting = Timed { what, rounds: 2 };
            outcome.emit("AC-25", ActivityEvent::Lasts { who, lasting });
        }
    }
    outcome
}
