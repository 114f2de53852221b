//! Skirmish's forecasts of orders before they are given.
//!
//! - `attacks`: attacks, the attacks that actions provoke, what reactions change
//! - `checks`: checks, saves and everything else that is not a plain attack
//! - `spells`: spells
//! - `paths`: where a unit can move, what that costs and provokes

pub(super) mod attacks;
pub(super) mod checks;
mod paths;
pub(super) mod spells;

use super::{Skirmish, acts::cast};
use crate::battle::Forecasting;
use crate::rulesets::common::{ask, table};

pub(super) static FORECASTING: Forecasting = Forecasting {
    attack: |world, choice| ask::<Skirmish, _, _>(world, attacks::attack_forecast, choice.clone()),
    spread: |world, choice| ask::<Skirmish, _, _>(world, attacks::spread, choice.clone()),
    odds: table::odds::<Skirmish>,
    area: |world, choice| ask::<Skirmish, _, _>(world, cast::cells, choice.clone()),
    provoked: attacks::provoked,
    interrupts: attacks::interrupts,
    warnings: |world, choice| ask::<Skirmish, _, _>(world, attacks::warnings, choice.clone()),
    alerts: |world, choice| ask::<Skirmish, _, _>(world, attacks::alerts, choice.clone()),
    reassures: |world, choice| ask::<Skirmish, _, _>(world, attacks::reassures, choice.clone()),
    changes: attacks::changes,
    forfeits: |world, choice| ask::<Skirmish, _, _>(world, attacks::forfeits, choice.clone()),
    is_futile: attacks::is_futile,
    reach: |world, who| ask::<Skirmish, _, _>(world, paths::reach, who),
    way: paths::way,
    threat: |world, who| ask::<Skirmish, _, _>(world, |sk, who| sk.threat_reach(who), who),
    ..Forecasting::NONE
};
