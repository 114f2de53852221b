//! Activity: each unit spends 100% activity in a ten-second round.
//!
//! In addition to the [files of every ruleset](super):
//!
//! - `opening`: surprise at the start of a battle
//! - `plan`: what a unit declares for a round: up to three actions and a parry
//! - `declared`, `targets`: the actions of declarations, and the actions that carry them out
//! - `turn`: a declared action is due
//! - `charge`, `chi`, `perception`: charges, chi speed, noticing hidden units
//! - `ready`: melee attacks that wait for an enemy to come into reach

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
pub mod movement;
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
pub mod targets;
mod turn;
pub mod wounds;

pub use round::STAY;

use super::common::{
    act::Acting,
    combat_system,
    declare::Declaring,
    table::{RulesetHooks, conceal, ruleset},
};
use crate::rulesets::activity::content::{ActivityStats, ActivityWeapon};
use crate::{
    battle::{
        Attack, CurrentLevel, Expected, Id, Inventory, Item, PerCombatant, Roster, Side, Step,
        all_units,
    },
    content::Registered,
    grid::Range,
    levels::Combatant,
};
use bevy_ecs::world::World;
use query::ActivityQuery;
use state::{ActionKind, Actor, Clock, Stage};
use std::sync::Arc;

ruleset! {
    Activity,
    codex: "codex/activity.ron",
    keeps: [Actor] [Clock],
    first: || Box::new(opening::Begin),
    hit_points: |c| c.section::<ActivityStats>().hits,
    rule_prefix: "AC",
    defense: "DB",
    tables: Some(numbers::FILE),
    level: &[Registered::new::<content::FineHaste>()],
    round_seconds: 10,
    hit_points_field: "hits",
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
    type When = acts::ActionRules;
    type Begun = ActionKind;
}

impl RulesetHooks for Activity {
    /// The cells that the unit can reach now, with the move that is due or with the rest of the
    /// round.
    fn range(ac: &ActivityQuery, id: Id) -> Arc<Range> {
        ac.range(id, move_percent(ac, id), false)
    }

    fn expected(ac: &ActivityQuery, attack: Attack) -> Option<Expected> {
        let chances = ac.forecast(&attack).ok()?.chances();
        Some(Expected {
            hit: chances.hit as f32 / 10_000.0,
            damage: chances.mean_hits_by_10k as f32 / 10_000.0,
        })
    }

    /// Declarations stay sealed until their count comes, so a side can declare again until
    /// then.
    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        let clock = world.resource::<Clock>();
        let to_come = clock.round > 0 && clock.stage != Stage::LeftOver;
        to_come.then(|| Box::new(Declaring::<Self>::of(side)) as Box<dyn Step>)
    }
}

/// Percent of the round available for a move now.
fn move_percent(ac: &ActivityQuery, id: Id) -> i32 {
    let actor = ac.actor(id);
    match actor.coming() {
        _ if ac.clock.stage == Stage::LeftOver => actor.left_over(),
        Some(planned) if planned.kind == ActionKind::Move => planned.percent,
        Some(_) => 0,
        None if actor.declared => actor.left_over(),
        None => actor.capacity - actor.planned(),
    }
}

/// Sets power points, loaded weapons and hidden units.
fn install(world: &mut World) {
    let stock = &world.resource::<Roster>().stock;
    let inventory = all_units::<Inventory>(world).iter();
    let actor = |(inventory, combatant): (&Inventory, &Combatant)| {
        let stats = combatant.creature.section::<ActivityStats>();
        let loads = |item: &Item| stock.weapon(*item).section::<ActivityWeapon>().reload > 0;
        let loaded = inventory.at_hand().filter(loads).collect();
        Actor {
            capacity: 100,
            loaded,
            power: stats.power,
            hidden: combatant.hidden,
            ..Actor::default()
        }
    };
    let level = &world.resource::<CurrentLevel>().0;
    let actors: PerCombatant<Actor> = inventory.zip(&level.combatants).map(actor).collect();
    world.insert_resource(actors);
    conceal(world);
    world.init_resource::<Clock>();
}
