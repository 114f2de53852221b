//! Where a unit can move under Skirmish, what that costs and provokes.

use super::attacks::{answered, attack, opportunity};
use crate::{
    battle::{Choice, Cost, Id, Reach, Shot, Way, movement::Occupancy, run_system},
    grid::{Cell, Cover, Range, Space},
    rulesets::{
        common::forecast::{self, Route, deepest_fall, move_ends, waypoint_path},
        skirmish::{acts::RUN, query::SkirmishQuery},
    },
};
use bevy_ecs::{system::In, world::World};

/// Whether a unit is up, free to move and has an action left to move with.
fn can_go(sk: &SkirmishQuery, who: Id) -> bool {
    let fighter = sk.fighter(who);
    let can = sk.is_up(who) && !fighter.done && fighter.can_move();
    can && sk.free_to_move(who).is_ok()
}

pub(super) fn reach(In(who): In<Id>, sk: SkirmishQuery) -> Vec<Reach> {
    let fighter = sk.fighter(who);
    if !can_go(&sk, who) {
        return vec![];
    }
    let one = sk.run_range(who, 1);
    let mut out: Vec<Reach> = move_ends(&one, price_of_one(&sk, who)).collect();
    if fighter.moves > 0 && fighter.mains > 0 {
        let two = sk.run_range(who, 2);
        let beyond = move_ends(&two, Cost::Dear).filter(|end| one.get(end.cell).is_none());
        let ways = sk.occupancy(who);
        let feasible =
            |end: &Reach| stop_between(&sk, who, &ways, &one, &two.path(end.cell)).is_some();
        out.extend(beyond.filter(feasible));
    }
    out
}

/// The index on a path where the first of two runs ends: as far along as possible. `None` if the
/// second run can't reach the end from there.
fn stop_between(
    sk: &SkirmishQuery,
    who: Id,
    ways: &Occupancy,
    one: &Range,
    path: &[Cell],
) -> Option<usize> {
    let inner = 1..path.len().saturating_sub(1);
    let stop = inner
        .rev()
        .find(|&n| one.get(path[n]).is_some_and(|r| r.may_stop))?;
    let rest = sk
        .view
        .walk(who, ways, |walk| walk.price(&path[stop..]))
        .ok()?;
    (rest.feet <= sk.speed(who)).then_some(stop)
}

/// The paths of the one or two runs of a move, and their cost.
struct Legs {
    paths: Vec<Vec<Cell>>,
    feet: u16,
    cost: Cost,
    /// Whether the player plotted the path, so that the orders name each cell.
    by_hand: bool,
}

pub(super) fn way(world: &mut World, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
    let route = run_system(world, route, (who, via.to_vec(), to))?;
    Some(route.with_chances(world, who, |world, by| {
        run_system(world, opportunity, (by, who))
    }))
}

fn route(In((who, via, to)): In<(Id, Vec<Cell>, Cell)>, sk: SkirmishQuery) -> Option<Route> {
    let fighter = sk.fighter(who);
    let here = sk.body(who).at;
    if !can_go(&sk, who) || to == here {
        return None;
    }
    let ways = sk.occupancy(who);
    let legs = match &via[..] {
        [] => cheapest(&sk, who, &ways, to)?,
        via => custom_path(&sk, who, &ways, via, to)?,
    };
    // Each run is its own action: an enemy may attack once at each (SK-06).
    let (mut path, mut strikes, mut fall) = (vec![here], vec![], 0);
    for leg in &legs.paths {
        let of_leg = forecast::provoked(&sk.view, leg, |from, to| ways.left(from, to));
        strikes.extend(of_leg.into_iter().map(|(by, n)| (by, n + path.len() - 1)));
        path.extend_from_slice(&leg[1..]);
        let price = sk.view.walk(who, &ways, |walk| walk.price(leg)).ok()?;
        fall = deepest_fall(&price).max(fall);
    }
    let order = |leg: &Vec<Cell>| Choice {
        along: legs.by_hand.then(|| leg[1..].into()),
        to: leg.last().copied(),
        ..Choice::new(&RUN, who)
    };
    let mains = fighter.mains - u8::from(legs.cost == Cost::Dear);
    let shots = if mains > 0 {
        shots_from(&sk, who, to)
    } else {
        vec![]
    };
    let way = Way {
        orders: legs.paths.iter().map(order).collect(),
        cost: legs.cost,
        price: match legs.cost {
            Cost::Plain => "uses Move".into(),
            // SK-04: the Main action is spent for a second Move.
            Cost::Dear if fighter.moves == 0 => "uses Main".into(),
            Cost::Dear => "uses Move and Main".into(),
        },
        feet: legs.feet,
        path,
        provoked: vec![],
        fall,
        shots,
    };
    Some(Route { way, strikes })
}

