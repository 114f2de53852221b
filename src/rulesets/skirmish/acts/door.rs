//! Doors: a Move to open or close one next to oneself (GR-02).

use super::{Act, declare};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, Why},
    rulesets::skirmish::sk::Sk,
};

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

pub(super) const ACT: Act = Act {
    verbs: &[&OPEN, &CLOSE],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let mut any = false;
    for (cell, open) in sk.view.doors_beside(who) {
        any = true;
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = sk
            .needs_move(who)
            .and_then(|()| sk.view.can_swing(cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if !any {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

fn begin(sk: &Sk, choice: &Choice) -> StepOutcome {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let outcome = declare(choice, sk.fighter(by).move_price());
    outcome.and("GR-02", EventKind::DoorMoved { by, cell, open })
}
