//! Forecasts of orders under Activity.
//!
//! - `attacks`: attacks, spells and declarations
//! - `paths`: where a unit can move, and what that costs and provokes
//! - `plans`: the world as if something were declared

pub(super) mod attacks;
mod paths;
mod plans;

use super::{Activity, declared::READY, query::ActivityQuery};
use crate::battle::{Choice, Forecasting, run_system};
use crate::rulesets::common::{areas, ask};
use bevy_ecs::system::In;
pub use paths::within;
pub use plans::supposing;

pub(super) static FORECASTING: Forecasting = Forecasting {
    attack: attacks::attack_forecast,
    spread: |world, choice| run_system(world, attacks::spread, choice.clone()),
    trades: |world, choice| run_system(world, attacks::trades, choice.clone()),
    odds: attacks::odds,
    area: areas::forecast::<Activity>,
    warnings: |world, choice| run_system(world, warnings, choice.clone()),
    changes: attacks::changes,
    reach: |world, who| run_system(world, paths::reach, who),
    way: paths::way,
    threat: |world, who| ask::<Activity, _, _>(world, |ac, who| ac.threat_reach(who), who),
    first: |world, choice| run_system(world, plans::first, choice.clone()),
    planned: plans::planned,
    ..Forecasting::NONE
};

/// Warns when a unit finishes declaring with enough activity left for another action; what is
/// left can only be used for a final move (AC-10).
fn warnings(In(choice): In<Choice>, ac: ActivityQuery) -> Vec<String> {
    let Some(who) = choice.who.filter(|_| choice.verb == &READY) else {
        return vec![];
    };
    let actor = ac.actor(who);
    let left = actor.capacity - actor.planned();
    let name = ac.view.names().title(who);
    let words = format!("{name} has {left}% of the round left, only for a final move.");
    Vec::from_iter((left >= ac.tables().costs.melee.0 && !ac.is_helpless(who)).then_some(words))
}
