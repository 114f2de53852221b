//! Skirmish: sides act in turn; Main, Move, Free and Instant actions.
//!
//! - `round`: initiative, rounds, turns, what is asked on one's turn
//! - `acts`: each act of one's own turn
//! - `stride`, `attacks`: a move and the attacks it draws; attacks from die to wound
//! - `reactions`: who may answer what others do
//! - `surprise`: who is caught unaware, and the free round before initiative
//! - `screens`: who stands in the way of an attack
//! - `stance`: who waits, guards and hides, and the events that change it
//! - `checks`: skill checks, opposed checks, saves; `trials`: their dice, which
//!   may be rolled again
//! - `odds`: what an attack would be, for resolver, tooltip and AI alike
//! - `aftermath`, `wounds`, `rout`: morale, falling and dying, running away
//! - `state`, `events`: what is kept of each combatant, and the events that change it
//! - `hands`, `loads`: what is in which hand; what must be loaded again
//! - `sight`: who is seen, who only heard
//! - `magic`, `spells`: what spells have done to whom; what a casting does at its end
//! - `ai`: the AI's view of its offers
//! - `grapple`, `push`: who holds whom; bodies that are put elsewhere by force
//! - `pair`: a weapon in each hand
//! - `alarm`: those who suspect nothing, and those who stalk them
//! - `probes`: what scenarios and tools may ask of each combatant
//! - `sk`: read access to all of it

pub mod acts;
mod aftermath;
mod ai;
pub mod alarm;
mod attacks;
pub mod checks;
pub mod content;
mod events;
pub mod grapple;
mod hands;
pub mod loads;
pub mod magic;
pub mod numbers;
pub mod odds;
mod pair;
mod probes;
mod profile;
mod push;
mod reactions;
mod round;
mod rout;
mod screens;
mod sight;
pub mod sk;
mod spells;
pub mod stance;
pub mod state;
mod stride;
mod surprise;
mod trials;
mod wounds;

pub use reactions::{OPPORTUNITY, REROLL};
pub use round::{DONE, END_TURN};
pub use trials::REROLL_CHECK;

use super::common::{self, combat_system, paths::check_path};
use crate::{
    battle::{
        Action, Attack, Body, Id, LevelRes, PASS, Roster, Ruleset, State, copy_component,
        copy_resource, run_system,
    },
    grid::Range,
};
use bevy::ecs::{system::In, world::World};
use grapple::Grip;
use loads::Loads;
use magic::Magic;
use sk::Sk;
use stance::Stance;
use state::{Clock, Fighter};
use std::sync::Arc;

pub static RULESET: Ruleset = Ruleset {
    id: "Skirmish",
    book: "SK",
    defense: "AC",
    sections: content::SECTIONS,
    kinds: &[],
    codex: (
        "assets/codex/skirmish.ron",
        include_str!("../../../assets/codex/skirmish.ron"),
    ),
    hit_points: |c| c.section::<content::SkirmishStats>().hp,
    install,
    first: || Box::new(surprise::Begin),
    policy: common::ai::policy::<Skirmish>,
    path: check_path::<Skirmish>,
    copy,
    verbs,
    chances: true,
    range,
    chance,
    profile: |world, id, at| run_system(world, profile::figures, (id, at)),
    thing: profile::thing,
    probes: &probes::GAUGES,
};

combat_system! {
    /// Skirmish, as the shared mechanisms see it.
    Skirmish, Sk, content::SkirmishStats
}

fn verbs() -> Vec<&'static Action> {
    let acts = acts::ACTS.iter().flat_map(|act| act.verbs);
    let others = [
        &DONE,
        &END_TURN,
        &OPPORTUNITY,
        &REROLL,
        &REROLL_CHECK,
        &acts::hold::ACT_NOW,
        &PASS,
    ];
    acts.copied().chain(others).collect()
}

/// One Move, whatever is left of the round.
fn range(world: &mut World, id: Id) -> Arc<Range> {
    fn look(In(id): In<Id>, sk: Sk) -> Arc<Range> {
        sk.run_range(id, 1)
    }
    run_system(world, look, id)
}

/// The chance that an attack hits whose die is about to be rolled.
fn chance(world: &mut World, attack: &Attack) -> Option<f32> {
    fn look(In(attack): In<Attack>, sk: Sk) -> Option<f32> {
        // Screens have been met by then (SK-15).
        Some(sk.forecast(&attack).ok()?.hit().as_f32())
    }
    run_system(world, look, attack.clone())
}

fn install(world: &mut World) {
    let roster = world.resource::<Roster>().clone();
    let scene = world.resource::<LevelRes>().0.clone();
    let watches = alarm::watches(&scene);
    let combatants = roster.who.iter().zip(&scene.combatants);
    for ((&entity, combatant), watch) in combatants.zip(watches) {
        let hidden = combatant.hidden;
        let mut entity = world.entity_mut(entity);
        entity.insert((
            Fighter::new(),
            Stance::new(hidden),
            watch,
            Grip::default(),
            Magic::default(),
            Loads::default(),
        ));
        // Nobody but its own side is told that it is there (SK-03).
        if hidden && let Some(mut body) = entity.get_mut::<Body>() {
            body.state = State::Waiting;
        }
    }
    world.init_resource::<Clock>();
}

fn copy(from: &World, to: &mut World) {
    copy_component::<Fighter>(from, to);
    copy_component::<Stance>(from, to);
    copy_component::<Grip>(from, to);
    copy_component::<alarm::Watch>(from, to);
    copy_component::<Magic>(from, to);
    copy_component::<Loads>(from, to);
    copy_resource::<Clock>(from, to);
}
