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
//! - `aftermath`, `wounds`, `rout`: morale, falling and bleeding, running away
//! - `state`, `events`: what is kept of each combatant, and what changes it
//! - `ai`: the AI's view of its offers
//! - `probes`: what scenarios and tools may ask of each combatant
//! - `se`: read access to all of it

pub mod acts;
mod aftermath;
mod ai;
mod attacks;
pub mod content;
pub mod declare;
pub mod events;
pub mod numbers;
pub mod odds;
mod probes;
mod profile;
pub mod reactions;
mod round;
mod rout;
pub mod se;
mod segment;
pub mod spells;
pub mod state;
mod stride;
mod surprise;
mod wounds;

pub use segment::END_TURN;

use super::common::{self, combat_system, paths::check_path};
use crate::rulesets::segments::content::SegmentsStats;
use crate::{
    battle::{
        Action, Attack, Id, PASS, Roster, Ruleset, copy_component, copy_resource, run_system,
    },
    grid::Range,
};
use bevy::ecs::{system::In, world::World};
use se::Se;
use state::{Blow, Clock, Fighter};
use std::sync::Arc;

pub static RULESET: Ruleset = Ruleset {
    id: "Segments",
    book: "SE",
    defense: "AC",
    sections: content::SECTIONS,
    kinds: &[],
    codex: (
        "assets/codex/segments.ron",
        include_str!("../../../assets/codex/segments.ron"),
    ),
    hit_points: |c| c.section::<SegmentsStats>().hp,
    install,
    first: || Box::new(surprise::Begin),
    policy: common::ai::policy::<Segments>,
    path: check_path::<Segments>,
    copy,
    verbs,
    chances: false,
    range,
    chance,
    profile: |world, id, at| run_system(world, profile::figures, (id, at)),
    thing: profile::thing,
    probes: &probes::GAUGES,
};

combat_system! {
    /// Segments, as the shared mechanisms see it.
    Segments, Se, SegmentsStats
}

fn verbs() -> Vec<&'static Action> {
    let declared = declare::VERBS.iter().copied();
    let acts = acts::ACTS.iter().flat_map(|act| act.verbs).copied();
    let others = [
        &acts::DONE,
        &END_TURN,
        &spells::AIM,
        &spells::AIM_PLACE,
        &spells::LET_GO,
        &reactions::AT_BACK,
        &reactions::MEET,
        &PASS,
    ];
    declared.chain(acts).chain(others).collect()
}

/// A round's move.
fn range(world: &mut World, id: Id) -> Arc<Range> {
    fn look(In(id): In<Id>, se: Se) -> Arc<Range> {
        se.range(id, se.speed(id))
    }
    crate::battle::run_system(world, look, id)
}

/// The chance that an attack hits whose die is about to be rolled.
fn chance(world: &mut World, attack: &Attack) -> Option<f32> {
    fn look(In(attack): In<Attack>, se: Se) -> Option<f32> {
        let blow = Blow { attack, times: 1 };
        // What flies astray is rolled for without ado (SE-53).
        let forecast = se.forecast(&blow);
        let forecast = forecast.unwrap_or_else(|_| se.plain_forecast(&blow));
        Some(forecast.faces() as f32 / 20.0)
    }
    run_system(world, look, attack.clone())
}

fn install(world: &mut World) {
    let roster = world.resource::<Roster>().clone();
    for &entity in &roster.who {
        world.entity_mut(entity).insert(Fighter::default());
    }
    world.insert_resource(Clock {
        initiative: vec![0; roster.sides.len()],
        ..Clock::default()
    });
}

fn copy(from: &World, to: &mut World) {
    copy_component::<Fighter>(from, to);
    copy_resource::<Clock>(from, to);
}
