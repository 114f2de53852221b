//! Where somebody could go and what that draws: what the readers share.

use super::{Cost, Drawn, Reach, Way};
use crate::{
    battle::{Choice, Id, View, Words},
    control::orders::standing_at,
    grid::{Cell, Price, Range, StepRules},
};
use bevy::ecs::world::World;

/// Where a range ends, but for where it begins.
pub(super) fn ends(range: &Range, cost: Cost) -> impl Iterator<Item = Reach> + '_ {
    let (here, all) = (range.from(), range.cells());
    let ends = all.filter(move |end| end.may_stop && end.cell != here);
    ends.map(move |end| Reach {
        cell: end.cell,
        feet: end.feet,
        cost,
    })
}

/// The path that a player lays by hand (GR-33), by way of some cells in their
/// order, both ends included. A step to a neighbour is taken as it is, be it
/// over a ledge.
pub(super) fn laid(walk: &StepRules, from: Cell, via: &[Cell], to: Cell) -> Option<Vec<Cell>> {
    let mut path = vec![from];
    for &next in via.iter().chain([&to]) {
        let last = *path.last()?;
        if last == next {
            continue;
        }
        match walk.step(last, next) {
            Ok(_) => path.push(next),
            Err(_) => path.extend_from_slice(walk.path(last, next)?.get(1..)?),
        }
    }
    Some(path)
}

/// The path of one move by hand or, by way of nothing, the cheapest, with its
/// price. `None`: nobody can stop there, or it is longer than that many feet.
pub(super) fn one_move(
    walk: &StepRules,
    from: Cell,
    via: &[Cell],
    to: Cell,
    most: u16,
) -> Option<(Vec<Cell>, Price)> {
    let path = match via {
        [] => walk.path(from, to)?,
        via => laid(walk, from, via, to)?,
    };
    let price = walk.price(&path).ok()?;
    (price.feet <= most && walk.may_stop(to)).then_some((path, price))
}

impl Way {
    /// One move along a path, before what it draws is known.
    pub(super) fn of(
        order: Choice,
        path: Vec<Cell>,
        price: &Price,
        (cost, words): (Cost, impl Into<Words>),
    ) -> Self {
        Self {
            orders: vec![order],
            cost,
            price: words.into(),
            feet: price.feet,
            path,
            drawn: vec![],
            fall: deepest(price),
            shots: vec![],
        }
    }
}

/// Feet of the deepest fall on a way.
pub(super) fn deepest(price: &Price) -> u16 {
    let falls = price.steps.iter().map(|step| step.fall);
    falls.max().unwrap_or(0)
}

/// A way before the attacks on it are priced: for each the foe and the step.
pub(super) struct Route {
    pub way: Way,
    pub strikes: Vec<(Id, usize)>,
}

impl Route {
    /// With the chance of each attack, the one who goes being where it comes.
    pub fn priced(self, world: &mut World, who: Id, chance: impl Fn(&mut World, Id) -> u32) -> Way {
        let Self { mut way, strikes } = self;
        for (by, step) in strikes {
            let at = way.path[step];
            let percent = standing_at(world, who, at, |world| chance(world, by));
            way.drawn.push(Drawn { by, step, percent });
        }
        way
    }
}

/// Those who strike on a path, each once, with the step at which they do:
/// `who` tells, of a step from one cell to the next, as a bit set.
pub(super) fn strikes(
    view: &View,
    path: &[Cell],
    who: impl Fn(Cell, Cell) -> u64,
) -> Vec<(Id, usize)> {
    let (mut out, mut asked) = (vec![], 0);
    for (n, step) in path.windows(2).enumerate() {
        let now = who(step[0], step[1]) & !asked;
        asked |= now;
        let foes = view.ids().filter(|id| now & id.bit() != 0);
        out.extend(foes.map(|by| (by, n)));
    }
    out
}

impl Drawn {
    /// One that is drawn where one stands.
    pub fn here(by: Id, percent: u32) -> Self {
        Self {
            by,
            step: 0,
            percent,
        }
    }
}
