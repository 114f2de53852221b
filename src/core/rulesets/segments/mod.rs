//! Segments: one-minute rounds of ten six-second segments. A side acts in the segment that the
//! other side's d6 shows, and spells take segments to cast.
//!
//! - `surprise`: which units are surprised at the start, and for how long
//! - `round`: rounds, initiative, the next segment
//! - `declare`: secret declarations before initiative
//! - `segment`: which units act in a segment, one by one or simultaneously
//! - `acts`: the actions of a unit's own segment
//! - `movement`, `attacks`: movement; attacks from the die roll to the damage
//! - `spells`: spells that take effect
//! - `reactions`: attacks on fleeing units, set spears against a charge
//! - `odds`: attack forecasts, for resolution, tooltip and AI alike
//! - `end_checks`, `wounds`, `rout`: morale, falling and bleeding, fleeing
//! - `state`, `events`: what is stored for each unit, and the events that change it
//! - `ai`: how the quick AI scores its offers
//! - `probes`: values that scenarios and tools can read for each unit
//! - `query`: read access to all of it

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
    rule_prefix: "SE",
    defense: "AC",
    kinds: &[],
    tables: None,
    level: &[],
    round_seconds: 60,
    hit_points: |c| c.section::<SegmentsStats>().hp,
    hit_points_field: "hp",
    hit_points_name: "HP",
    initiative: true,
    surprises_all: true,
    first: || Box::new(surprise::Begin),
    chances: false,
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
