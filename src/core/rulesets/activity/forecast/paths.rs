//! Where a unit can move, what that costs, and what it provokes.

use crate::rulesets::activity::{
    acts::attack,
    movement::{OPPORTUNITY, opportunity},
    odds::AttackChances,
    query::ActivityQuery,
    state::{ActionKind, Actor, Stage},
    targets::{MOVE, SHOOT, STRIKE},
};
use crate::rulesets::common::forecast::{Route, move_ends, one_move, provoked, unprovoked_way};
use crate::{
    battle::{Choice, Cost, Id, Reach, Shot, Way, of_unit, of_unit_mut, run_system, standing_at},
    grid::Cell,
};
use bevy_ecs::{system::In, world::World};
use std::cmp::Reverse;

/// Percent of the round for a move that the unit can make now. `None` if no move is due.
fn due_move_percent(ac: &ActivityQuery, who: Id) -> Option<i32> {
    let actor = ac.actor(who);
    match ac.clock.stage {
        Stage::Declaring => None,
        Stage::Count(_) => {
            let coming = actor.coming().filter(|p| p.kind == ActionKind::Move)?;
            Some(coming.percent)
        }
        Stage::LeftOver => Some(actor.left_over()).filter(|_| !actor.leftover_done),
    }
}

pub fn reach(In(who): In<Id>, ac: ActivityQuery) -> Vec<Reach> {
    let percent = due_move_percent(&ac, who);
    percent.map_or(vec![], |percent| within(In((who, percent)), ac))
}

/// The cells that the unit can reach with this percent of the round.
pub fn within(In((who, percent)): In<(Id, i32)>, ac: ActivityQuery) -> Vec<Reach> {
    move_ends(&ac.range(who, percent, false), Cost::Plain).collect()
}

pub fn way(world: &mut World, who: Id, by: &[Cell], to: Cell) -> Option<Way> {
    let route = run_system(world, route, (who, by.to_vec(), to))?;
    let mut way = route.with_chances(world, who, |world, by| {
        run_system(world, in_passing, (by, who))
    });
    let before = of_unit::<Actor>(world, who).moved;
    of_unit_mut::<Actor>(world, who).moved += way.feet;
    way.shots = standing_at(world, who, to, |world| run_system(world, shots, who));
    of_unit_mut::<Actor>(world, who).moved = before;
    Some(way)
}

fn route(In((who, by, to)): In<(Id, Vec<Cell>, Cell)>, ac: ActivityQuery) -> Option<Route> {
    let percent = due_move_percent(&ac, who)?;
    let here = ac.body(who).at;
    if !ac.is_up(who) || to == here {
        return None;
    }
    let most = ac.feet(who, percent, false);
    let occupancy = ac.occupancy(who, false);
    let (path, price) = ac
        .view
        .walk(who, &occupancy, |walk| one_move(walk, here, &by, to, most))?;
    let mut order = Choice::new(&MOVE, who).to(to);
    if !by.is_empty() {
        order.along = Some(path[1..].into());
    }
    let strikes = provoked(&ac.view, &path, |from, to| occupancy.left(from, to));
    let way = unprovoked_way(order, path, &price, (Cost::Plain, format!("of {most} ft")));
    Some(Route { way, strikes })
}

/// Percent chance that the best attack of `by` hits `at` as it leaves the reach (AC-36); 0 if
/// no attack is possible.
fn in_passing(In((by, at)): In<(Id, Id)>, ac: ActivityQuery) -> u32 {
    let chances = ac.view.ready_weapons(by).filter_map(|with| {
        let choice = Choice::new(&OPPORTUNITY, by).at(at).with(with);
        let forecast = ac.forecast(&opportunity(&ac, &choice)?).ok()?;
        Some(AttackChances::percent(forecast.chances().hit))
    });
    chances.max().unwrap_or(0)
}

/// Targets, from the unit's current cell, of the attack planned after the move, best first.
fn shots(In(who): In<Id>, ac: ActivityQuery) -> Vec<Shot> {
    let actor = ac.actor(who);
    let after = actor.plan.iter().skip(actor.next + 1);
    let Some((planned, verb)) = after.clone().find_map(|p| match p.kind {
        ActionKind::Melee => Some((p, &STRIKE)),
        ActionKind::Missile => Some((p, &SHOOT)),
        _ => None,
    }) else {
        return vec![];
    };
    let best = |at: Id| {
        let shots = ac.inventory(who).ready().filter_map(|with| {
            let choice = Choice::new(verb, who).at(at).with(with);
            let forecast = ac.forecast(&attack(&ac, &choice, planned.percent)).ok()?;
            let chances = forecast.chances();
            Some(Shot {
                at,
                with,
                percent: AttackChances::percent(chances.hit),
                cover: forecast.cover,
                worth: chances.worth(),
            })
        });
        shots.min_by_key(|shot| Reverse(shot.percent))
    };
    let mut all: Vec<Shot> = ac.enemies(who).filter_map(best).collect();
    all.sort_by_key(|shot| Reverse(shot.percent));
    all
}
