//! Where a unit can move under Skirmish, what that costs and provokes.

use super::attacks::{answered, opportunity};
use crate::rulesets::common::{
    ask,
    forecast::{self, Route, deepest_fall, move_ends, waypoint_path},
    surprise::best,
};
use crate::rulesets::skirmish::{Skirmish, acts::RUN, query::SkirmishQuery};
use crate::{
    battle::{Attack, Choice, Cost, Id, Reach, Shot, Way, movement::Occupancy},
    grid::{Cell, Cover, Range, Space},
};
use bevy_ecs::world::World;

/// Whether a unit is up, free to move and has an action left to move with.
fn can_go(sk: &SkirmishQuery, who: Id) -> bool {
    let fighter = sk.fighter(who);
    let can = sk.is_up(who) && !fighter.done && fighter.can_move();
    can && sk.free_to_move(who).is_ok()
}

pub(super) fn reach(sk: &SkirmishQuery, who: Id) -> Vec<Reach> {
    if !can_go(sk, who) {
        return vec![];
    }
    let one = sk.run_range(who, 1);
    let mut out: Vec<Reach> = move_ends(&one, price_of_one(sk, who)).collect();
    if has_both(sk, who) {
        let two = sk.run_range(who, 2);
        let beyond = move_ends(&two, Cost::Extra).filter(|end| one.get(end.cell).is_none());
        let occupancy = sk.occupancy(who);
        let feasible =
            |end: &Reach| stop_between(sk, who, &occupancy, &one, &two.path(end.cell)).is_some();
        out.extend(beyond.filter(feasible));
    }
    out
}

/// The index on a path where the first of two runs ends: as far along as possible. `None` if the
/// second run can't reach the end from there.
fn stop_between(
    sk: &SkirmishQuery,
    who: Id,
    occupancy: &Occupancy,
    one: &Range,
    path: &[Cell],
) -> Option<usize> {
    let inner = 1..path.len().saturating_sub(1);
    let may_stop = |&n: &usize| one.get(path[n]).is_some_and(|r| r.may_stop);
    let stop = inner.rev().find(may_stop)?;
    let view = &sk.view;
    let rest = view.walk(who, occupancy, |walk| walk.price(&path[stop..]));
    (rest.ok()?.feet <= view.speed(who)).then_some(stop)
}

pub(super) fn way(world: &mut World, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
    let route = ask::<Skirmish, _, _>(world, route, (who, via.to_vec(), to))?;
    Some(route.with_chances(world, who, |world, by| {
        ask::<Skirmish, _, _>(world, opportunity, (by, who))
    }))
}

fn route(sk: &SkirmishQuery, (who, via, to): (Id, Vec<Cell>, Cell)) -> Option<Route> {
    let fighter = sk.fighter(who);
    let here = sk.body(who).at;
    if !can_go(sk, who) || to == here {
        return None;
    }
    let occupancy = sk.occupancy(who);
    let legs = match &via[..] {
        [] => cheapest(sk, who, &occupancy, to)?,
        via => custom_path(sk, who, &occupancy, via, to)?,
    };
    // Each run is its own action: an enemy may attack once at each (SK-06).
    let (mut path, mut strikes, mut feet, mut fall) = (vec![here], vec![], 0, 0);
    for leg in &legs {
        let of_leg = forecast::provoked(&sk.view, leg, |from, to| occupancy.left(from, to));
        strikes.extend(of_leg.into_iter().map(|(by, n)| (by, n + path.len() - 1)));
        path.extend_from_slice(&leg[1..]);
        let price = sk.view.walk(who, &occupancy, |walk| walk.price(leg)).ok()?;
        feet += price.feet;
        fall = deepest_fall(&price).max(fall);
    }
    // The orders name each cell of a path that the player plotted.
    let order = |leg: &Vec<Cell>| Choice {
        along: (!via.is_empty()).then(|| leg[1..].into()),
        to: leg.last().copied(),
        ..Choice::new(&RUN, who)
    };
    let cost = match legs.len() {
        1 => price_of_one(sk, who),
        _ => Cost::Extra,
    };
    let mains = fighter.mains - u8::from(cost == Cost::Extra);
    let way = Way {
        orders: legs.iter().map(order).collect(),
        cost,
        price: match cost {
            Cost::Plain => "uses Move".into(),
            // SK-04: the Main action is spent for a second Move.
            Cost::Extra if fighter.moves == 0 => "uses Main".into(),
            Cost::Extra => "uses Move and Main".into(),
        },
        feet,
        path,
        provoked: vec![],
        fall,
        shots: match mains {
            0 => vec![],
            _ => shots_from(sk, who, to),
        },
    };
    Some(Route { way, strikes })
}

