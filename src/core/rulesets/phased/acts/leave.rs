//! Leaving the battle by an exit, as an action.

use super::row::*;
use crate::rulesets::common::leave::{self, leave_field};
use crate::rulesets::phased::movement;

pub static LEAVE: Action = leave::act("PH-60");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        LEAVE: 'L' "Leave" Fleeing, "Leave the battle by this exit.";
    },
    when: When::of(PhasePart::Other),
    offers: |ph, who, out| leave::offers(&ph.view, &LEAVE, who, may(ph, who), out),
    begin: |ph, choice| {
        let who = choice.actor();
        let mut outcome = announce(ph, choice);
        movement::leaves(ph, who, &mut outcome);
        leave_field::<Phased>(ph, who, &mut outcome);
        outcome.into()
    },
};

fn may(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    own_turn(ph, who)?;
    Why::of_actor("PH-22", "is casting a spell").when(ph.fighter(who).casting.is_some())?;
    Why::new("PH-13", "in melee: declare flight to get away").when(ph.in_melee(who))
}
