//! Where a unit can move under Phased, and what that costs and provokes.

use crate::{
    battle::{Action, Choice, Cost, Id, MoveEnd, Reach, Way, run_system},
    grid::Cell,
    rulesets::phased::{
        acts::{GO, SHIFT},
        fast::FLEE,
        query::PhasedQuery,
        state::{DeclaredPlan, PhasePart},
    },
};
use bevy_ecs::{system::In, world::World};

/// The move that the current part of the round allows, and its feet; `None` if there is none.
fn walk(ph: &PhasedQuery, who: Id) -> Option<(&'static Action, u16)> {
    let f = ph.fighter(who);
    if !ph.is_up(who) {
        return None;
    }
    let rate = ph.rate(who);
    match ph.clock.part {
        PhasePart::Flee if f.plan == Some(DeclaredPlan::Flee) => Some((&FLEE, rate)),
        part if part.has_other() && !ph.in_melee(who) => match f.spent {
            false => Some((&GO, rate)),
            true if f.positioned || f.passed_up.forgone || f.casting.is_some() => None,
            true => Some((&SHIFT, rate.min(ph.tables().numbers.positioning_feet))),
        },
        _ => None,
    }
}

/// The move that a unit's declaration leaves it, and its feet; `None` if there is none.
fn declared_walk(ph: &PhasedQuery, who: Id) -> Option<(&'static Action, u16)> {
    if !ph.can_act(who) {
        return None;
    }
    let f = ph.fighter(who);
    match f.plan {
        Some(DeclaredPlan::Flee) => Some((&FLEE, ph.rate(who))),
        None | Some(DeclaredPlan::Open) if f.casting.is_none() && !ph.in_melee(who) => {
            Some((&GO, ph.rate(who)))
        }
        _ => None,
    }
}

/// The cells where such a move can end, with the distance.
fn walk_ends(ph: &PhasedQuery, who: Id, verb: &'static Action, feet: u16) -> Vec<MoveEnd> {
    match verb == &FLEE {
        true => ph.flight_ends(who, 0),
        false => ph.ends(who, feet),
    }
}

pub(super) fn reach(In(who): In<Id>, ph: PhasedQuery) -> Vec<Reach> {
    ends_of(&ph, who, walk(&ph, who))
}

pub(super) fn declared_reach(In(who): In<Id>, ph: PhasedQuery) -> Vec<Reach> {
    ends_of(&ph, who, declared_walk(&ph, who))
}

fn ends_of(ph: &PhasedQuery, who: Id, walk: Option<(&'static Action, u16)>) -> Vec<Reach> {
    let Some((verb, feet)) = walk else {
        return vec![];
    };
    let ends = walk_ends(ph, who, verb, feet).into_iter();
    let reach = |MoveEnd { to: cell, feet, .. }| Reach {
        cell,
        feet,
        // All cells take the same action, so none of them costs more than the others.
        cost: Cost::Plain,
    };
    ends.map(reach).collect()
}

/// The unit's path to a cell; `None` if it cannot go there, or with waypoints in `via`: custom
/// paths are for the major move, and the battle prices them.
pub(super) fn way(world: &mut World, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
    fn read(In((who, to)): In<(Id, Cell)>, ph: PhasedQuery) -> Option<Way> {
        let (verb, feet) = walk(&ph, who)?;
        let mut ends = walk_ends(&ph, who, verb, feet).into_iter();
        let feet = ends.find(|end| end.to == to)?.feet;
        let start = std::iter::once(ph.body(who).at);
        let path = match verb == &FLEE {
            true => ph.flight_path(who, to),
            false => ph.path(who, ph.rate(who), to),
        };
        let price = match verb == &GO {
            true => "uses the major action",
            false if verb == &SHIFT => "uses a minor action",
            false => "declared flight",
        };
        Some(Way {
            orders: vec![Choice::new(verb, who).to(to)],
            cost: Cost::Plain,
            price: price.into(),
            feet,
            path: start.chain(path).collect(),
            provoked: vec![],
            fall: 0,
            shots: vec![],
        })
    }
    if !via.is_empty() {
        return None;
    }
    let mut way = run_system(world, read, (who, to))?;
    way.provoked = run_system(world, super::attacks::provoked, way.orders[0].clone());
    Some(way)
}
