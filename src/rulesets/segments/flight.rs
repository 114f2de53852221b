//! Those who lost heart: they fall back, or make for an exit (SE-55).

use super::{
    acts,
    facts::Fact,
    fighter::{Fear, ROUND},
    se::{NEXT_TO, Se},
    stride::Stride,
};
use crate::{
    battle::{Change, Flow, Id, movement::Ways},
    grid::{Board, Cell, Range, Reached, Space, cells_apart},
    system_step,
};
use bevy::ecs::system::In;

/// The action of somebody who is afraid. Nobody is asked.
#[derive(Clone, Debug)]
pub struct Flee {
    pub who: Id,
}
system_step!(Flee, flee);

fn flee(In(Flee { who }): In<Flee>, se: Se) -> Flow {
    let fear = se.fighter(who).fear;
    if !se.is_up(who) || fear == Fear::None {
        return Flow::default();
    }
    let mut flow = Flow::default();
    if se.body(who).prone {
        flow.emit("SE-55", Change::Prone { who, prone: false });
        a_segment_later(&se, who, &mut flow);
        return flow;
    }
    if fear == Fear::FallsBack {
        let path = se.way_back(who);
        flow.emit("SE-55", Fact::Spent { who, next: None }.event());
        flow.emit(
            "SE-55",
            Fact::Afraid {
                who,
                fear: Fear::None,
            }
            .event(),
        );
        return flow.then(Stride::new(who, path, 0));
    }
    if acts::can_leave(&se, who).is_ok() {
        flow.emit("SE-55", Fact::Spent { who, next: None }.event());
        acts::make_off(&se, who, &mut flow);
        return flow;
    }
    match se.way_out(who) {
        None => flow.emit("SE-55", Fact::FightsOn { who }.event()),
        Some(Way::Open(cell)) => {
            let open = true;
            flow.emit(
                "GR-02",
                Change::DoorMoved {
                    by: who,
                    cell,
                    open,
                },
            );
            a_segment_later(&se, who, &mut flow);
        }
        Some(Way::Run(path)) => {
            flow.emit("SE-55", Fact::Spent { who, next: None }.event());
            flow.push(Stride::new(who, path, se.strikers(who)));
            flow.push(Out { who });
        }
        Some(Way::Wait) => flow.emit("SE-55", Fact::Spent { who, next: None }.event()),
    }
    flow
}

/// What it did takes a segment; then it runs on.
fn a_segment_later(se: &Se, who: Id, flow: &mut Flow) {
    let until = se.clock.segment + 1;
    if se.clock.round == 0 || i32::from(until) > ROUND {
        flow.emit("SE-55", Fact::Spent { who, next: None }.event());
    } else {
        flow.emit("SE-55", Fact::Delayed { who, until }.event());
    }
}

/// Whose run has ended on an exit is gone.
#[derive(Clone, Debug)]
struct Out {
    who: Id,
}
system_step!(Out, out);

fn out(In(Out { who }): In<Out>, se: Se) -> Flow {
    let mut flow = Flow::default();
    if se.is_up(who) && acts::can_leave(&se, who).is_ok() {
        acts::be_gone(&se, who, &mut flow);
    }
    flow
}

/// How one who flees goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum Way {
    /// A shut door is in the way.
    Open(Cell),
    Run(Vec<Cell>),
    /// Its own people are in the way.
    Wait,
}

impl Se<'_, '_> {
    /// The way to an exit: the nearest there is, by open doors, else through
    /// shut ones. `None`: there is no way to any exit.
    pub fn way_out(&self, who: Id) -> Option<Way> {
        let ways = self.ways(who, self.strikers(who));
        let board: &Board = &self.view.board;
        let found = self.way_on(board, who, &ways).or_else(|| {
            let mut open = board.clone();
            for door in board.doors().collect::<Vec<_>>() {
                open.set_door(door, true);
            }
            self.way_on(&open, who, &ways)
        });
        let (range, goal) = found?;
        Some(self.first_part(who, &range, goal))
    }

    fn way_on(&self, board: &Board, who: Id, ways: &Ways) -> Option<(Range, Cell)> {
        let from = self.body(who).at;
        let range = self
            .view
            .walk_on(board, who, ways, |walk| walk.range(from, u16::MAX));
        let size = self.body(who).size;
        let exits: Vec<Cell> = self.view.exits(who).collect();
        let leaves = |end: &Reached| {
            let space = Space::new(end.cell, size);
            exits.iter().any(|&exit| space.contains(exit))
        };
        // An exit that an ally takes up is for when there is no other.
        let rank = |end: &Reached| {
            let drawn = end.provoked.count_ones();
            (!end.may_stop, end.feet, drawn, end.cell)
        };
        let goal = range.cells().filter(leaves).min_by_key(rank)?.cell;
        Some((range, goal))
    }

    /// As much of the way to `goal` as one move does.
    fn first_part(&self, who: Id, range: &Range, goal: Cell) -> Way {
        let (speed, size) = (self.speed(who), self.body(who).size);
        let mut way = vec![];
        for cell in range.path(goal).into_iter().skip(1) {
            let mut cells = Space::new(cell, size).cells();
            let shut = cells.find(|&c| self.view.board.door(c) == Some(false));
            match shut {
                Some(door) if way.is_empty() => return Way::Open(door),
                Some(_) => break,
                None if range.get(cell).is_some_and(|end| end.feet <= speed) => way.push(cell),
                None => break,
            }
        }
        // Nobody ends a move in an ally's cell.
        let may_stop = |c: &Cell| range.get(*c).is_some_and(|end| end.may_stop);
        while way.last().is_some_and(|c| !may_stop(c)) {
            way.pop();
        }
        if way.is_empty() {
            Way::Wait
        } else {
            Way::Run(way)
        }
    }

    /// Where one falls back to: out of the melee at half speed, as far from
    /// all foes as it gets.
    fn way_back(&self, who: Id) -> Vec<Cell> {
        let feet = if self.is_engaged(who) {
            self.speed(who) / 2
        } else {
            self.speed(who)
        };
        let range = self.quiet_range(who, feet);
        let size = self.body(who).size;
        let foes: Vec<Space> = self
            .view
            .foes(self.body(who).side)
            .map(|foe| self.body(foe).space())
            .collect();
        let far = |end: &Reached| {
            let here = Space::new(end.cell, size);
            let apart = foes.iter().map(|foe| cells_apart(here, *foe));
            apart.min().unwrap_or(0) * NEXT_TO
        };
        let ends = range.cells().filter(|end| end.may_stop);
        let best = ends.min_by_key(|end| (std::cmp::Reverse(far(end)), end.feet, end.cell));
        match best {
            Some(end) => range.path(end.cell).into_iter().skip(1).collect(),
            None => vec![],
        }
    }
}
