//! Segments: one-minute rounds of ten six-second segments. A side acts in the segment that the
//! other side's d6 shows, and spells take segments to cast.
//!
//! In addition to the [files of every ruleset](super):
//!
//! - `surprise`: which units are surprised at the start, and for how long
//! - `declare`: secret declarations before initiative
//! - `segment`: which units act in a segment, one by one or simultaneously
//! - `reactions`: attacks on fleeing units, set spears against a charge

pub mod acts;
mod ai;
mod attacks;
pub mod clock;
pub mod content;
pub mod declare;
mod end_checks;
pub mod events;
mod forecast;
mod movement;
pub mod numbers;
pub mod odds;
pub mod planning;
mod probes;
mod profile;
pub mod query;
pub mod reactions;
pub mod round;
mod rout;
mod segment;
pub mod spells;
pub mod state;
mod surprise;
mod wounds;

pub use segment::END_TURN;

use super::common::{
    act::Acting,
    combat_system,
    declare::Declaring,
    table::{RulesetHooks, give_each, ruleset},
};
use crate::rulesets::segments::content::SegmentsStats;
use crate::{
    battle::{Attack, Expected, Id, Roster, Side, Step},
    grid::Range,
};
use bevy_ecs::world::World;
use query::SegmentsQuery;
use state::{AttackSpec, Clock, Fighter};
use std::sync::Arc;

ruleset! {
    Segments,
    codex: "codex/segments.ron",
    keeps: [Fighter] [Clock],
    first: || Box::new(surprise::Begin),
    hit_points: |c| c.section::<SegmentsStats>().hp,
    rule_prefix: "SE",
    round_seconds: 60,
    surprises_all: true,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// The Segments ruleset as a combat system.
    Segments, SegmentsQuery, SegmentsStats
}

impl Acting for Segments {
    type Attack = Vec<AttackSpec>;
    type When = acts::When;
    type Begun = acts::Begun;
}

impl RulesetHooks for Segments {
    /// Cells that the unit can reach with one move.
    fn range(se: &SegmentsQuery, id: Id) -> Arc<Range> {
        se.range(id, se.view.speed(id))
    }

    fn expected(se: &SegmentsQuery, attack: Attack) -> Option<Expected> {
        // A set spear's attack on a charging enemy: double damage (SE-51). A charger's own attack
        // always has an extra modifier.
        let is_met = attack.rule == "SE-51" && attack.extra.is_empty();
        let times = if is_met { 2 } else { 1 };
        let spec = AttackSpec { attack, times };
        // A missile that strays into a melee is rolled even if its new target has no forecast
        // (SE-53).
        let forecast = se.forecast(&spec);
        let forecast = forecast.unwrap_or_else(|_| se.unobstructed_forecast(&spec));
        Some(Expected {
            hit: forecast.outcomes() as f32 / 20.0,
            damage: forecast.mean_damage_x200() as f32 / 200.0,
        })
    }

    /// Lets a side declare again, because declarations are hidden until the unit acts. `None`
    /// during surprise.
    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        let begun = world.resource::<Clock>().round > 0;
        begun.then(|| Box::new(Declaring::<Self>::of(side)) as Box<dyn Step>)
    }
}

fn install(world: &mut World) {
    give_each(world, |_| Fighter::default());
    world.insert_resource(Clock {
        initiative: vec![0; world.resource::<Roster>().sides.len()],
        ..Clock::default()
    });
}
