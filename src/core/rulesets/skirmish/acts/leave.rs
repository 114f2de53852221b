//! Leaving the battle by an exit, as a choice.

use super::row::*;
use crate::rulesets::common::leave::{self, leave_field};

pub static LEAVE: Action = leave::act("SK-60");

/// Leaving costs nothing.
pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        LEAVE: 'L' "Leave" Fleeing, "Leave the battle by this exit.";
    },
    when: (),
    offers: |sk, who, out| leave::offers(&sk.view, &LEAVE, who, sk.free_to_move(who), out),
    begin: |sk, choice| {
        let who = choice.actor();
        let mut outcome = StepOutcome::announcing(choice);
        leave_field::<Skirmish>(sk, who, &mut outcome);
        outcome
    },
};
