//! Doors: a simple activity (GR-02, PH-12).

use super::{Act, Begun, needs_simple, simple};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer},
    rulesets::phased::{ph::Ph, state::Part},
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
    at_once: &[],
    opens: &[],
    kind: Part::Other,
    also: &[Part::Missile, Part::Melee],
    offers,
    begin,
};

fn offers(ph: &Ph, who: Id, out: &mut Vec<Offer>) {
    let own = needs_simple(ph, who);
    for (cell, open) in ph.view.doors_beside(who) {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = own.clone().and_then(|()| ph.view.can_swing(cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
}

fn begin(ph: &Ph, choice: &Choice) -> Begun {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let moved = EventKind::DoorMoved { by, cell, open };
    simple(ph, choice).and("GR-02", moved).into()
}
