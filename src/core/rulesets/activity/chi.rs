//! Chi speed (AC-25): a maneuver that may fail.

use super::{
    events::ActivityEvent,
    odds::chance_of,
    query::{ActivityQuery, open_ended},
    state::{Lasts, Timed},
};
use crate::{
    battle::{CheckRoll, DiceBox, Id, Modifier, StepOutcome, sum},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// Somebody tries to make itself swift.
    pub struct Quicken { pub who: Id } => quicken
}

/// What is added to the maneuver: resistance and Quickness, mind and body, and
/// what hinders any maneuver (AC-35).
pub fn parts(ac: &ActivityQuery, who: Id) -> Vec<Modifier> {
    let stats = ac.stats(who);
    let own = [
        (stats.resistance, "resistance"),
        (stats.quickness, "Quickness"),
    ];
    let own = Modifier::list("AC-35", own);
    own.chain(ac.hindrances(who)).collect()
}

/// How many of ten thousand such maneuvers succeed.
pub fn chance(ac: &ActivityQuery, who: Id) -> u32 {
    chance_of(sum(&parts(ac, who)), ac.tables().maneuver_target, 0)
}

/// AC-25: who makes it is swift from the next round on, and has to rest in that
/// one. Who does not may try again in the next.
fn quicken(
    In(Quicken { who }): In<Quicken>,
    ac: ActivityQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut roll = open_ended(&mut dice);
    roll.modifiers = parts(&ac, who);
    let against = ac.tables().maneuver_target;
    let made = roll.total() >= against;
    CheckRoll::by(who, "chi speed", roll).tell("AC-35", against, made, &mut outcome);
    if made {
        for what in [Lasts::Swift, Lasts::ChiSpent] {
            let lasting = Timed { what, rounds: 2 };
            outcome.emit("AC-25", ActivityEvent::Lasts { who, lasting });
        }
    }
    outcome
}
