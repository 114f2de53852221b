//! Where a unit can move under Speed, and what that costs and provokes.

use super::attacks::{answered, chance};
use crate::rulesets::common::forecast::{Route, move_ends, one_move, provoked, unprovoked_way};
use crate::rulesets::speed::{
    acts::{MOVE, weapon_attack},
    query::SpeedQuery,
};
use crate::{
    battle::{Choice, Cost, Id, Reach, Shot, Way, run_system, standing_at},
    grid::Cell,
};
use bevy_ecs::{system::In, world::World};

pub(super) fn reach(In(who): In<Id>, sp: SpeedQuery) -> Vec<Reach> {
    let now = sp.fighter(who).now.is_some();
    if now { ends(&sp, who) } else { vec![] }
}

/// The cells where a move with the feet left can end.
pub(super) fn ends(sp: &SpeedQuery, who: Id) -> Vec<Reach> {
    if !sp.is_up(who) || sp.feet_left(who).is_err() {
        return vec![];
    }
    move_ends(&sp.range(who), Cost::Plain).collect()
}

pub(super) fn way(world: &mut World, who: Id, by: &[Cell], to: Cell) -> Option<Way> {
    let route = run_system(world, route, (who, by.to_vec(), to))?;
    let mut way = route.with_chances(world, who, |world, by| run_system(world, chance, (by, who)));
    way.shots = standing_at(world, who, to, |world| run_system(world, shots, who));
    Some(way)
}

fn route(In((who, by, to)): In<(Id, Vec<Cell>, Cell)>, sp: SpeedQuery) -> Option<Route> {
    let left = sp.feet_left(who).ok()?;
    let here = sp.body(who).at;
    if !sp.is_up(who) || to == here || sp.fighter(who).now.is_none() {
        return None;
    }
    let occupancy = sp.occupancy(who);
    let view = &sp.view;
    let (path, price) = view.walk(who, &occupancy, |walk| one_move(walk, here, &by, to, left))?;
    let mut order = Choice::new(&MOVE, who).to(to);
    if !by.is_empty() || sp.range(who).get(to).is_none() {
        order.along = Some(path[1..].into());
    }
    // A riposte happens after the step into the reach, so it counts from the next step.
    let entered = provoked(view, &path, |from, to| occupancy.left(to, from));
    let strikes = entered.into_iter().map(|(enemy, n)| (enemy, n + 1));
    let strikes = strikes.collect();
    let words = format!("{} of {left} ft", price.feet);
    let way = unprovoked_way(order, path, &price, (Cost::Plain, words));
    Some(Route { way, strikes })
}

/// Targets of the declared attack from the unit's current cell, best first.
fn shots(In(who): In<Id>, sp: SpeedQuery) -> Vec<Shot> {
    let fighter = sp.fighter(who);
    let Some(now) = fighter.now.as_ref().filter(|_| !fighter.standard) else {
        return vec![];
    };
    let Some(with) = now.choice.with else {
        return vec![];
    };
    let verb = weapon_attack::verb_of(&sp, &now.choice);
    let enemies = sp.targets(who).into_iter().filter(|&id| sp.is_up(id));
    let shot = |at: Id| {
        let attack = weapon_attack::attack(&Choice::new(verb, who).at(at).with(with));
        let forecast = sp.forecast(&attack).ok()?;
        let left = answered(&sp, &attack, &forecast);
        Some(Shot {
            at,
            with,
            percent: left.map_or(forecast.hit_percent(), |left| left.percent),
            cover: forecast.cover,
            worth: forecast.mean_damage_x200(),
        })
    };
    let mut all: Vec<Shot> = enemies.filter_map(shot).collect();
    all.sort_by_key(|s| std::cmp::Reverse(s.percent));
    all
}
