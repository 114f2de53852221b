//! Forecasts of orders under Speed.
//!
//! - `attacks`: attacks, checks, spells and the effects of reactions
//! - `paths`: where a unit can move, and what that costs and provokes

pub(super) mod attacks;
mod paths;

use super::{Speed, query::SpeedQuery};
use crate::{
    battle::{Forecasting, run_system},
    rulesets::common::{about_unit, table},
};

pub(super) static FORECASTING: Forecasting = Forecasting {
    attack: |world, choice| run_system(world, attacks::attack, choice.clone()),
    spread: |world, choice| run_system(world, attacks::spread, choice.clone()),
    odds: table::odds::<Speed>,
    area: |world, choice| run_system(world, attacks::area, choice.clone()),
    warnings: |world, choice| run_system(world, attacks::warnings, choice.clone()),
    changes: |world, choice| run_system(world, attacks::changes, choice.clone()),
    reach: |world, who| run_system(world, paths::reach, who),
    declared_reach: |world, who| run_system(world, paths::declared_reach, who),
    way: paths::way,
    threat: about_unit!(SpeedQuery, SpeedQuery::threat_reach),
    ..Forecasting::NONE
};
