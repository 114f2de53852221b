//! Why orders are promising, as data: their largest effect.

use crate::{
    battle::{
        Battle, Body, Choice, Id, OddsLine, Ruleset, Side, View, all_units, of_unit, sent_to,
        standing_so,
    },
    grid::{Cell, Space, cells_apart},
};
use bevy_ecs::world::World;
use std::collections::BTreeSet;

/// The largest effect of orders.
#[derive(Clone, PartialEq, Debug)]
pub enum OrderReason {
    /// An attack on this unit, with its chances to hit and to drop the target, in percent.
    Attack { at: Id, hit: u32, drop: u32 },
    /// The chance of another action.
    Chance(OddsLine),
    /// The unit leaves the reach of this many enemies.
    OutOfReach(usize),
    /// The unit comes closer to its side's objective.
    TowardsObjective,
    /// The unit comes closer to this enemy, the nearest one.
    Closer(Id),
}

/// The largest effect of choices made one after the other: what they attack or attempt, or else
/// what their move is good for. `None` if they do neither.
pub(super) fn reason(base: &mut Battle, side: Side, choices: &[Choice]) -> Option<OrderReason> {
    let rules = base.rules();
    let forecasting = rules.forecasting;
    let is_walk = |choice: &&Choice| choice.at.is_none() && choice.spell.is_none();
    let mut walks = choices.iter().rev().filter(is_walk);
    let walk = walks.find_map(|choice| choice.who.zip(choice.to));
    base.with_world(|world| {
        let aims = |world: &mut World| {
            choices.iter().rev().find_map(|choice| {
                if let Some(Ok(attack)) = (forecasting.attack)(world, choice) {
                    return Some(OrderReason::Attack {
                        at: attack.at,
                        hit: attack.likely_percent(),
                        drop: attack.likely_drop_percent(),
                    });
                }
                let mut odds = (forecasting.odds)(world, choice).into_iter();
                let chance = odds.find(|one| one.percent.is_some_and(|percent| percent > 0));
                chance.map(OrderReason::Chance)
            })
        };
        if let Some(aim) = standing_so(world, walk.as_slice(), aims) {
            return Some(aim);
        }
        let (who, to) = walk?;
        let enemies = known_enemies(rules, world, side);
        let dangers = |world: &mut World| {
            let space = of_unit::<Body>(world, who).space();
            let reaches = |enemy: &&Id| {
                let range = (rules.threat_range)(world, **enemy);
                range.cells().any(|cell| space.contains(cell))
            };
            enemies.iter().filter(reaches).count()
        };
        let (now, then) = (dangers(world), standing_so(world, &[(who, to)], dangers));
        if then < now {
            return Some(OrderReason::OutOfReach(now - then));
        }
        let here = of_unit::<Body>(world, who).space();
        let there = Space { at: to, ..here };
        let closer = |cells: &mut dyn Iterator<Item = Space>| {
            let cells = cells.map(|space| (cells_apart(here, space), cells_apart(there, space)));
            let (now, then): (Vec<u16>, Vec<u16>) = cells.unzip();
            then.into_iter().min() < now.into_iter().min()
        };
        let goal = View::read(world, |view| sent_to(&view, who));
        if closer(&mut goal.into_iter().map(Space::one)) {
            return Some(OrderReason::TowardsObjective);
        }
        let space = |id: Id| of_unit::<Body>(world, id).space();
        let apart = |id: &Id| cells_apart(there, space(*id));
        let nearest = enemies.into_iter().min_by_key(apart)?;
        closer(&mut std::iter::once(space(nearest))).then_some(OrderReason::Closer(nearest))
    })
}

/// The enemies of a side that it knows of and that are up.
fn known_enemies(rules: &Ruleset, world: &mut World, side: Side) -> Vec<Id> {
    let unknown = (rules.unknown)(world, side);
    let bodies = all_units::<Body>(world).iter().enumerate();
    let enemies = bodies.filter(|(_, body)| body.side != side && body.is_up());
    let enemies = enemies.map(|(n, _)| Id(n as u16));
    enemies.filter(|id| !unknown.contains(id)).collect()
}

/// The cells where an enemy that a side knows of could attack next.
pub(super) fn cells_in_danger(base: &mut Battle, side: Side) -> BTreeSet<Cell> {
    let rules = base.rules();
    base.with_world(|world| {
        let enemies = known_enemies(rules, world, side).into_iter();
        let ranges: Vec<_> = enemies.map(|id| (rules.threat_range)(world, id)).collect();
        ranges.iter().flat_map(|range| range.cells()).collect()
    })
}
