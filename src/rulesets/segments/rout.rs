//! Those who lost heart: they fall back, or make for an exit (SE-55).

use super::{
    Segments, acts,
    events::SegmentsEvent,
    se::Se,
    state::Fear,
    stride::{self, Pace},
};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{Escape, EscapeLeg, EventKind, Id, Prefers, StepOutcome},
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

fn flee(In(Flee { who }): In<Flee>, se: Se) -> StepOutcome {
    let fear = se.fighter(who).fear;
    if !se.is_up(who) || fear == Fear::None {
        return StepOutcome::default();
    }
    let mut outcome = StepOutcome::default();
    if se.body(who).prone {
        outcome.emit("SE-55", EventKind::Prone { who, prone: false });
        a_segment_later(&se, who, &mut outcome);
        return outcome;
    }
    if fear == Fear::FallsBack {
        let (pace, path) = se.way_back(who);
        outcome.emit("SE-55", SegmentsEvent::Spent { who, next: None }.event());
        outcome.emit(
            "SE-55",
            SegmentsEvent::Afraid {
                who,
                fear: Fear::None,
            }
            .event(),
        );
        return outcome.then(stride::go(who, pace, path, 0));
    }
    if acts::can_leave(&se, who).is_ok() {
        outcome.emit("SE-55", SegmentsEvent::Spent { who, next: None }.event());
        acts::make_off(&se, who, &mut outcome);
        return outcome;
    }
    match se.way_out(who) {
        None => outcome.emit("SE-55", SegmentsEvent::FightsOn { who }.event()),
        Some(EscapeLeg::Open(cell)) => {
            let open = true;
            outcome.emit(
                "GR-02",
                EventKind::DoorMoved {
                    by: who,
                    cell,
                    open,
                },
            );
            a_segment_later(&se, who, &mut outcome);
        }
        Some(EscapeLeg::Run(path)) => {
            outcome.emit("SE-55", SegmentsEvent::Spent { who, next: None }.event());
            outcome.push(stride::go(who, Pace::Move, path, se.strikers(who)));
            outcome.push(LeaveStep::<Segments>::of(who));
        }
        Some(EscapeLeg::Wait) => {
            outcome.emit("SE-55", SegmentsEvent::Spent { who, next: None }.event())
        }
    }
    outcome
}

/// What it did takes a segment; then it runs on.
fn a_segment_later(se: &Se, who: Id, outcome: &mut StepOutcome) {
    let until = se.clock.segment + 1;
    if se.clock.round == 0 || i32::from(until) > numbers::ROUND {
        outcome.emit("SE-55", SegmentsEvent::Spent { who, next: None }.event());
    } else {
        outcome.emit("SE-55", SegmentsEvent::Delayed { who, until }.event());
    }
}

impl Se<'_, '_> {
    /// How it goes on towards the nearest exit. `None`: there is no way to any.
    pub fn way_out(&self, who: Id) -> Option<EscapeLeg> {
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
            apart.min().unwrap_or(0) * numbers::NEXT_TO
        };
        let ends = range.cells().filter(|end| end.may_stop);
        let best = ends.min_by_key(|end| (std::cmp::Reverse(far(end)), end.feet, end.cell));
        let path = best.map_or(vec![], |end| range.path(end.cell));
        (pace, path.into_iter().skip(1).collect())
    }
}
