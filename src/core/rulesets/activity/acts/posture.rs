//! Standing up and dropping to the ground (AC-01).

use super::{Act, Begin, fixed};
use crate::{
    battle::{Choice, EventKind, Id},
    rulesets::activity::{
        ac::Ac,
        declared::{DROP_PRONE, STAND_UP},
        state::{Deed, Planned},
    },
};

pub(super) const STAND: Act = Act {
    declared: &STAND_UP,
    deed: |_, _| Deed::StandUp,
    is: |deed| deed == Deed::StandUp,
    cost: |ac, _, _| ac.tables().costs.stand_up,
    offers: |ac, who, out| {
        if will_lie(ac, who) {
            fixed(ac, Choice::new(&STAND_UP, who), Ok(()), out);
        }
    },
    begin: Begin::Plain(|_, who, _, doing| {
        let up = EventKind::Prone { who, prone: false };
        doing.effects.emit("AC-01", up);
    }),
};

pub(super) const DROP: Act = Act {
    declared: &DROP_PRONE,
    deed: |_, _| Deed::DropProne,
    is: |deed| deed == Deed::DropProne,
    cost: |ac, _, _| ac.tables().costs.drop_prone,
    offers: |ac, who, out| {
        if !will_lie(ac, who) {
            fixed(ac, Choice::new(&DROP_PRONE, who), Ok(()), out);
        }
    },
    begin: Begin::Plain(|_, who, _, doing| {
        let down = EventKind::Prone { who, prone: true };
        doing.effects.emit("AC-01", down);
    }),
};

/// It will lie on the ground when all that is planned is done.
fn will_lie(ac: &Ac, who: Id) -> bool {
    let lies = |lies: bool, planned: &Planned| match planned.deed {
        Deed::StandUp => false,
        Deed::DropProne => true,
        _ => lies,
    };
    ac.actor(who).plan.iter().fold(ac.body(who).prone, lies)
}
