//! Those whose morale broke make for an exit (SK-60).

use super::{
    acts::Struggle,
    fighter::{Action, Sk as Fact},
    grapple::let_go,
    sk::Sk,
    stride::Stride,
};
use crate::{
    battle::{Change, Flow, Id, movement::Ways},
    grid::{Board, Cell, Range, Reached, Space},
    system_step,
};
use bevy::ecs::system::In;

/// The turn of somebody who flees: it runs with all its actions and leaves
/// when it gets there. Nobody is asked.
#[derive(Clone, Debug)]
pub struct Flee {
    pub who: Id,
}
system_step!(Flee, flee);

fn flee(In(Flee { who }): In<Flee>, sk: Sk) -> Flow {
    let flow = Flow::default();
    if !sk.can_act(who) || !sk.fighter(who).fleeing {
        return flow;
    }
    // SK-51: who runs holds nobody, and must get loose first.
    if sk.holds(who).is_some() {
        let mut flow = flow;
        let_go(&sk, who, "SK-51", &mut flow);
        return flow.then(Flee { who });
    }
    if sk.grip(who).held_by != 0 {
        let action = Action::Main;
        return match sk.fighter(who).mains {
            0 => flow,
            _ => flow
                .and("SK-51", Fact::Spent { who, action }.event())
                .then(Struggle { who })
                .then(Flee { who }),
        };
    }
    if super::acts::can_leave(&sk, who) {
        return leave(&sk, who);
    }
    if !sk.fighter(who).can_move() {
        return flow;
    }
    let mut flow = flow;
    sk.reveal(who, &mut flow);
    let Some(way) = sk.way_out(who) else {
        return flow.and("SK-60", Fact::FightsOn { who }.event());
    };
    let action = sk.fighter(who).move_price();
    let mut flow = flow.and("SK-60", Fact::Spent { who, action }.event());
    match way {
        Way::Rise => super::acts::rise(&sk, who, &mut flow),
        Way::Open(cell) => {
            let open = true;
            flow.emit(
                "GR-02",
                Change::DoorMoved {
                    by: who,
                    cell,
                    open,
                },
            );
        }
        Way::Run(path) => flow.push(Stride::new(who, path)),
        Way::Wait => return flow,
    }
    flow.then(Flee { who })
}

/// It is gone; if the level says so it comes back so many rounds later, once.
fn leave(sk: &Sk, who: Id) -> Flow {
    let flow = Flow::default().and("SK-60", Change::Fled { who });
    let side = sk.body(who).side;
    let later = sk.view.level().sides[side.index()].fled_return;
    match later.filter(|_| sk.fighter(who).returns.is_none()) {
        Some(rounds) => {
            let round = sk.clock.round.saturating_add(rounds.min(1000) as u16);
            flow.and("SK-60", Fact::WillReturn { who, round }.event())
        }
        None => flow,
    }
}

/// What one who flees does with its next Move.
#[derive(Clone, PartialEq, Debug)]
pub enum Way {
    Rise,
    /// A shut door is in the way.
    Open(Cell),
    Run(Vec<Cell>),
    /// Its own people are in the way.
    Wait,
}

impl Sk<'_, '_> {
    /// How it goes on towards an exit: by the way that draws fewest attacks,
    /// then the shortest (SK-60). `None`: there is no way to any exit.
    pub fn way_out(&self, who: Id) -> Option<Way> {
        if self.body(who).prone {
            return Some(Way::Rise);
        }
        let ways = self.ways(who);
        let quiet = ways.avoiding_threats(self.body(who).at);
        let range = |board: &Board, ways: &Ways| {
            let from = self.body(who).at;
            self.view
                .walk_on(board, who, ways, |walk| walk.range(from, u16::MAX))
        };
        let board: &Board = &self.view.board;
        let unlocked = || {
            let mut open = board.clone();
            board.doors().for_each(|door| {
                open.set_door(door, true);
            });
            open
        };
        let tries: [&dyn Fn() -> Range; 3] =
            [&|| range(board, &quiet), &|| range(board, &ways), &|| {
                range(&unlocked(), &ways)
            }];
        let (range, goal) = tries.into_iter().find_map(|search| {
            let range = search();
            let goal = self.nearest_exit(who, &range)?;
            Some((range, goal))
        })?;
        Some(self.first_move(who, &range, goal))
    }

    /// Of the places from which it could leave, the one that draws fewest
    /// attacks, then the nearest. One that an ally takes up is for when there
    /// is no other: it may clear.
    fn nearest_exit(&self, who: Id, range: &Range) -> Option<Cell> {
        let size = self.body(who).size;
        let exits: Vec<Cell> = self.view.exits(who).collect();
        let leaves = |end: &Reached| {
            let space = Space::new(end.cell, size);
            exits.iter().any(|&exit| space.contains(exit))
        };
        let rank = |end: &Reached| {
            let drawn = end.provoked.count_ones();
            (!end.may_stop, drawn, end.feet, end.cell)
        };
        let best = range.cells().filter(leaves).min_by_key(rank);
        best.map(|end| end.cell)
    }

    /// As much of the way to `goal` as one Move does.
    fn first_move(&self, who: Id, range: &Range, goal: Cell) -> Way {
        let (speed, size) = (self.speed(who), self.body(who).size);
        let mut way = vec![];
        for cell in range.path(goal).into_iter().skip(1) {
            let shut = Space::new(cell, size)
                .cells()
                .find(|&c| self.view.board.door(c) == Some(false));
            match shut {
                Some(door) if way.is_empty() => return Way::Open(door),
                Some(_) => break,
                None if range.get(cell).is_some_and(|end| end.feet <= speed) => way.push(cell),
                None => break,
            }
        }
        // Nobody ends a move in an ally's cell.
        while way
            .last()
            .is_some_and(|&c| range.get(c).is_some_and(|end| !end.may_stop))
        {
            way.pop();
        }
        if way.is_empty() {
            Way::Wait
        } else {
            Way::Run(way)
        }
    }
}
