//! Leaving the battle by an exit, by choice.

use super::row::*;
use crate::rulesets::common::leave::{self, leave_field};

pub static LEAVE: Action = leave::act("SP-31");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        LEAVE: 'L' "Leave" Fleeing, "Leave the battle by this exit.";
    },
    when: When::Always,
    offers: |sp, who, out| leave::offers(&sp.view, &LEAVE, who, may(sp, who), out),
    begin: |sp, choice| {
        let who = choice.actor();
        let mut outcome = StepOutcome::announcing(choice);
        leave_field::<Speed>(sp, who, &mut outcome);
        outcome.into()
    },
};

/// Whether the unit can leave: it is up and not held. Leaving costs nothing.
fn may(sp: &SpeedQuery, who: Id) -> Result<(), Why> {
    Why::of_actor("SP-24", "can only crawl").unless(sp.is_up(who))?;
    Why::of_actor("SP-31", "is held").unless(sp.conditions(who).iter().all(|c| c.effects().moves))
}

pub fn can_leave(sp: &SpeedQuery, who: Id) -> bool {
    may(sp, who).is_ok() && sp.view.is_at_exit(who)
}
