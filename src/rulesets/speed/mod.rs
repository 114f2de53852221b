//! Speed: everybody declares; acts come in the order of a count that runs up
//! from low to high; Stress is spent before Wound Points.
//!
//! - `opening`, `round`, `turn`, `upkeep`: the course of the battle
//! - `acts`: what may be declared, and how it is carried out
//! - `declared`: the verbs of declarations, and what is kept of them
//! - `reactions`: ripostes
//! - `attacks`, `wounds`, `injury`: attacks from die to wound and beyond
//! - `odds`, `checks`: what an attack, a check would be
//! - `morale`, `rout`, `aftermath`: who still fights, and for how long
//! - `state`, `events`: what is kept of each combatant, the events that change it
//! - `numbers`: what is decided by data
//! - `ai`: the AI's view of its offers
//! - `sp`: read access to all of it

pub mod acts;
mod aftermath;
mod ai;
mod attacks;
pub mod checks;
pub mod content;
pub mod declared;
pub mod events;
pub mod injury;
mod morale;
pub mod numbers;
pub mod odds;
mod opening;
mod probes;
mod profile;
pub mod reactions;
mod round;
mod rout;
pub mod sp;
pub mod state;
mod turn;
mod upkeep;
pub mod wounds;

pub use reactions::RIPOSTE;
pub use round::count_of;
pub use turn::DONE;

use super::common::{self, combat_system, paths::check_path};
use crate::rulesets::speed::content::SpeedStats;
use crate::{
    battle::{
        Action, Attack, Body, CreatureRef, Id, LevelRes, PASS, Roster, Ruleset, copy_component,
        copy_resource, run_system,
    },
    grid::Range,
};
use bevy::ecs::{system::In, world::World};
use sp::Sp;
use state::{Clock, Fighter};
use std::sync::Arc;

pub static RULESET: Ruleset = Ruleset {
    id: "Speed",
    book: "SP",
    defense: "Defense",
    sections: content::SECTIONS,
    kinds: &[(
        "assets/content/speed.ron",
        include_str!("../../../assets/content/speed.ron"),
    )],
    codex: (
        "assets/codex/speed.ron",
        include_str!("../../../assets/codex/speed.ron"),
    ),
    hit_points: |c| state::most_wounds_of(c.section()),
    install,
    first: || Box::new(opening::Begin),
    policy: common::ai::policy::<Speed>,
    path: check_path::<Speed>,
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
    /// Speed, as the shared mechanisms see it.
    Speed, Sp, SpeedStats
}

fn verbs() -> Vec<&'static Action> {
    let declared = declared::VERBS.iter().copied();
    let done = acts::VERBS.iter().copied();
    let tables = injury::TABLES.iter();
    declared
        .chain(done)
        .chain(tables)
        .chain([&DONE, &RIPOSTE, &PASS])
        .collect()
}

/// The feet that are left of its speed.
fn range(world: &mut World, id: Id) -> Arc<Range> {
    fn look(In(id): In<Id>, sp: Sp) -> Arc<Range> {
        sp.range(id)
    }
    crate::battle::run_system(world, look, id)
}

/// The chance that an attack hits whose die is about to be rolled.
fn chance(world: &mut World, attack: &Attack) -> Option<f32> {
    fn look(In(attack): In<Attack>, sp: Sp) -> Option<f32> {
        let forecast = sp.forecast(&attack).ok()?;
        Some(forecast.faces() as f32 / 20.0)
    }
    run_system(world, look, attack.clone())
}

/// What somebody had lost before the battle is taken from the Stress first, then
/// from the Wound Points.
fn install(world: &mut World) {
    let roster = world.resource::<Roster>().clone();
    let level = world.resource::<LevelRes>().0.clone();
    for (n, &entity) in roster.who.iter().enumerate() {
        let Some(sheet) = world.get::<CreatureRef>(entity) else {
            continue;
        };
        let stats = sheet.creature.section::<SpeedStats>();
        let known = &roster.stock.spells;
        let bottles = stats.draughts.iter();
        let draughts = bottles.filter_map(|d| known.iter().position(|s| s == d));
        let draughts = draughts.map(|n| crate::battle::SpellId(n as u8)).collect();
        let mut fighter = Fighter::new(stats, draughts);
        let lost = level.combatants[n].wounds.max(0);
        let borne = lost.min(fighter.stress);
        fighter.stress -= borne;
        if let Some(mut body) = world.get_mut::<Body>(entity) {
            body.hp = (body.max_hp - (lost - borne)).max(1);
        }
        world.entity_mut(entity).insert(fighter);
    }
    world.insert_resource(Clock::default());
}

fn copy(from: &World, to: &mut World) {
    copy_component::<Fighter>(from, to);
    copy_resource::<Clock>(from, to);
}
