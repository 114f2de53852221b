//! Forecasts of orders under Speed.
//!
//! - `attacks`: attacks, checks, spells and the effects of reactions
//! - `paths`: where a unit can move, and what that costs and provokes

pub(super) mod attacks;
mod paths;

use super::Speed;
use crate::battle::{Forecasting, run_system};
use crate::rulesets::common::{ask, table};

pub(super) static FORECASTING: Forecasting = Forecasting {
    attack: |world, choice| ask::<Speed, _, _>(world, attacks::attack, choice.clone()),
    spread: |world, choice| run_system(world, attacks::spread, choice.clone()),
    odds: table::odds::<Speed>,
    area: |world, choice| ask::<Speed, _, _>(world, |sp, choice| sp.area(choice), choice.clone()),
    warnings: |world, choice| run_system(world, attacks::warnings, choice.clone()),
    changes: |world, choice| run_system(world, attacks::changes, choice.clone()),
    is_futile: |world, choice| ask::<Speed, _, _>(world, attacks::is_futile, choice.clone()),
    reach: |world, who| run_system(world, paths::reach, who),
    declared_reach: |world, who| ask::<Speed, _, _>(world, paths::ends, who),
    way: paths::way,
    threat: |world, who| ask::<Speed, _, _>(world, |sp, who| sp.threat_reach(who), who),
    ..Forecasting::NONE
};
