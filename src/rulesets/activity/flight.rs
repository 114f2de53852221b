//! Those whose morale broke make for an exit (AC-37).

use super::{ac::Ac, event::Fact, stride};
use crate::{
    battle::{Change, Escape, Flow, Id, Leg, Prefers},
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
    match ac.way_out(who, percent) {
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
            let feet = ac.feet(who, percent, false);
            flow.then(stride::go(who, feet, path)).then(Slip { who })
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
    let mut flow = Flow::default();
    ac.view.leave(who, "AC-37", &mut flow);
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
    /// How it goes on towards an exit, with so much of the round left: by the
    /// way that draws fewest attacks, then the shortest. `None`: there is no
    /// way to any exit.
    pub fn way_out(&self, who: Id, percent: i32) -> Option<Leg> {
        let ways = self.ways(who, false);
        self.view.way_out(&Escape {
            who,
            ways: &ways,
            prefers: Prefers::FewAttacks,
            feet: self.feet(who, percent, false),
            walk_on: &|board, ways, search| self.view.walk_on(board, who, ways, search),
            may_stop: &|walk, cell| walk.may_stop(cell),
        })
    }
}