/// The paths of the one or two runs that lead to a cell for the lowest cost.
fn cheapest(
    sk: &SkirmishQuery,
    who: Id,
    occupancy: &Occupancy,
    to: Cell,
) -> Option<Vec<Vec<Cell>>> {
    let one = sk.run_range(who, 1);
    let stops = |range: &Range, to| range.get(to).filter(|r| r.may_stop);
    if stops(&one, to).is_some() {
        return Some(vec![one.path(to)]);
    }
    if !has_both(sk, who) {
        return None;
    }
    let two = sk.run_range(who, 2);
    stops(&two, to)?;
    let path = two.path(to);
    let mid = path[stop_between(sk, who, occupancy, &one, &path)?];
    let view = &sk.view;
    let second = view.walk(who, occupancy, |walk| walk.range(mid, sk.view.speed(who)));
    second.get(to)?;
    Some(vec![one.path(mid), second.path(to)])
}

fn price_of_one(sk: &SkirmishQuery, who: Id) -> Cost {
    match sk.fighter(who).moves {
        0 => Cost::Extra,
        _ => Cost::Plain,
    }
}

/// Whether a unit has a Main and a Move left, for two runs.
fn has_both(sk: &SkirmishQuery, who: Id) -> bool {
    let fighter = sk.fighter(who);
    fighter.moves > 0 && fighter.mains > 0
}

/// GR-33: the path through the player's waypoints, with one run or two.
fn custom_path(
    sk: &SkirmishQuery,
    who: Id,
    occupancy: &Occupancy,
    via: &[Cell],
    to: Cell,
) -> Option<Vec<Vec<Cell>>> {
    let (here, speed) = (sk.body(who).at, sk.view.speed(who));
    sk.view.walk(who, occupancy, |walk| {
        let path = waypoint_path(walk, here, via, to)?;
        if !walk.may_stop(to) {
            return None;
        }
        let feet = |cells: &[Cell]| Some(walk.price(cells).ok()?.feet);
        if feet(&path)? <= speed {
            return Some(vec![path]);
        }
        if !has_both(sk, who) {
            return None;
        }
        let fits = |n: &usize| {
            let within = |cells| feet(cells).is_some_and(|feet| feet <= speed);
            walk.may_stop(path[*n]) && within(&path[..=*n]) && within(&path[*n..])
        };
        let stop = (1..path.len() - 1).rev().find(fits)?;
        Some(vec![path[..=stop].to_vec(), path[stop..].to_vec()])
    })
}

/// The targets that the unit can attack from a cell, each with its best attack, sorted by chance.
fn shots_from(sk: &SkirmishQuery, who: Id, from: Cell) -> Vec<Shot> {
    let shot = |at: Id| {
        let at_hand = sk.inventory(who).at_hand();
        let ways = at_hand.flat_map(|with| [(with, false), (with, true)]);
        let possible = ways.filter_map(|(with, ranged)| {
            let attack = Attack::new(who, at, with, ranged, "SK-10");
            Some((sk.forecast_from(&attack, from).ok()?, attack))
        });
        let (forecast, attack) = best(possible, |p| p.0.worth())?;
        let left = answered(sk, &attack, &forecast);
        Some(Shot {
            at,
            with: attack.with,
            percent: left.map_or(forecast.hit_past().percent(), |left| left.percent),
            cover: cover(sk, who, from, at),
            worth: forecast.worth(),
        })
    };
    let enemies = sk.view.enemies(sk.body(who).side);
    let mut shots: Vec<Shot> = enemies.filter_map(shot).collect();
    shots.sort_by_key(|s| std::cmp::Reverse(s.percent));
    shots
}

pub(super) fn cover(sk: &SkirmishQuery, by: Id, from: Cell, at: Id) -> Cover {
    let here = Space::new(from, sk.body(by).size);
    let sight = sk.view.board.sight(here, sk.body(at).space());
    sight.cover.unwrap_or(Cover::None)
}
