//! Those whose morale broke make for an exit (AC-37).

use super::{Activity, ac::Ac, event::Fact, stride};
use crate::{
    battle::{Change, Escape, Flow, Id, Leg, Prefers, Rule},
    rulesets::common::leave::{LeaveStep, Leaves, be_gone},
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
        let mut flow = flow;
        be_gone::<Activity>(&ac, who, &mut flow);
        return flow;
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
            flow.then(stride::go(who, feet, path))
                .then(LeaveStep::<Activity>::of(who))
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

impl Leaves for Activity {
    const LEFT: Rule = "AC-37";

    fn round(ac: &Ac) -> u16 {
        ac.clock.round
    }

    fn has_returned(ac: &Ac, who: Id) -> bool {
        ac.actor(who).returns.is_some()
    }

    fn will_return(who: Id, round: u16) -> Change {
        Fact::WillReturn { who, round }.event()
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