/// The cheapest path, with one run or two.
fn cheapest(sk: &SkirmishQuery, who: Id, ways: &Occupancy, to: Cell) -> Option<Legs> {
    let fighter = sk.fighter(who);
    let one = sk.run_range(who, 1);
    let stops = |range: &Range, to| range.get(to).filter(|r| r.may_stop);
    if let Some(end) = stops(&one, to) {
        return Some(Legs {
            paths: vec![one.path(to)],
            feet: end.feet,
            cost: price_of_one(sk, who),
            by_hand: false,
        });
    }
    if fighter.moves == 0 || fighter.mains == 0 {
        return None;
    }
    let two = sk.run_range(who, 2);
    stops(&two, to)?;
    let path = two.path(to);
    let mid = path[stop_between(sk, who, ways, &one, &path)?];
    let second = sk
        .view
        .walk(who, ways, |walk| walk.range(mid, sk.speed(who)));
    Some(Legs {
        feet: one.get(mid)?.feet + second.get(to)?.feet,
        paths: vec![one.path(mid), second.path(to)],
        cost: Cost::Dear,
        by_hand: false,
    })
}

fn price_of_one(sk: &SkirmishQuery, who: Id) -> Cost {
    if sk.fighter(who).moves > 0 {
        Cost::Plain
    } else {
        Cost::Dear
    }
}

/// GR-33: the path through the player's waypoints, with one run or two.
fn custom_path(
    sk: &SkirmishQuery,
    who: Id,
    ways: &Occupancy,
    via: &[Cell],
    to: Cell,
) -> Option<Legs> {
    let fighter = sk.fighter(who);
    let speed = sk.speed(who);
    let here = sk.body(who).at;
    sk.view.walk(who, ways, |walk| {
        let path = waypoint_path(walk, here, via, to)?;
        let feet = |cells: &[Cell]| Some(walk.price(cells).ok()?.feet);
        if !walk.may_stop(to) {
            return None;
        }
        let whole = feet(&path)?;
        if whole <= speed {
            return Some(Legs {
                paths: vec![path],
                feet: whole,
                cost: price_of_one(sk, who),
                by_hand: true,
            });
        }
        if fighter.moves == 0 || fighter.mains == 0 {
            return None;
        }
        let fits = |n: &usize| {
            let within = |cells| feet(cells).is_some_and(|feet| feet <= speed);
            walk.may_stop(path[*n]) && within(&path[..=*n]) && within(&path[*n..])
        };
        let stop = (1..path.len() - 1).rev().find(fits)?;
        let paths = vec![path[..=stop].to_vec(), path[stop..].to_vec()];
        Some(Legs {
            feet: feet(&paths[0])? + feet(&paths[1])?,
            paths,
            cost: Cost::Dear,
            by_hand: true,
        })
    })
}

/// The targets that the unit can attack from a cell, each with its best attack, sorted by chance.
fn shots_from(sk: &SkirmishQuery, who: Id, from: Cell) -> Vec<Shot> {
    let mut shots = vec![];
    for enemy in sk.view.enemies(sk.body(who).side) {
        let mut best: Option<(i32, Shot)> = None;
        for with in sk.gear(who).at_hand() {
            for ranged in [false, true] {
                let attack = attack((who, enemy), with, ranged, "SK-10");
                let Ok(forecast) = sk.forecast_from(&attack, from) else {
                    continue;
                };
                let worth = forecast.mean_damage_x200();
                if best.is_none_or(|b| b.0 < worth) {
                    let cover = cover(sk, who, from, enemy);
                    let left = answered(sk, (&attack, from), &forecast);
                    let percent = left.map_or(forecast.hit().percent(), |left| left.percent);
                    best = Some((
                        worth,
                        Shot {
                            at: enemy,
                            with,
                            percent,
                            cover,
                            worth,
                        },
                    ));
                }
            }
        }
        shots.extend(best.map(|b| b.1));
    }
    shots.sort_by_key(|s| std::cmp::Reverse(s.percent));
    shots
}

pub(super) fn cover(sk: &SkirmishQuery, by: Id, from: Cell, at: Id) -> Cover {
    let here = Space::new(from, sk.body(by).size);
    sk.view
        .board
        .sight(here, sk.body(at).space())
        .cover
        .unwrap_or(Cover::None)
}
