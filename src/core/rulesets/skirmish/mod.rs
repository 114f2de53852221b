//! Skirmish: sides act in turn; Main, Move, Free and Instant actions.
//!
//! - `round`: initiative, rounds, turns; `turn`: what is asked on one's turn
//! - `acts`: each act of one's own turn
//! - `stride`, `attacks`: a move and the attacks it draws; attacks from die to wound
//! - `triggers`: when others may react; `reactions`: who may answer, and how
//! - `surprise`: who is caught unaware, and the free round before initiative
//! - `screens`: who stands in the way of an attack
//! - `stance`: who waits, guards and hides, and the events that change it
//! - `checks`: skill checks, opposed checks, saves; `trials`: their dice, which
//!   may be rolled again
//! - `odds`: what an attack would be, for resolver, tooltip and AI alike
//! - `end_checks`, `wounds`, `rout`: morale, falling and dying, running away
//! - `state`, `events`: what is kept of each combatant, and the events that change it
//! - `hands`, `loads`: what is in which hand; what must be loaded again
//! - `sight`: who is seen, who only heard
//! - `magic`, `spells`: what spells lie on each; what a casting does at its end
//! - `ai`: the AI's view of its offers
//! - `grapple`, `push`: who holds whom; bodies that are put elsewhere by force
//! - `pair`: a weapon in each hand
//! - `awareness`: those who suspect nothing, and those who stalk them
//! - `probes`: what scenarios and tools may ask of each combatant
//! - `query`: read access to all of it

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
pub mod numbers;
pub mod odds;
mod pair;
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
mod stride;
mod surprise;
mod trials;
mod triggers;
mod turn;
mod wounds;

pub use round::END_TURN;
pub use trials::REROLL_CHECK;
pub use triggers::{OPPORTUNITY, REROLL};
pub use turn::DONE;

use super::common::{
    act::Acting,
    combat_system,
    table::{RulesetHooks, conceal, concealed, ruleset, set_up},
};
use crate::{
    battle::{Attack, Expected, Id, LevelRes, Side, StepOutcome, run_system},
    grid::Range,
};
use bevy_ecs::{system::In, world::World};
use query::SkirmishQuery;
use state::{Clock, Fighter, Grip, Loads, Magic, Stance, Watch};
use std::sync::Arc;

ruleset! {
    Skirmish,
    codex: "codex/skirmish.ron",
    keeps: [Fighter, Stance, Grip, Watch, Magic, Loads] [Clock],
    book: "SK",
    defense: "AC",
    kinds: &[],
    tables: None,
    level: &[],
    round_seconds: 6,
    hit_points: |c| c.section::<content::SkirmishStats>().hp,
    hit_points_field: "hp",
    initiative: true,
    surprises_all: false,
    first: || Box::new(surprise::Begin),
    chances: true,
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// Skirmish, as the shared mechanisms see it.
    Skirmish, SkirmishQuery, content::SkirmishStats
}

impl Acting for Skirmish {
    type Attack = Attack;
    type When = ();
    type Begun = StepOutcome;
}

impl RulesetHooks for Skirmish {
    /// One Move, whatever is left of the round.
    fn range(sk: &SkirmishQuery, id: Id) -> Arc<Range> {
        sk.run_range(id, 1)
    }

    fn expected(sk: &SkirmishQuery, attack: Attack) -> Option<Expected> {
        // Screens have been met by then (SK-15).
        let forecast = sk.forecast(&attack).ok()?;
        Some(Expected {
            hit: forecast.hit().as_f32(),
            damage: forecast.expected_by_200() as f32 / 200.0,
        })
    }

    /// SK-03, SK-31: with the enemies on the field whose place the side does not know.
    fn unknown(world: &mut World, side: Side) -> Vec<Id> {
        fn unheard(In(side): In<Side>, sk: SkirmishQuery) -> Vec<Id> {
            let hides = |&id: &Id| {
                sk.body(id).side != side
                    && (sk.stance(id).hidden || sk.is_veiled(id) && !sk.is_heard(id, side))
            };
            sk.view.foes(side).filter(hides).collect()
        }
        let unheard = run_system(world, unheard, side);
        concealed(world, side).into_iter().chain(unheard).collect()
    }
}

fn install(world: &mut World) {
    let scene = world.resource::<LevelRes>().0.clone();
    let mut watches = awareness::watches(&scene);
    set_up(world, |entity, combatant, _| {
        // SK-03.
        conceal(entity, combatant);
        entity.insert((
            Fighter::new(),
            Stance::new(combatant.hidden),
            watches.next().expect("a watch for each"),
            Grip::default(),
            Magic::default(),
            Loads::default(),
        ));
    });
    world.init_resource::<Clock>();
}
