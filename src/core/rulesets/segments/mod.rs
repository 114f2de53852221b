//! Segments: one-minute rounds of ten six-second segments; sides act in the
//! segment that the other side's d6 shows, and spells take segments to cast.
//!
//! - `surprise`: who is surprised at the start, and for how long
//! - `round`: rounds, initiative, which segment comes next
//! - `declare`: sealed declarations before initiative
//! - `segment`: who acts in a segment, one by one or all at once
//! - `acts`: each act of one's own segment
//! - `stride`, `attacks`: a move; attacks from die to wound
//! - `spells`: spells that take effect
//! - `reactions`: strikes at those who flee, spears that meet a charge
//! - `odds`: what an attack would be, for resolver, tooltip and AI alike
//! - `end_checks`, `wounds`, `rout`: morale, falling and bleeding, running away
//! - `state`, `events`: what is kept of each combatant, and what changes it
//! - `ai`: the AI's view of its offers
//! - `probes`: what scenarios and tools may ask of each combatant
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
mod stride;
mod surprise;
mod wounds;

pub use segment::END_TURN;

use super::common::{
    act::Acting,
    combat_system,
    declare::Declaring,
    table::{RulesetHooks, ruleset, set_up},
};
use crate::rulesets::segments::content::SegmentsStats;
use crate::{
    battle::{Attack, Expected, Id, Roster, Side, Step},
    grid::Range,
};
use bevy_ecs::world::World;
use query::SegmentsQuery;
use state::{Blow, Clock, Fighter};
use std::sync::Arc;

ruleset! {
    Segments,
    codex: "codex/segments.ron",
    keeps: [Fighter] [Clock],
    book: "SE",
    defense: "AC",
    kinds: &[],
    tables: None,
    level: &[],
    round_seconds: 60,
    hit_points: |c| c.section::<SegmentsStats>().hp,
    hit_points_field: "hp",
    initiative: true,
    surprises_all: true,
    first: || Box::new(surprise::Begin),
    chances: false,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// Segments, as the shared mechanisms see it.
    Segments, SegmentsQuery, SegmentsStats
}

impl Acting for Segments {
    type Attack = Vec<Blow>;
    type When = acts::When;
    type Begun = acts::Begun;
}

impl RulesetHooks for Segments {
    /// A round's move.
    fn range(se: &SegmentsQuery, id: Id) -> Arc<Range> {
        se.range(id, se.speed(id))
    }

    fn expected(se: &SegmentsQuery, attack: Attack) -> Option<Expected> {
        // Into a charge for double damage (SE-51).
        let is_met = attack.rule == "SE-51" && attack.extra.is_empty();
        let times = if is_met { 2 } else { 1 };
        let blow = Blow { attack, times };
        // What flies astray is rolled for without ado (SE-53).
        let forecast = se.forecast(&blow);
        let forecast = forecast.unwrap_or_else(|_| se.plain_forecast(&blow));
        Some(Expected {
            hit: forecast.faces() as f32 / 20.0,
            damage: forecast.expected_by_200() as f32 / 200.0,
        })
    }

    /// What somebody has declared shows when they act.
    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        let begun = world.resource::<Clock>().round > 0;
        begun.then(|| Box::new(Declaring::<Self>::of(side)) as Box<dyn Step>)
    }
}

fn install(world: &mut World) {
    set_up(world, |entity, _, _| {
        entity.insert(Fighter::default());
    });
    world.insert_resource(Clock {
        initiative: vec![0; world.resource::<Roster>().sides.len()],
        ..Clock::default()
    });
}
