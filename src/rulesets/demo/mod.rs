//! A demonstration: the smallest combat system that is one. Everybody chooses in
//! secret what to do; then all move at once, then all strike at once. Players
//! are not offered it, but it can be played by its name, and the engine is
//! tested by it. `docs/add-a-ruleset.md` walks through it.

mod acts;
mod ai;
mod attacks;
pub mod content;
mod round;
mod state;

use super::common::{self, CombatSystem, paths::check_path};
use crate::{
    battle::{Attack, Id, Roster, Ruleset, View, copy_component, run_system},
    grid::Range,
};
use bevy::ecs::{system::In, world::World};
use state::{De, Guard};
use std::sync::Arc;

pub static RULESET: Ruleset = Ruleset {
    id: "Demo",
    book: "DE",
    defense: "defense",
    sections: content::SECTIONS,
    kinds: &[],
    codex: (
        "assets/codex/demo.ron",
        include_str!("../../../assets/codex/demo.ron"),
    ),
    hit_points: |c| c.section::<content::DemoStats>().vigour,
    install,
    first: || Box::new(round::RoundStart),
    policy: common::ai::policy::<Demo>,
    path: check_path::<Demo>,
    copy: copy_component::<Guard>,
    verbs: || acts::VERBS.to_vec(),
    chances: false,
    range,
    chance,
    profile: |_, _, _| vec![],
    thing: |_| vec![],
    probes: &[],
};

/// The demonstration, as the shared mechanisms see it.
#[derive(Clone, Copy, Debug)]
pub struct Demo;

impl CombatSystem for Demo {
    type Param = De<'static, 'static>;

    fn view<'a, 'w, 's>(de: &'a common::State<'w, 's, Self>) -> &'a View<'w, 's> {
        &de.view
    }

    fn round(de: &De) -> u16 {
        de.round()
    }
}

fn install(world: &mut World) {
    for entity in world.resource::<Roster>().who.clone() {
        world.entity_mut(entity).insert(Guard::default());
    }
}

fn range(world: &mut World, id: Id) -> Arc<Range> {
    run_system(world, |In(id): In<Id>, de: De| de.range(id), id)
}

/// The chance that an attack hits whose die is about to be rolled.
fn chance(world: &mut World, attack: &Attack) -> Option<f32> {
    let faces = |In(attack): In<Attack>, de: De| Some(de.forecast(&attack).ok()?.faces());
    Some(run_system(world, faces, attack.clone())? as f32 / 20.0)
}
