//! Those who lost heart: they fall back, or make for an exit (SE-55).

use super::{
    Segments, acts,
    facts::Fact,
    fighter::{Fear, ROUND},
    se::{NEXT_TO, Se},
    stride::{self, Pace},
};
use crate::{
    battle::{Change, Escape, Flow, Id, Leg, Prefers},
    grid::{Cell, Reached, Space, cells_apart},
    rulesets::common::leave::LeaveStep,
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
        let (pace, path) = se.way_back(who);
        flow.emit("SE-55", Fact::Spent { who, next: None }.event());
        flow.emit(
            "SE-55",
            Fact::Afraid {
                who,
                fear: Fear::None,
            }
            .event(),
        );
        return flow.then(stride::go(who, pace, path, 0));
    }
    if acts::can_leave(&se, who).is_ok() {
        flow.emit("SE-55", Fact::Spent { who, next: None }.event());
        acts::make_off(&se, who, &mut flow);
        return flow;
    }
    match se.way_out(who) {
        None => flow.emit("SE-55", Fact::FightsOn { who }.event()),
        Some(Leg::Open(cell)) => {
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
        Some(Leg::Run(path)) => {
            flow.emit("SE-55", Fact::Spent { who, next: None }.event());
            flow.push(stride::go(who, Pace::Move, path, se.strikers(who)));
            flow.push(LeaveStep::<Segments>::of(who));
        }
        Some(Leg::Wait) => flow.emit("SE-55", Fact::Spent { who, next: None }.event()),
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

impl Se<'_, '_> {
    /// How it goes on towards the nearest exit. `None`: there is no way to any.
    pub fn way_out(&self, who: Id) -> Option<Leg> {
        let ways = self.ways(who, self.strikers(who));
        self.view.way_out(&Escape {
            who,
            ways: &ways,
            prefers: Prefers::ShortWays,
            feet: self.speed(who),
            walk_on: &|board, ways, search| self.view.walk_on(board, who, ways, search),
            may_stop: &|walk, cell| walk.may_stop(cell),
        })
    }

    /// Where one falls back to: out of the melee at half speed, as far from
    /// all foes as it gets.
    fn way_back(&self, who: Id) -> (Pace, Vec<Cell>) {
        let pace = match self.is_engaged(who) {
            true => Pace::Withdraw,
            false => Pace::Move,
        };
        let range = self.quiet_range(who, self.feet(who, pace));
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
        let path = best.map_or(vec![], |end| range.path(end.cell));
        (pace, path.into_iter().skip(1).collect())
    }
}
