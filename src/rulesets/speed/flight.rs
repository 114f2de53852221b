//! Those whose morale broke make for an exit (SP-30).

use super::{
    acts::{Stride, can_leave},
    facts::Fact,
    sp::{Sp, numbers},
    state::Hurt,
    tables::Condition,
};
use crate::{
    battle::{Change, DiceBox, Flow, Id},
    content::Ability,
    grid::{Board, Cell, Range, Reached, Space},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// The turn of somebody who flees: it runs as far as it can and leaves when it
/// gets there. Nobody is asked.
#[derive(Clone, Debug)]
pub struct Flee {
    pub who: Id,
}
system_step!(Flee, flee);

fn flee(In(Flee { who }): In<Flee>, sp: Sp, mut dice: ResMut<DiceBox>) -> Flow {
    let mut flow = Flow::default();
    if !sp.is_up(who) || sp.can_act(who).is_err() {
        return flow;
    }
    if can_leave(&sp, who) {
        return flow
            .and("SP-30", Fact::Gone { who }.event())
            .and("SP-30", Change::Fled { who });
    }
    let fighter = sp.fighter(who);
    let ready = !fighter.standard && sp.may_act(who).is_ok();
    if fighter.suffers(Condition::Grappled) {
        if ready {
            flow.emit("SP-07", Fact::Standard { who }.event());
            let check = sp.check(who, "break free", None, Ability::Strength, "SP-32");
            let roll = check.roll(&mut dice);
            let passed = roll.total() >= numbers().break_free;
            flow.emit("SP-32", check.told(roll, Some(numbers().break_free)));
            if passed {
                let condition = Condition::Grappled;
                flow.emit("SP-32", Fact::Recovered { who, condition }.event());
                return flow.then(Flee { who });
            }
        }
        return flow;
    }
    if sp.body(who).prone && ready && !fighter.has(Hurt::Lamed) {
        flow.emit("SP-07", Fact::Standard { who }.event());
        flow.emit("SP-30", Change::Prone { who, prone: false });
        return flow.then(Flee { who });
    }
    let Ok(left) = sp.feet_left(who) else {
        return flow;
    };
    match sp.way_out(who) {
        None => flow.and("SP-30", Fact::Surrendered { who }.event()),
        Some((range, goal)) => match sp.first_move(who, &range, goal, left) {
            Way::Open(cell) if ready => {
                flow.emit("SP-07", Fact::Standard { who }.event());
                let (by, open) = (who, true);
                flow.emit("GR-02", Change::DoorMoved { by, cell, open });
                flow.then(Flee { who })
            }
            Way::Run(path) => flow.then(Stride::new(who, path)).then(Flee { who }),
            _ => flow,
        },
    }
}

/// What one who flees does next.
#[derive(Clone, PartialEq, Debug)]
pub enum Way {
    /// A shut door is in the way.
    Open(Cell),
    Run(Vec<Cell>),
    /// Its own people are in the way, or its feet are spent.
    Wait,
}

impl Sp<'_, '_> {
    /// The way to an exit that draws fewest ripostes, then the shortest.
    /// `None`: it is cut off.
    pub fn way_out(&self, who: Id) -> Option<(Range, Cell)> {
        let ways = self.ways(who);
        let from = self.body(who).at;
        let quiet = ways.avoiding_threats(from);
        let board: &Board = &self.view.board;
        let range =
            |board: &Board, ways| self.walk_on(board, who, ways, |w| w.range(from, u16::MAX));
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
        tries.into_iter().find_map(|search| {
            let range = search();
            let goal = self.nearest_exit(who, &range)?;
            Some((range, goal))
        })
    }

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
        range
            .cells()
            .filter(leaves)
            .min_by_key(rank)
            .map(|end| end.cell)
    }

    /// As much of the way to `goal` as the feet that are left do.
    fn first_move(&self, who: Id, range: &Range, goal: Cell, left: u16) -> Way {
        let size = self.body(who).size;
        let mut way = vec![];
        for cell in range.path(goal).into_iter().skip(1) {
            let shut = Space::new(cell, size)
                .cells()
                .find(|&c| self.view.board.door(c) == Some(false));
            match shut {
                Some(door) if way.is_empty() => return Way::Open(door),
                Some(_) => break,
                None if range.get(cell).is_some_and(|end| end.feet <= left) => way.push(cell),
                None => break,
            }
        }
        // Nobody ends a move in an ally's cell.
        let stops = |cell: &Cell| range.get(*cell).is_some_and(|end| end.may_stop);
        while way.last().is_some_and(|cell| !stops(cell)) {
            way.pop();
        }
        match way.is_empty() {
            true => Way::Wait,
            false => Way::Run(way),
        }
    }
}
