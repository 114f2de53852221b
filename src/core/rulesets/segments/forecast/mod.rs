//! Forecasts: what an order would do, shown before it is given.
//!
//! - `attacks`: attacks, spells, and the attacks that actions provoke
//! - `paths`: where a unit can move, and what that costs and provokes

pub(super) mod attacks;
mod paths;

use super::{Segments, numbers, query::SegmentsQuery};
use crate::battle::{Forecasting, Id, run_system};
use crate::rulesets::common::{areas, ask, table};
use bevy_ecs::system::In;

pub(super) static FORECASTING: Forecasting = Forecasting {
    attack: |world, choice| ask::<Segments, _, _>(world, attacks::attack, choice.clone()),
    spread: |world, choice| run_system(world, attacks::spread, choice.clone()),
    odds: table::odds::<Segments>,
    area: areas::forecast::<Segments>,
    provoked: |world, choice| run_system(world, attacks::provoked, choice.clone()),
    warnings: |world, choice| run_system(world, attacks::warnings, choice.clone()),
    reach: |world, who| run_system(world, paths::reach, who),
    declared_reach: |world, who| run_system(world, paths::declared_reach, who),
    way: paths::way,
    threat: |world, who| run_system(world, threat, who),
    ..Forecasting::NONE
};

fn threat(In(who): In<Id>, se: SegmentsQuery) -> Option<u16> {
    se.threatens(who).then_some(numbers::NEXT_TO)
}
