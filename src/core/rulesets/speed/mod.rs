//! Speed: every unit declares an action; actions resolve on a count that runs from low to high;
//! damage lowers Stress before Wound Points.
//!
//! In addition to the [files of every ruleset](super):
//!
//! - `opening`, `turn`, `upkeep`: the start of the battle, a turn at a count, the end of a round
//! - `declared`: the declarable actions, and the stored declaration
//! - `reactions`: ripostes
//! - `injury`: combat injuries of critical hits
//! - `checks`: checks and their chances
//! - `morale`: morale checks of monsters

pub mod acts;
mod ai;
mod attacks;
pub mod checks;
pub mod clock;
pub mod content;
pub mod declared;
mod end_checks;
pub mod events;
mod forecast;
pub mod injury;
mod morale;
pub mod numbers;
pub mod odds;
mod opening;
pub mod planning;
mod probes;
mod profile;
pub mod query;
pub mod reactions;
mod round;
mod rout;
pub mod state;
mod turn;
mod upkeep;
pub mod wounds;

pub use reactions::RIPOSTE;
pub use round::count_of;
pub use turn::DONE;

use super::common::{
    act::Acting,
    combat_system,
    table::{RulesetHooks, ruleset},
};
use crate::rulesets::speed::content::SpeedStats;
use crate::{
    battle::{
        Attack, Body, CurrentLevel, Expected, Id, PerCombatant, Roster, Side, SpellId, Step,
        all_units_mut, handicap, of_unit, of_unit_mut,
    },
    content::Registered,
    grid::Range,
    levels::Combatant,
};
use bevy_ecs::world::World;
use query::SpeedQuery;
use state::{Clock, Fighter};
use std::sync::Arc;

/// Handicap steps that add 1 to morale checks (OP-03).
const STEPS_PER_MORALE_POINT: i32 = 4;

ruleset! {
    Speed,
    codex: "codex/speed.ron",
    keeps: [Fighter] [Clock],
    first: || Box::new(opening::Begin),
    hit_points: |c| Fighter::default().most_wounds(c.section()),
    rule_prefix: "SP",
    defense: "Defense",
    kinds: &[shipped!("assets/content/speed.ron")],
    tables: Some(numbers::FILE),
    level: &[Registered::new::<content::SpeedSettings>()],
    hit_points_field: "wounds",
    hit_points_name: "Wound Points",
    probes: &probes::PROBES,
    planning: &planning::PLANNING,
    forecasting: &forecast::FORECASTING,
}

combat_system! {
    /// Speed, as the shared mechanisms see it.
    Speed, SpeedQuery, SpeedStats
}

impl Acting for Speed {
    type Attack = Attack;
    type When = acts::When;
    type Begun = acts::Begun;
}

impl RulesetHooks for Speed {
    /// The cells that the unit can reach with the feet left of its speed.
    fn range(sp: &SpeedQuery, id: Id) -> Arc<Range> {
        sp.range(id)
    }

    fn expected(sp: &SpeedQuery, attack: Attack) -> Option<Expected> {
        let forecast = sp.forecast(&attack).ok()?;
        Some(Expected {
            hit: forecast.outcomes() as f32 / 20.0,
            damage: forecast.mean_damage_x200() as f32 / 200.0,
        })
    }

    /// Raises Stress and Wound Points. Also makes the unit steadier in morale checks, because
    /// under these rules broken morale ends most battles (SP-30).
    fn add_bonus_hp(world: &mut World, who: Id, steps: u8) {
        let wounds = handicap::added(of_unit::<Body>(world, who).max_hp, steps);
        handicap::add_bonus_hp(world, who, steps);
        let fighter = of_unit_mut::<Fighter>(world, who);
        let more = handicap::added(fighter.max_stress, steps);
        fighter.more_wounds = wounds;
        fighter.steady = i32::from(steps) / STEPS_PER_MORALE_POINT;
        fighter.max_stress += more;
        fighter.stress += more;
    }

    fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
        round::redeclare(world, side)
    }
}

/// Subtracts damage taken before the battle from Stress first, then from Wound Points.
fn install(world: &mut World) {
    let stock = world.resource::<Roster>().stock.clone();
    let level = world.resource::<CurrentLevel>().0.clone();
    let bodies = all_units_mut::<Body>(world).iter_mut();
    let fighter = |(body, combatant): (&mut Body, &Combatant)| {
        let stats = combatant.creature.section::<SpeedStats>();
        let spell = |potion| stock.spells.iter().position(|spell| spell == potion);
        let potions = stats.draughts.iter().filter_map(spell);
        let potions = potions.map(|n| SpellId(n as u8)).collect();
        let mut fighter = Fighter::new(stats, potions);
        let lost = combatant.wounds.max(0);
        let borne = lost.min(fighter.stress);
        fighter.stress -= borne;
        body.hp = (body.max_hp - (lost - borne)).max(1);
        fighter
    };
    let fighters: PerCombatant<Fighter> = bodies.zip(&level.combatants).map(fighter).collect();
    world.insert_resource(fighters);
    world.init_resource::<Clock>();
}
