//! Those whose morale broke make for an exit (SK-60).

use super::{
    fighter::{Action, Sk as Fact},
    sk::Sk,
    stride::Stride,
};
use crate::{
    battle::{Change, Flow, Id},
    grid::Cell,
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
    if !sk.is_up(who) || !sk.fighter(who).fleeing {
        return flow;
    }
    if super::acts::can_leave(&sk, who) {
        return flow.and("SK-60", Change::Fled { who });
    }
    if !sk.fighter(who).can_move() {
        return flow;
    }
    let Some(way) = sk.way_out(who) else {
        return flow.and("SK-60", Fact::FightsOn { who }.event());
    };
    let action = sk.fighter(who).move_price();
    let flow = flow.and("SK-60", Fact::Spent { who, action }.event());
    if sk.body(who).prone && action == Action::Move {
        return flow
            .and("SK-24", Change::Prone { who, prone: false })
            .then(Flee { who });
    }
    if way.is_empty() {
        return flow;
    }
    flow.then(Stride::new(who, way)).then(Flee { who })
}

impl Sk<'_, '_> {
    /// The safest way towards an exit, as far as one Move takes it: fewest
    /// attacks drawn, then fewest feet (SK-60). `None`: no exit can be reached.
    pub fn way_out(&self, who: Id) -> Option<Vec<Cell>> {
        let range = {
            let ways = self.ways(who);
            self.view
                .walk(who, &ways, |walk| walk.range(self.body(who).at, u16::MAX))
        };
        let goal = self
            .exits(who)
            .filter_map(|cell| Some((range.get(cell)?, cell)))
            .filter(|(reach, _)| reach.may_stop)
            .min_by_key(|(reach, cell)| (reach.provoked.count_ones(), reach.feet, *cell))?
            .1;
        let path = range.path(goal).split_off(1);
        let affordable = |c: &&Cell| range.get(**c).is_some_and(|r| r.feet <= self.speed(who));
        let mut now: Vec<Cell> = path.iter().take_while(affordable).copied().collect();
        // Nobody ends a move in an ally's cell.
        while now
            .last()
            .is_some_and(|&c| range.get(c).is_some_and(|r| !r.may_stop))
        {
            now.pop();
        }
        Some(now)
    }
}
