//! Where a unit can move: freely, or out of melee either at half speed or fleeing, with attacks
//! from behind (SE-51, SE-52).

use super::attacks::at_back;
use crate::rulesets::common::forecast::{Route, move_ends, one_move, provoked, unprovoked_way};
use crate::rulesets::segments::{
    acts::{MOVE, WITHDRAW, can_go, can_move_now},
    query::SegmentsQuery,
};
use crate::{
    battle::{Action, Choice, Cost, Id, Reach, Way, run_system},
    grid::{Cell, Range},
};
use bevy_ecs::{system::In, world::World};

/// One kind of move and its distance.
struct MoveMode {
    verb: &'static Action,
    feet: u16,
    /// Enemies that attack when the unit leaves them, as a bit set.
    strikers: u64,
    cost: Cost,
    price: &'static str,
}

/// The kinds of move that the unit has now, best first.
fn gaits(se: &SegmentsQuery, who: Id) -> Vec<MoveMode> {
    match can_move_now(se, who) {
        Ok(()) => all_gaits(se, who),
        Err(_) => vec![],
    }
}

/// The kinds of move of a unit that can move, best first: a cell in withdrawing distance is never
/// reached by fleeing.
fn all_gaits(se: &SegmentsQuery, who: Id) -> Vec<MoveMode> {
    let speed = se.view.speed(who);
    let gait = |verb, feet, strikers, cost, price| MoveMode {
        verb,
        feet,
        strikers,
        cost,
        price,
    };
    if !se.is_engaged(who) {
        return vec![gait(&MOVE, speed, 0, Cost::Plain, "uses the action")];
    }
    let strikers = se.strikers(who);
    vec![
        gait(&WITHDRAW, speed / 2, 0, Cost::Plain, "withdraw, half speed"),
        gait(&MOVE, speed, strikers, Cost::Extra, "run from melee"),
    ]
}

fn range(se: &SegmentsQuery, who: Id, gait: &MoveMode) -> Range {
    let occupancy = se.occupancy(who, gait.strikers);
    let from = se.body(who).at;
    se.view
        .walk(who, &occupancy, |walk| walk.range(from, gait.feet))
}

pub(super) fn reach(In(who): In<Id>, se: SegmentsQuery) -> Vec<Reach> {
    ends(&se, who, gaits(&se, who))
}

pub(super) fn declared_reach(In(who): In<Id>, se: SegmentsQuery) -> Vec<Reach> {
    match se.can_act(who) && se.casting(who).is_none() && can_go(&se, who).is_ok() {
        true => ends(&se, who, all_gaits(&se, who)),
        false => vec![],
    }
}

/// The cells where a move of one of these kinds can end, each by the best of them.
fn ends(se: &SegmentsQuery, who: Id, gaits: Vec<MoveMode>) -> Vec<Reach> {
    let mut out: Vec<Reach> = vec![];
    for gait in gaits {
        for end in move_ends(&range(se, who, &gait), gait.cost) {
            if out.iter().all(|r| r.cell != end.cell) {
                out.push(end);
            }
        }
    }
    out
}

pub(super) fn way(world: &mut World, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
    fn struck(In((by, who)): In<(Id, Id)>, se: SegmentsQuery) -> u32 {
        at_back(&se, by, who)
    }
    let route = run_system(world, route, (who, via.to_vec(), to))?;
    Some(route.with_chances(world, who, |world, by| run_system(world, struck, (by, who))))
}

fn route(In((who, via, to)): In<(Id, Vec<Cell>, Cell)>, se: SegmentsQuery) -> Option<Route> {
    if to == se.body(who).at {
        return None;
    }
    let by = |gait: &MoveMode| by_gait(&se, who, gait, &via, to);
    gaits(&se, who).iter().find_map(by)
}

fn by_gait(se: &SegmentsQuery, who: Id, gait: &MoveMode, via: &[Cell], to: Cell) -> Option<Route> {
    let occupancy = se.occupancy(who, gait.strikers);
    let here = se.body(who).at;
    let (path, price) = se.view.walk(who, &occupancy, |walk| match via {
        [] => {
            let range = walk.range(here, gait.feet);
            range.get(to).filter(|end| end.may_stop)?;
            let path = range.path(to);
            let price = walk.price(&path).ok()?;
            Some((path, price))
        }
        via => one_move(walk, here, via, to, gait.feet),
    })?;
    let strikes = provoked(&se.view, &path, |from, to| occupancy.left(from, to));
    let order = Choice {
        along: (!via.is_empty()).then(|| path[1..].into()),
        to: Some(to),
        ..Choice::new(gait.verb, who)
    };
    let way = unprovoked_way(order, path, &price, (gait.cost, gait.price));
    Some(Route { way, strikes })
}
