//! Doors: opening or closing one takes a segment (GR-02).

use super::{Act, take_a_segment};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb, Why},
    rulesets::segments::se::{Kind, Se},
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

fn offers(se: &Se, who: Id, out: &mut Vec<Offer>) {
    let doors = se.view.doors_beside(who);
    for &(cell, open) in &doors {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = se
            .may(who, Kind::Move)
            .and_then(|()| se.view.can_swing(cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if doors.is_empty() {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

fn begin(se: &Se, choice: &Choice) -> Flow {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let mut flow = take_a_segment(se, choice);
    // Somebody may have stepped into it, or moved it, in this very segment.
    if se.view.board.door(cell) != Some(open) && se.view.can_swing(cell, !open).is_ok() {
        flow.emit("GR-02", Change::DoorMoved { by, cell, open });
    }
    flow
}
