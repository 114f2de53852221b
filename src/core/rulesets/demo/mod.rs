//! The demonstration ruleset: the smallest complete combat system. All units choose in secret;
//! then all moves happen at once, then all attacks. It is not offered to players but can be
//! played by name, and the tests of the engine use it. `docs/add-a-ruleset.md` explains it.

mod acts;
mod ai;
mod attacks;
pub mod content;
mod round;
mod state;

use super::common::{
    self, CombatSystem,
    act::Acting,
    table::{HasFigures, RulesetHooks, give_each, ruleset},
};
use crate::{
    battle::{Attack, Expected, Id, Planning, View},
    grid::Range,
};
use bevy_ecs::world::World;
use state::{DemoQuery, Guard};
use std::sync::Arc;

ruleset! {
    Demo,
    codex: "codex/demo.ron",
    keeps: [Guard] [],
    first: || Box::new(round::RoundStart),
    hit_points: |c| c.section::<content::DemoStats>().vigour,
    rule_prefix: "DE",
    defense: "defense",
    hit_points_field: "vigour",
    hit_points_name: "vigour",
    initiative: false,
    planning: &PLANNING,
}

static PLANNING: Planning = Planning {
    walks: &[&acts::MOVE],
    ..Planning::NONE
};

/// The demonstration ruleset, as the shared mechanisms see it.
#[derive(Clone, Copy, Debug)]
pub struct Demo;

impl CombatSystem for Demo {
    type Param = DemoQuery<'static, 'static>;

    fn view<'a, 'w, 's>(de: &'a common::State<'w, 's, Self>) -> &'a View<'w, 's> {
        &de.view
    }

    fn round(de: &DemoQuery) -> u16 {
        de.round()
    }
}

impl Acting for Demo {
    type Attack = Attack;
    type When = ();
    type Begun = ();
}

impl RulesetHooks for Demo {
    fn range(de: &DemoQuery, id: Id) -> Arc<Range> {
        de.range(id)
    }

    fn expected(de: &DemoQuery, attack: Attack) -> Option<Expected> {
        let forecast = de.forecast(&attack).ok()?;
        let hit = forecast.outcomes() as f32 / 20.0;
        Some(Expected {
            hit,
            damage: hit * forecast.damage.mean_x10() as f32 / 10.0,
        })
    }
}

impl HasFigures for Demo {}

fn install(world: &mut World) {
    give_each(world, |_| Guard::default());
}
