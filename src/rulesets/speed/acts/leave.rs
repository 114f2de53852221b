//! Leaving the battle by an exit, of one's own will.

use super::super::{Speed, sp::Sp};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, Why},
    rulesets::common::leave::{self, be_gone},
};

pub static LEAVE: Action = leave::act("SP-31");

pub fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    leave::offers(&sp.view, &LEAVE, who, may(sp, who), out);
}

/// On its feet, and nothing holds it; the step out costs nothing.
fn may(sp: &Sp, who: Id) -> Result<(), Why> {
    if !sp.is_up(who) {
        return Err(Why::new("SP-24", "it only crawls"));
    }
    match sp.conditions(who).iter().all(|c| c.effects().moves) {
        true => Ok(()),
        false => Err(Why::new("SP-31", "something holds it")),
    }
}

pub fn can_leave(sp: &Sp, who: Id) -> bool {
    may(sp, who).is_ok() && sp.view.is_at_exit(who)
}

pub fn begin(sp: &Sp, who: Id, choice: &Choice) -> StepOutcome {
    let choice = choice.clone();
    let mut outcome = StepOutcome::default().and("SP-31", EventKind::Acted { choice });
    be_gone::<Speed>(sp, who, &mut outcome);
    outcome
}
