//! Standing up and dropping to the ground (AC-01).

use super::{Begin, fixed, row::*};
use crate::{
    battle::{Choice, EventKind, Id},
    rulesets::activity::{
        declared::{DROP_PRONE, STAND_UP},
        query::ActivityQuery,
        state::{ActionKind, PlannedAction},
    },
};

pub(super) const STAND: ActGroup = ActGroup {
    acts: rows! {
        STAND_UP: 'p' "Stand up" Stand, "Get up: 20% of the round.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
    },
    when: ActionCost {
        is: |deed| deed == ActionKind::StandUp,
        cost: |ac, _, _| ac.tables().costs.stand_up,
        begin: Begin::Plain(|_, who, _, doing| {
            let up = EventKind::Prone { who, prone: false };
            doing.effects.emit("AC-01", up);
        }),
    },
    offers: |ac, who, out| {
        if will_lie(ac, who) {
            fixed(ac, Choice::new(&STAND_UP, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::StandUp,
};

pub(super) const DROP: ActGroup = ActGroup {
    acts: rows! {
        DROP_PRONE: 'p' "Prone" Prone, "Drop prone: 20% of the round.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
    },
    when: ActionCost {
        is: |deed| deed == ActionKind::DropProne,
        cost: |ac, _, _| ac.tables().costs.drop_prone,
        begin: Begin::Plain(|_, who, _, doing| {
            let down = EventKind::Prone { who, prone: true };
            doing.effects.emit("AC-01", down);
        }),
    },
    offers: |ac, who, out| {
        if !will_lie(ac, who) {
            fixed(ac, Choice::new(&DROP_PRONE, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::DropProne,
};

/// Whether the unit will be prone after its plan.
fn will_lie(ac: &ActivityQuery, who: Id) -> bool {
    let lies = |lies: bool, planned: &PlannedAction| match planned.deed {
        ActionKind::StandUp => false,
        ActionKind::DropProne => true,
        _ => lies,
    };
    ac.actor(who).plan.iter().fold(ac.body(who).prone, lies)
}
