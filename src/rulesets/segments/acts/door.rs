//! Doors: opening or closing one takes a segment (GR-02).

use super::{Act, take_a_segment};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, Why},
    rulesets::segments::se::{Kind, Se},
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
    begin: |se, choice| begin(se, choice).into(),
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

fn begin(se: &Se, choice: &Choice) -> StepOutcome {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let mut outcome = take_a_segment(se, choice);
    // Somebody may have stepped into it, or moved it, in this very segment.
    if se.view.board.door(cell) != Some(open) && se.view.can_swing(cell, !open).is_ok() {
        outcome.emit("GR-02", EventKind::DoorMoved { by, cell, open });
    }
    outcome
}
