//! Doors: a simple activity (GR-02, PH-12).

use super::{Act, needs_simple, simple};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb},
    rulesets::phased::{fighter::Part, ph::Ph},
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
    when: |part| part.has_other() || matches!(part, Part::Missile | Part::Melee),
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

fn begin(ph: &Ph, choice: &Choice) -> Flow {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    simple(ph, choice).and("GR-02", Change::DoorMoved { by, cell, open })
}
