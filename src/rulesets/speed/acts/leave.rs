//! Leaving the battle by an exit, of one's own will.

use super::super::{events::SpeedEvent, sp::Sp};
use crate::battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, Why};

pub static LEAVE: Action = Action {
    name: "leave",
    order_text: "leave the battle",
    log_text: "makes off",
    rule: "SP-31",
};

pub fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    if sp.view.exits(who).next().is_some() {
        let legal = match can_leave(sp, who) {
            true => Ok(()),
            false => Err(Why::new("SP-31", "not at an exit")),
        };
        out.push(Offer::from(Choice::new(&LEAVE, who), legal));
    }
}

/// On its feet, on an exit of its side, and nothing holds it; the step out
/// costs nothing.
pub fn can_leave(sp: &Sp, who: Id) -> bool {
    let held = sp.conditions(who).iter().any(|c| !c.effects().moves);
    sp.is_up(who) && !held && sp.view.is_at_exit(who)
}

pub fn begin(sp: &Sp, who: Id, choice: &Choice) -> StepOutcome {
    let acted = EventKind::Acted {
        choice: choice.clone(),
    };
    let mut outcome = StepOutcome::default()
        .and("SP-31", acted)
        .and("SP-31", SpeedEvent::Gone { who }.event());
    sp.view.leave(who, "SP-31", &mut outcome);
    outcome
}
