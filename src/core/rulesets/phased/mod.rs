//! Phased: rounds of a minute, in which everybody declares, and acts in one of
//! two groups, kind of act by kind.
//!
//! - `round`: the eight steps of a round, surprise, initiative, its end
//! - `declare`: who declares what, sealed from the others until all have
//! - `fast`: parleys, flights, charges, before any group
//! - `turns`: a group's turn, kind by kind; ties, and what happens at once
//! - `acts`: each act of one's own turn
//! - `spells`, `concentration`: casting from the first segment to the last
//! - `work`: complex activities
//! - `routine`, `odds`, `attacks`: what attacks there are, what each would be,
//!   and from the die to the wound
//! - `reactions`: free attacks, immediate attacks, immediate spells
//! - `stride`, `rout`: moving, and running away
//! - `hiding`: those whom nobody has seen yet
//! - `end_checks`, `wounds`: the end of the battle, morale, falling and dying
//! - `state`, `events`: what is kept, and the events that change it
//! - `ai`: the AI's view of its offers
//! - `probes`: what scenarios and tools may ask of each combatant
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
mod stride;
pub mod turns;
mod work;
mod wounds;

use super::common::{
    act::Acting,
    combat_system,
    declare::Declaring,
    table::{RulesetHooks, asset, conceal, ruleset, set_up},
};
use crate::rulesets::phased::content::PhasedStats;
use crate::{
    battle::{Attack, Expected, Id, Side, Step, Tables},
    content::Registered,
    grid::Range,
};
use bevy_ecs::world::World;
use query::PhasedQuery;
use state::{Clock, Fighter, Part};
use std::sync::Arc;

ruleset! {
    Phased,
    codex: "codex/phased.ron",
    keeps: [Fighter] [Clock],
    book: "PH",
    defense: "AC",
    kinds: &[asset!("content/phased.ron")],
    tables: Some(Tables {
        field: "phased",
        check: |file, text| numbers::read(file, text).err(),
    }),
    level: &[Registered::new::<content::Restricted>()],
    round_seconds: 60,
    hit_points: |c| c.section::<PhasedStats>().hp,
    hit_points_field: "hp",
    initiative: true,
    surprises_all: false,
    first: || Box::new(round::Begin),
    chances: false,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// Phased, as the shared mechanisms see it.
    Phased, PhasedQuery, PhasedStats
}

impl Acting for Phased {
    type Attack = routine::Routine;
    type When = acts::When;
    type Begun = acts::Begun;
}

impl RulesetHooks for Phased {
    /// One major move, whatever is left of the round.
    fn range(ph: &PhasedQuery, id: Id) -> Arc<Range> {
        ph.range(id, ph.rate(id))
    }

    fn expected(ph: &PhasedQuery, attack: Attack) -> Option<Expected> {
        let forecast = ph.forecast(&ph.blow_of(attack)).ok()?;
        let odds = forecast.hit();
        Some(Expected {
            hit: odds.favourable as f32 / odds.of.max(1) as f32,
            damage: forecast.expected_by_200() as f32 / 200.0,
        })
    }

    /// When all have declared, it is told.
    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        let declaring = world.resource::<Clock>().part == Part::Declare;
        declaring.then(|| Box::new(Declaring::<Self>::of(side)) as Box<dyn Step>)
    }
}

fn install(world: &mut World) {
    set_up(world, |entity, combatant, _| {
        // PH-06.
        conceal(entity, combatant);
        entity.insert(Fighter {
            hidden: combatant.hidden,
            ..Fighter::default()
        });
    });
    world.init_resource::<Clock>();
}
