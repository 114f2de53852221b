//! Doors: a Move to open or close one next to oneself (GR-02).

use super::{Act, declare};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb, Why},
    rulesets::skirmish::sk::Sk,
};

pub static OPEN: Verb = Verb {
    name: "open door",
    phrase: "open door at {to}",
    told: "opens the door at {to}",
    rule: "GR-02",
};
pub static CLOSE: Verb = Verb {
    name: "close door",
    phrase: "close door at {to}",
    told: "closes the door at {to}",
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

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let flow = declare(choice, sk.fighter(by).move_price());
    flow.and("GR-02", Change::DoorMoved { by, cell, open })
}
