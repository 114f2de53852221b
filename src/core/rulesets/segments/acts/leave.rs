//! Leaving the battle by an exit, as an action.

use super::row::*;
use crate::rulesets::common::leave::{self, LeaveStep};
use crate::rulesets::segments::reactions;

pub static LEAVE: Action = leave::act("SE-55");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        LEAVE: 'L' "Leave" Fleeing, "Leave the battle by this exit. Adjacent enemies attack first.",
            Chances::None, |_, _| NEVER, provoking;
    },
    when: When::Other,
    offers: |se, who, out| {
        leave::offers(&se.view, &LEAVE, who, se.may(who, DeclaredKind::Move), out)
    },
    begin: |se, choice| {
        let who = choice.actor();
        let mut outcome = spend(choice);
        make_off(se, who, &mut outcome);
        outcome.into()
    },
};

/// The unit leaves the battle; adjacent enemies attack first (SE-52).
pub fn make_off(se: &SegmentsQuery, who: Id, outcome: &mut StepOutcome) {
    let strikers = se.strikers(who);
    if strikers != 0 {
        outcome.push(reactions::window_against_fleeing(se, &[(who, strikers)]));
    }
    outcome.push(LeaveStep::<Segments>::of(who));
}
