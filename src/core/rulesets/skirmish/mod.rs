//! Skirmish: sides take turns; units have Main, Move, Free and Instant actions.
//!
//! In addition to the [files of every ruleset](super):
//!
//! - `turn`: offers of a turn, held turns
//! - `triggers`: when units may react; `reactions`: which units, and how
//! - `surprise`: which units are surprised, and the free round before initiative
//! - `screens`: intercepting attacks on allies
//! - `stance`: holding, swarms, screens and hiding, and the events that change them
//! - `checks`: skill checks, opposed checks, saves; `pending_checks`: their rolls and rerolls
//! - `hands`, `loads`: which item is in which hand; which weapons are loaded
//! - `sight`: which units are seen, and which only heard
//! - `magic`: castings left, and durations
//! - `grapple`, `push`: grapples; moving units by force
//! - `pair`: a weapon in each hand
//! - `awareness`: unaware units, and units that stalk them

pub mod acts;
mod ai;
mod attacks;
pub mod awareness;
pub mod checks;
pub mod clock;
pub mod content;
mod end_checks;
mod events;
mod forecast;
pub mod grapple;
mod hands;
pub mod loads;
pub mod magic;
mod movement;
pub mod numbers;
pub mod odds;
mod pair;
mod pending_checks;
pub mod planning;
mod probes;
mod profile;
mod push;
pub mod query;
mod reactions;
mod round;
mod rout;
mod screens;
mod sight;
mod spells;
pub mod stance;
pub mod state;
mod surprise;
mod triggers;
mod turn;
mod wounds;

pub use pending_checks::REROLL_CHECK;
pub use round::END_TURN;
pub use triggers::{OPPORTUNITY, REROLL};
pub use turn::DONE;

use super::common::{
    act::Acting,
    ask, combat_system,
    table::{RulesetHooks, conceal, concealed, give_each, ruleset},
};
use crate::{
    battle::{Attack, CurrentLevel, Expected, Id, PerCombatant, Side, StepOutcome},
    grid::Range,
};
use bevy_ecs::world::World;
use query::SkirmishQuery;
use state::{Alertness, Clock, Fighter, GrappleState, Stance};
use std::sync::Arc;

ruleset! {
    Skirmish,
    codex: "codex/skirmish.ron",
    keeps: [Fighter, Stance, GrappleState, Alertness] [Clock],
    first: || Box::new(surprise::Begin),
    hit_points: |c| c.section::<content::SkirmishStats>().hp,
    rule_prefix: "SK",
    chances: true,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// The Skirmish ruleset for the shared mechanisms.
    Skirmish, SkirmishQuery, content::SkirmishStats
}

impl Acting for Skirmish {
    type Attack = Attack;
    type When = ();
    type Begun = StepOutcome;
}

impl RulesetHooks for Skirmish {
    /// One Move, whatever the unit has left this round.
    fn range(sk: &SkirmishQuery, id: Id) -> Arc<Range> {
        sk.run_range(id, 1)
    }

    fn expected(sk: &SkirmishQuery, attack: Attack) -> Option<Expected> {
        // Screens are already resolved when an attack rolls (SK-15).
        let forecast = sk.forecast(&attack).ok()?;
        Some(Expected {
            hit: forecast.hit().as_f32(),
            damage: forecast.mean_damage_x200() as f32 / 200.0,
        })
    }

    /// SK-12: a total defense counts against attacks that are already rolled.
    fn needed(sk: &SkirmishQuery, attack: Attack) -> Option<i32> {
        sk.forecast(&attack).ok().map(|forecast| forecast.ac)
    }

    /// SK-03, SK-31: includes enemies on the field whose position the side does not know.
    fn unknown(world: &mut World, side: Side) -> Vec<Id> {
        fn unheard(sk: &SkirmishQuery, side: Side) -> Vec<Id> {
            let hides = |&id: &Id| {
                sk.body(id).side != side
                    && (sk.stance(id).hidden || sk.is_veiled(id) && !sk.is_heard(id, side))
            };
            sk.view.enemies(side).filter(hides).collect()
        }
        let unheard = ask::<Self, _, _>(world, unheard, side);
        concealed(world, side).into_iter().chain(unheard).collect()
    }
}

fn install(world: &mut World) {
    let scene = world.resource::<CurrentLevel>().0.clone();
    let watches: PerCombatant<_> = awareness::watches(&scene).collect();
    world.insert_resource(watches);
    // SK-03: hidden units.
    conceal(world);
    give_each(world, |_| Fighter {
        mains: 1,
        moves: 1,
        ..Fighter::default()
    });
    give_each(world, |combatant| Stance {
        hidden: combatant.hidden,
        ..Stance::default()
    });
    give_each(world, |_| GrappleState::default());
    world.init_resource::<Clock>();
}
