//! Those whose morale broke make for an exit (SK-60).

use super::{
    Skirmish, acts::Struggle, events::SkirmishEvent, grapple::let_go, sk::Sk, state::ActionCost,
    stride,
};
use crate::{
    battle::{Escape, EscapeLeg, EventKind, Id, Prefers, Rule, StepOutcome},
    rulesets::common::leave::{Leaves, be_gone},
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

fn flee(In(Flee { who }): In<Flee>, sk: Sk) -> StepOutcome {
    let outcome = StepOutcome::default();
    if !sk.can_act(who) || !sk.fighter(who).fleeing {
        return outcome;
    }
    // SK-51: who runs holds nobody, and must get loose first.
    if sk.holds(who).is_some() {
        let mut outcome = outcome;
        let_go(&sk, who, "SK-51", &mut outcome);
        return outcome.then(Flee { who });
    }
    if sk.grip(who).held_by != 0 {
        let action = ActionCost::Main;
        return match sk.fighter(who).mains {
            0 => outcome,
            _ => outcome
                .and("SK-51", SkirmishEvent::Spent { who, action }.event())
                .then(Struggle { who })
                .then(Flee { who }),
        };
    }
    if super::acts::can_leave(&sk, who) {
        let mut outcome = outcome;
        be_gone::<Skirmish>(&sk, who, &mut outcome);
        return outcome;
    }
    if !sk.fighter(who).can_move() {
        return outcome;
    }
    let mut outcome = outcome;
    sk.reveal(who, &mut outcome);
    let action = sk.fighter(who).move_price();
    if sk.body(who).prone {
        outcome.emit("SK-60", SkirmishEvent::Spent { who, action }.event());
        super::acts::rise(&sk, who, &mut outcome);
        return outcome.then(Flee { who });
    }
    let Some(leg) = sk.way_out(who) else {
        return outcome.and("SK-60", SkirmishEvent::FightsOn { who }.event());
    };
    let mut outcome = outcome.and("SK-60", SkirmishEvent::Spent { who, action }.event());
    match leg {
        EscapeLeg::Open(cell) => {
            let open = true;
            outcome.emit(
                "GR-02",
                EventKind::DoorMoved {
                    by: who,
                    cell,
                    open,
                },
            );
        }
        EscapeLeg::Run(path) => outcome.push(stride::run(who, path)),
        EscapeLeg::Wait => return outcome,
    }
    outcome.then(Flee { who })
}

impl Leaves for Skirmish {
    const LEFT: Rule = "SK-60";

    fn has_returned(sk: &Sk, who: Id) -> bool {
        sk.fighter(who).returns.is_some()
    }

    fn will_return(who: Id, round: u16) -> EventKind {
        SkirmishEvent::WillReturn { who, round }.event()
    }
}

impl Sk<'_, '_> {
    /// How it goes on towards an exit with its next Move: by the way that draws
    /// fewest attacks, then the shortest (SK-60). `None`: there is no way to
    /// any exit.
    pub fn way_out(&self, who: Id) -> Option<EscapeLeg> {
        let ways = self.ways(who);
        self.view.way_out(&Escape {
            who,
            ways: &ways,
            prefers: Prefers::FewAttacks,
            feet: self.speed(who),
            walk_on: &|board, ways, search| self.view.walk_on(board, who, ways, search),
            may_stop: &|walk, cell| walk.may_stop(cell),
        })
    }
}
