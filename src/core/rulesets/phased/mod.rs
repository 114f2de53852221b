//! Phased: one-minute rounds in which all units declare, then act in two groups (HIGH and LOW), in
//! the order of the kinds of action.
//!
//! In addition to the [files of every ruleset](super):
//!
//! - `declare`: declarations, secret until all units have declared
//! - `fast`: parley, fleeing and charges, before any group
//! - `turns`: a group's turn, one kind of action after the other; ties and simultaneous actions
//! - `concentration`: what breaks a casting
//! - `work`: complex activities
//! - `routine`: attack routines
//! - `reactions`: free attacks, immediate attacks, immediate spells
//! - `hiding`: units that the enemy has not seen yet

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
    first: || Box::new(round::Begin),
    hit_points: |c| c.section::<PhasedStats>().hp,
    rule_prefix: "PH",
    kinds: &[shipped!("assets/content/phased.ron")],
    tables: Some(numbers::FILE),
    level: &[Registered::new::<content::Restricted>()],
    round_seconds: 60,
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
        Some(Expected {
            hit: forecast.hit().as_f32(),
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
