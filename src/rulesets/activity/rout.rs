//! Those whose morale broke make for an exit (AC-37).

use super::{Activity, ac::Ac, events::ActivityEvent, stride};
use crate::{
    battle::{Escape, EscapeLeg, EventKind, Id, Prefers, Rule, StepOutcome},
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

fn flee(In(Flee { who, percent }): In<Flee>, ac: Ac) -> StepOutcome {
    let outcome = StepOutcome::default();
    if !ac.is_up(who) || !ac.actor(who).fleeing || ac.is_helpless(who) {
        return outcome;
    }
    if ac.view.is_at_exit(who) {
        let mut outcome = outcome;
        be_gone::<Activity>(&ac, who, &mut outcome);
        return outcome;
    }
    let costs = &ac.tables().costs;
    if ac.body(who).prone {
        if percent < costs.stand_up {
            return outcome;
        }
        let outcome = outcome.and("AC-01", EventKind::Prone { who, prone: false });
        return again(outcome, who, percent - costs.stand_up);
    }
    match ac.way_out(who, percent) {
        None => outcome.and("AC-37", ActivityEvent::FightsOn { who }.event()),
        Some(EscapeLeg::Open(_)) if percent < costs.door => outcome,
        Some(EscapeLeg::Open(cell)) => {
            let moved = EventKind::DoorMoved {
                by: who,
                cell,
                open: true,
            };
            again(outcome.and("GR-02", moved), who, percent - costs.door)
        }
        Some(EscapeLeg::Run(path)) => {
            let feet = ac.feet(who, percent, false);
            outcome
                .then(stride::go(who, feet, path))
                .then(LeaveStep::<Activity>::of(who))
        }
        Some(EscapeLeg::Wait) => outcome,
    }
}

fn again(outcome: StepOutcome, who: Id, percent: i32) -> StepOutcome {
    if percent <= 0 {
        return outcome;
    }
    outcome.then(Flee { who, percent })
}

impl Leaves for Activity {
    const LEFT: Rule = "AC-37";

    fn has_returned(ac: &Ac, who: Id) -> bool {
        ac.actor(who).returns.is_some()
    }

    fn will_return(who: Id, round: u16) -> EventKind {
        ActivityEvent::WillReturn { who, round }.event()
    }
}

impl Ac<'_, '_> {
    /// How it goes on towards an exit, with so much of the round left: by the
    /// way that draws fewest attacks, then the shortest. `None`: there is no
    /// way to any exit.
    pub fn way_out(&self, who: Id, percent: i32) -> Option<EscapeLeg> {
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
