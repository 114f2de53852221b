//! Phased: one-minute rounds in which all units declare, then act in two groups (HIGH and LOW), in
//! the order of the kinds of action.
//!
//! - `round`: the eight steps of a round, surprise, initiative, the end of the round
//! - `declare`: declarations, secret until all units have declared
//! - `fast`: parley, fleeing and charges, before any group
//! - `turns`: a group's turn, one kind of action after the other; ties and simultaneous actions
//! - `acts`: the actions of a unit's own turn
//! - `spells`, `concentration`: casting from the first segment to the last
//! - `work`: complex activities
//! - `routine`, `odds`, `attacks`: attack routines, attack forecasts, and attacks from the die roll
//!   to the damage
//! - `reactions`: free attacks, immediate attacks, immediate spells
//! - `movement`, `rout`: movement and fleeing
//! - `hiding`: units that the enemy has not seen yet
//! - `end_checks`, `wounds`: the end of the battle, morale, falling and dying
//! - `state`, `events`: what is stored, and the events that change it
//! - `ai`: how the quick AI scores its offers
//! - `probes`: values that scenarios and tools can read for each unit
//! - `query`: read access to all of it

pub mod acts;
mod ai;
mod attacks;
pub mod clock;
mod concentration;
pub mod content;
pub mod declare;
mod end_checks;
mod events;
pub mod fast;
mod forecast;
mod hiding;
mod movement;
pub mod numbers;
pub mod odds;
pub mod planning;
mod probes;
mod profile;
pub mod query;
pub mod reactions;
mod round;
mod rout;
pub mod routine;
pub mod spells;
pub mod state;
pub mod turns;
mod work;
mod wounds;

use super::common::{
    act::Acting,
    combat_system,
    declare::Declaring,
    table::{RulesetHooks, conceal, give_each, ruleset},
};
use crate::rulesets::phased::content::PhasedStats;
use crate::{
    battle::{Attack, Expected, Id, Side, Step},
    content::Registered,
    grid::Range,
};
use bevy_ecs::world::World;
use query::PhasedQuery;
use state::{Clock, Fighter, PhasePart};
use std::sync::Arc;

ruleset! {
    Phased,
    codex: "codex/phased.ron",
    keeps: [Fighter] [Clock],
    rule_prefix: "PH",
    defense: "AC",
    kinds: &[shipped!("assets/content/phased.ron")],
    tables: Some(numbers::FILE),
    level: &[Registered::new::<content::Restricted>()],
    round_seconds: 60,
    hit_points: |c| c.section::<PhasedStats>().hp,
    hit_points_field: "hp",
    hit_points_name: "HP",
    initiative: true,
    surprises_all: false,
    first: || Box::new(round::Begin),
    chances: false,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// The Phased ruleset as a combat system.
    Phased, PhasedQuery, PhasedStats
}

impl Acting for Phased {
    type Attack = routine::Routine;
    type When = acts::When;
    type Begun = acts::Begun;
}

impl RulesetHooks for Phased {
    /// Cells that the unit can reach with one major move, even if its action is spent.
    fn range(ph: &PhasedQuery, id: Id) -> Arc<Range> {
        ph.range(id, ph.rate(id))
    }

    fn expected(ph: &PhasedQuery, attack: Attack) -> Option<Expected> {
        let forecast = ph.forecast(&ph.spec_of(attack)).ok()?;
        let odds = forecast.hit();
        Some(Expected {
            hit: odds.favourable as f32 / odds.of.max(1) as f32,
            damage: forecast.mean_damage_x200() as f32 / 200.0,
        })
    }

    /// Lets a side declare again while declarations are still secret; `None` once they are public.
    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        let declaring = world.resource::<Clock>().part == PhasePart::Declare;
        declaring.then(|| Box::new(Declaring::<Self>::of(side)) as Box<dyn Step>)
    }
}

fn install(world: &mut World) {
    // PH-06: a hidden unit is unknown to the other sides.
    conceal(world);
    give_each(world, |combatant| Fighter {
        hidden: combatant.hidden,
        ..Fighter::default()
    });
    world.init_resource::<Clock>();
}
