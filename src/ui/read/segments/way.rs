//! Where one may move under Segments: at will; or out of a melee, slowly and
//! in order, or running, with blows at the back (SE-51, SE-52).

use super::odds::at_back;
use crate::{
    battle::{Action, Choice, Id},
    grid::{Cell, Range},
    rulesets::segments::{
        acts::{MOVE, WITHDRAW, can_move_now},
        se::Se,
    },
    ui::read::{Cost, Drawn, Reach, Way, laid, run, standing_at},
};
use bevy::ecs::{system::In, world::World};

/// One kind of move, and as far as it goes.
struct Gait {
    verb: &'static Action,
    feet: u16,
    /// Those who strike when it leaves them, as a bit set.
    strikers: u64,
    cost: Cost,
    price: &'static str,
}

/// The kinds of moves that somebody has now, the better first: who can
/// withdraw to a cell does not run there.
fn gaits(se: &Se, who: Id) -> Vec<Gait> {
    if can_move_now(se, who).is_err() {
        return vec![];
    }
    let speed = se.speed(who);
    let gait = |verb, feet, strikers, cost, price| Gait {
        verb,
        feet,
        strikers,
        cost,
        price,
    };
    if !se.is_engaged(who) {
        return vec![gait(&MOVE, speed, 0, Cost::Plain, "this round's action")];
    }
    let strikers = se.strikers(who);
    vec![
        gait(
            &WITHDRAW,
            speed / 2,
            0,
            Cost::Plain,
            "withdraws, at half speed",
        ),
        gait(&MOVE, speed, strikers, Cost::Dear, "runs from the melee"),
    ]
}

fn range(se: &Se, who: Id, gait: &Gait) -> Range {
    let ways = se.ways(who, gait.strikers);
    let from = se.body(who).at;
    se.view.walk(who, &ways, |walk| walk.range(from, gait.feet))
}

pub(super) fn reach(In(who): In<Id>, se: Se) -> Vec<Reach> {
    let here = se.body(who).at;
    let mut out: Vec<Reach> = vec![];
    for gait in gaits(&se, who) {
        let range = range(&se, who, &gait);
        for end in range.cells().filter(|e| e.may_stop && e.cell != here) {
            if out.iter().all(|r| r.cell != end.cell) {
                let (cell, feet, cost) = (end.cell, end.feet, gait.cost);
                out.push(Reach { cell, feet, cost });
            }
        }
    }
    out
}

/// A way before the blows at the back are priced: for each the foe and the
/// step.
struct Route {
    way: Way,
    strikes: Vec<(Id, usize)>,
}

pub(super) fn way(world: &mut World, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
    fn struck(In((by, who)): In<(Id, Id)>, se: Se) -> u32 {
        at_back(&se, by, who)
    }
    let Route { mut way, strikes } = run(world, route, (who, via.to_vec(), to))?;
    for (by, step) in strikes {
        let at = way.path[step];
        let percent = standing_at(world, who, at, |world| run(world, struck, (by, who)));
        way.drawn.push(Drawn { by, step, percent });
    }
    Some(way)
}

fn route(In((who, via, to)): In<(Id, Vec<Cell>, Cell)>, se: Se) -> Option<Route> {
    if to == se.body(who).at {
        return None;
    }
    gaits(&se, who)
        .iter()
        .find_map(|gait| by_gait(&se, who, gait, &via, to))
}

fn by_gait(se: &Se, who: Id, gait: &Gait, via: &[Cell], to: Cell) -> Option<Route> {
    let ways = se.ways(who, gait.strikers);
    let here = se.body(who).at;
    let path = se.view.walk(who, &ways, |walk| match via {
        [] => {
            let range = walk.range(here, gait.feet);
            let path = range.get(to).filter(|end| end.may_stop);
            path.map(|_| range.path(to))
        }
        via => laid(walk, here, via, to).filter(|_| walk.may_stop(to)),
    })?;
    let price = se.view.walk(who, &ways, |walk| walk.price(&path)).ok()?;
    if price.feet > gait.feet {
        return None;
    }
    let (mut strikes, mut asked) = (vec![], 0);
    for (n, step) in path.windows(2).enumerate() {
        let left = ways.left(step[0], step[1]) & !asked;
        asked |= left;
        let foes = se.view.ids().filter(|id| left & id.bit() != 0);
        strikes.extend(foes.map(|by| (by, n)));
    }
    let order = Choice {
        along: (!via.is_empty()).then(|| path[1..].into()),
        to: Some(to),
        ..Choice::new(gait.verb, who)
    };
    let falls = price.steps.iter().map(|step| step.fall);
    let way = Way {
        orders: vec![order],
        cost: gait.cost,
        price: gait.price.into(),
        feet: price.feet,
        fall: falls.max().unwrap_or(0),
        path,
        drawn: vec![],
        shots: vec![],
    };
    Some(Route { way, strikes })
}
