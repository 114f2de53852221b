//! Those whose morale broke make for an exit (AC-37).

use super::{ac::Ac, event::Fact, stride::Stride};
use crate::{
    battle::{Change, Flow, Id, Leg, Prefers, movement::Ways},
    grid::{Board, Cell},
    system_step,
};
use bevy::ecs::system::In;

/// Somebody who flees runs as far as its activity goes. Nobody is asked.
#[derive(Clone, Debug)]
pub struct Flee {
    pub who: Id,
    /// Of the round, for this run.
    pub percent: i32,
}
system_step!(Flee, flee);

fn flee(In(Flee { who, percent }): In<Flee>, ac: Ac) -> Flow {
    let flow = Flow::default();
    if !ac.is_up(who) || !ac.actor(who).fleeing || ac.actor(who).is_helpless() {
        return flow;
    }
    if ac.view.is_at_exit(who) {
        return gone(&ac, who);
    }
    let costs = &ac.tables().costs;
    if ac.body(who).prone {
        if percent < costs.stand_up {
            return flow;
        }
        let flow = flow.and("AC-01", Change::Prone { who, prone: false });
        return again(flow, who, percent - costs.stand_up);
    }
    match ac.way_out(who) {
        None => flow.and("AC-37", Fact::FightsOn { who }.event()),
        Some(Leg::Open(_)) if percent < costs.door => flow,
        Some(Leg::Open(cell)) => {
            let moved = Change::DoorMoved {
                by: who,
                cell,
                open: true,
            };
            again(flow.and("GR-02", moved), who, percent - costs.door)
        }
        Some(Leg::Run(path)) => {
            let path = ac.as_far_as(who, path, ac.feet(who, percent, false));
            if path.is_empty() {
                return flow;
            }
            flow.then(Stride::new(who, path, false)).then(Slip { who })
        }
        Some(Leg::Wait) => flow,
    }
}

fn again(flow: Flow, who: Id, percent: i32) -> Flow {
    if percent <= 0 {
        return flow;
    }
    flow.then(Flee { who, percent })
}

/// Who has come to an exit is gone.
#[derive(Clone, Debug)]
struct Slip {
    who: Id,
}
system_step!(Slip, slip);

fn slip(In(Slip { who }): In<Slip>, ac: Ac) -> Flow {
    let flow = Flow::default();
    if ac.is_up(who) && ac.view.is_at_exit(who) {
        return gone(&ac, who);
    }
    flow
}

/// It has left the field; if the level says so it comes back so many rounds
/// later, once.
pub fn gone(ac: &Ac, who: Id) -> Flow {
    let flow = Flow::default().and("AC-37", Change::Fled { who });
    let side = ac.body(who).side;
    let later = ac.view.level().sides[side.index()].fled_return;
    match later.filter(|_| ac.actor(who).returns.is_none()) {
        Some(rounds) => {
            let round = ac.clock.round.saturating_add(rounds.min(1000) as u16);
            flow.and("AC-37", Fact::WillReturn { who, round }.event())
        }
        None => flow,
    }
}

impl Ac<'_, '_> {
    /// How it goes on towards an exit, as far as no door is shut: by the way
    /// that draws fewest attacks, then the shortest. `None`: there is no way to
    /// any exit.
    pub fn way_out(&self, who: Id) -> Option<Leg> {
        let (ways, from) = (self.ways(who, false), self.body(who).at);
        let range = |board: &Board, ways: &Ways| {
            self.view
                .walk_on(board, who, ways, |walk| walk.range(from, u16::MAX))
        };
        let prefers = Prefers::FewAttacks;
        let route = self.view.route_to_exit(who, &ways, prefers, range)?;
        Some(self.view.first_leg(who, &route, u16::MAX, |_| true))
    }

    /// The part of a path that so many feet pay for, to a cell on which one may
    /// stop.
    pub fn as_far_as(&self, who: Id, mut path: Vec<Cell>, feet: u16) -> Vec<Cell> {
        let ways = self.ways(who, false);
        let from = self.body(who).at;
        self.view.walk(who, &ways, |walk| {
            let pays = |path: &[Cell]| {
                let all: Vec<Cell> = [from].iter().chain(path).copied().collect();
                walk.price(&all).is_ok_and(|price| price.feet <= feet)
            };
            // Nowhere is always near enough.
            let ends = |path: &[Cell]| path.last().is_none_or(|&c| walk.may_stop(c) && pays(path));
            while !ends(&path) {
                path.pop();
            }
        });
        path
    }
}
