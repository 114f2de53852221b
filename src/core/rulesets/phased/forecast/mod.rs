//! Forecasts: what an order would do, shown before it is given.
//!
//! - `attacks`: attacks, spells, provoked attacks, what reactions change
//! - `paths`: where a unit can move, and what that costs and provokes

pub(super) mod attacks;
mod paths;

use super::Phased;
use crate::battle::{Forecasting, run_system};
use crate::rulesets::common::{areas, ask, table};

pub(super) static FORECASTING: Forecasting = Forecasting {
    attack: |world, choice| ask::<Phased, _, _>(world, attacks::attack, choice.clone()),
    spread: |world, choice| run_system(world, attacks::spread, choice.clone()),
    odds: table::odds::<Phased>,
    area: areas::forecast::<Phased>,
    provoked: |world, choice| run_system(world, attacks::provoked, choice.clone()),
    warnings: |world, choice| run_system(world, attacks::warnings, choice.clone()),
    changes: |world, choice| run_system(world, attacks::changes, choice.clone()),
    is_futile: |world, choice| ask::<Phased, _, _>(world, attacks::is_futile, choice.clone()),
    reach: |world, who| run_system(world, paths::reach, who),
    declared_reach: |world, who| run_system(world, paths::declared_reach, who),
    way: paths::way,
    threat: |_, _| Some(5),
    cover: attacks::cover_between,
    ..Forecasting::NONE
};
