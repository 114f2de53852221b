//! Opening and closing a door next to oneself (GR-02, SP-04).

use super::super::sp::Sp;
use crate::battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, Why};

pub static OPEN: Action = Action {
    name: "open door",
    order_text: "open door at {to}",
    log_text: "opens the door at {to}",
    rule: "GR-02",
};
pub static CLOSE: Action = Action {
    name: "close door",
    order_text: "close door at {to}",
    log_text: "closes the door at {to}",
    rule: "GR-02",
};

pub fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    let doors = sp.view.doors_beside(who);
    for &(cell, open) in &doors {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = super::needs_standard(sp, who).and(sp.has_a_hand(who));
        let legal = legal.and_then(|()| sp.view.can_swing(cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if doors.is_empty() {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

pub fn begin(choice: &Choice, outcome: &mut StepOutcome) {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    outcome.emit("GR-02", EventKind::DoorMoved { by, cell, open });
}
