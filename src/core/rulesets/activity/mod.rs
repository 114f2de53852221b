//! Activity: ten-second rounds of 100% activity.
//!
//! - `opening`: who is caught unaware
//! - `round`: declarations, initiative, counts, what is left over, round's end
//! - `plan`: what a round is declared to be: up to three actions, a parry
//! - `acts`: each act of a round: how it is declared, what it costs, what it may
//!   be done to, how it begins
//! - `declared`, `targets`: the verbs of declarations, and of what comes of them
//! - `turn`: an action's time has come
//! - `charge`, `chi`, `perception`: a run into an attack; chi speed; who
//!   notices the hidden
//! - `stride`: a move, and the attacks that leaving a reach draws
//! - `ready`: melee that waits for somebody to come into reach
//! - `attacks`, `odds`, `wounds`: attacks from die to wound; what one would be
//! - `spells`: casting
//! - `end_checks`, `rout`: the end of the battle, morale, running away
//! - `state`, `events`: what is kept of each combatant, and what changes it
//! - `numbers`: costs, sizes, criticals, fumbles, from `assets/tables`
//! - `ai`: the AI's view of its offers
//! - `probes`: what scenarios and tools may ask of each combatant
//! - `query`: read access to all of it

pub mod acts;
mod ai;
mod attacks;
mod charge;
pub mod chi;
pub mod clock;
pub mod content;
pub mod declared;
mod end_checks;
pub mod events;
pub mod forecast;
pub mod numbers;
pub mod odds;
mod opening;
pub mod perception;
pub mod plan;
pub mod planning;
mod probes;
mod profile;
pub mod query;
mod ready;
mod round;
mod rout;
pub mod spells;
pub mod state;
pub mod stride;
pub mod targets;
mod turn;
mod wounds;

pub use round::STAY;

use super::common::{
    act::Acting,
    combat_system,
    declare::Declaring,
    table::{RulesetHooks, conceal, ruleset, set_up},
};
use crate::rulesets::activity::content::{ActivityArms, ActivityStats};
use crate::{
    battle::{Attack, Expected, Id, Inventory, Item, Side, Step, Tables},
    content::Registered,
    grid::Range,
};
use bevy_ecs::world::World;
use query::ActivityQuery;
use state::{Actor, Clock, Stage};
use std::sync::Arc;

ruleset! {
    Activity,
    codex: "codex/activity.ron",
    keeps: [Actor] [Clock],
    book: "AC",
    defense: "DB",
    kinds: &[],
    tables: Some(Tables {
        field: "activity_tables",
        check: |file, text| numbers::read(file, text).err(),
    }),
    level: &[Registered::new::<content::FineHaste>()],
    round_seconds: 10,
    hit_points: |c| c.section::<ActivityStats>().hits,
    hit_points_field: "hits",
    initiative: true,
    surprises_all: false,
    first: || Box::new(opening::Begin),
    chances: false,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// Activity, as the shared mechanisms see it.
    Activity, ActivityQuery, ActivityStats
}

impl Acting for Activity {
    type Attack = Attack;
    type When = acts::Share;
    type Begun = state::Deed;
}

impl RulesetHooks for Activity {
    /// With what it could still move now: the move whose time has come, or the
    /// rest of the round.
    fn range(ac: &ActivityQuery, id: Id) -> Arc<Range> {
        ac.range(id, share(ac, id), false)
    }

    fn expected(ac: &ActivityQuery, attack: Attack) -> Option<Expected> {
        let forecast = ac.forecast(&attack).ok()?;
        let chances = forecast.chances();
        Some(Expected {
            hit: chances.hit as f32 / 10_000.0,
            damage: chances.hits_by_100 as f32 / 10_000.0,
        })
    }

    /// What somebody has declared shows when its count comes.
    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        let clock = world.resource::<Clock>();
        let to_come = clock.round > 0 && clock.stage != Stage::LeftOver;
        to_come.then(|| Box::new(Declaring::<Self>::of(side)) as Box<dyn Step>)
    }
}

/// Percent of the round for a move that is made now.
fn share(ac: &ActivityQuery, id: Id) -> i32 {
    let actor = ac.actor(id);
    match actor.coming() {
        _ if ac.clock.stage == state::Stage::LeftOver => actor.left_over(),
        Some(planned) if planned.deed == state::Deed::Move => planned.percent,
        Some(_) => 0,
        None if actor.declared => actor.left_over(),
        None => actor.capacity - actor.planned(),
    }
}

/// Power, loaded weapons; who lies in wait.
fn install(world: &mut World) {
    set_up(world, |entity, combatant, roster| {
        let stats = combatant.creature.section::<ActivityStats>();
        let gear = entity.get::<Inventory>().expect("everybody has gear");
        let loads = |item: &Item| roster.stock.weapon(*item).section::<ActivityArms>().reload > 0;
        let loaded = gear.at_hand().filter(loads).collect();
        let actor = Actor::new(stats.power, loaded, combatant.hidden);
        entity.insert(actor);
        conceal(entity, combatant);
    });
    world.init_resource::<Clock>();
}
