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
//! - `aftermath`, `wounds`: the end of the battle, morale, falling and dying
//! - `state`, `events`: what is kept, and the events that change it
//! - `ai`: the AI's view of its offers
//! - `probes`: what scenarios and tools may ask of each combatant
//! - `ph`: read access to all of it

pub mod acts;
mod aftermath;
mod ai;
mod attacks;
mod concentration;
pub mod content;
pub mod declare;
mod events;
pub mod fast;
mod hiding;
pub mod numbers;
pub mod odds;
pub mod ph;
mod probes;
mod profile;
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

use super::common::{self, combat_system, paths::check_path};
use crate::rulesets::phased::content::PhasedStats;
use crate::{
    battle::{
        Action, Attack, Body, Id, LevelRes, PASS, Roster, Ruleset, State, copy_component,
        copy_resource, run_system,
    },
    content::Dice,
    grid::Range,
};
use bevy::ecs::{system::In, world::World};
use odds::Blow;
use ph::Ph;
use state::{Clock, Fighter};
use std::sync::Arc;

pub static RULESET: Ruleset = Ruleset {
    id: "Phased",
    book: "PH",
    defense: "AC",
    sections: content::SECTIONS,
    kinds: &[(
        "assets/content/phased.ron",
        include_str!("../../../assets/content/phased.ron"),
    )],
    codex: (
        "assets/codex/phased.ron",
        include_str!("../../../assets/codex/phased.ron"),
    ),
    hit_points: |c| c.section::<PhasedStats>().hp,
    install,
    first: || Box::new(round::Begin),
    policy: common::ai::policy::<Phased>,
    path: check_path::<Phased>,
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
    /// Phased, as the shared mechanisms see it.
    Phased, Ph, PhasedStats
}

fn verbs() -> Vec<&'static Action> {
    let acts = acts::ACTS.iter().flat_map(|act| act.verbs).copied();
    let others = [
        &turns::END_TURN,
        &fast::FLEE,
        &fast::STAND_FAST,
        &reactions::FREE_ATTACK,
        &reactions::IMMEDIATE_ATTACK,
        &reactions::CAST,
        &PASS,
    ];
    acts.chain(declare::VERBS.iter().copied())
        .chain(others)
        .collect()
}

/// One major move, whatever is left of the round.
fn range(world: &mut World, id: Id) -> Arc<Range> {
    fn look(In(id): In<Id>, ph: Ph) -> Arc<Range> {
        ph.range(id, ph.rate(id))
    }
    run_system(world, look, id)
}

/// The chance that an attack hits whose die is about to be rolled.
fn chance(world: &mut World, attack: &Attack) -> Option<f32> {
    fn look(In(attack): In<Attack>, ph: Ph) -> Option<f32> {
        let blow = Blow {
            called: attack.rule == "PH-38",
            dice: Dice::default(),
            times: 1,
            attack,
        };
        let odds = ph.forecast(&blow).ok()?.hit();
        Some(odds.favourable as f32 / odds.of.max(1) as f32)
    }
    run_system(world, look, attack.clone())
}

fn install(world: &mut World) {
    let roster = world.resource::<Roster>().clone();
    let level = world.resource::<LevelRes>().0.clone();
    for (n, &entity) in roster.who.iter().enumerate() {
        let combatant = &level.combatants[n];
        let mut entity = world.entity_mut(entity);
        // Nobody but its own side is told that it is there (PH-06).
        if combatant.hidden
            && let Some(mut body) = entity.get_mut::<Body>()
        {
            body.state = State::Waiting;
        }
        entity.insert(Fighter {
            hidden: combatant.hidden,
            ..Fighter::default()
        });
    }
    world.init_resource::<Clock>();
}

fn copy(from: &World, to: &mut World) {
    copy_component::<Fighter>(from, to);
    copy_resource::<Clock>(from, to);
}
