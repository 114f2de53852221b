//! Opening and closing a door next to oneself, as an act (GR-02).

use crate::battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, View, Why};

pub static OPEN: Action = Action::new(
    "open door",
    "open door at {to}",
    "opens the door at {to}",
    "GR-02",
);
pub static CLOSE: Action = Action::new(
    "close door",
    "close door at {to}",
    "closes the door at {to}",
    "GR-02",
);

pub static VERBS: [&Action; 2] = [&OPEN, &CLOSE];

/// The doors that somebody may open or close, if they `may` pay for it; where
/// there is none, one offer that says so.
pub fn offers(view: &View, who: Id, may: Result<(), Why>, out: &mut Vec<Offer>) {
    let doors = view.doors_beside(who);
    for &(cell, open) in &doors {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = may.clone().and_then(|()| view.can_swing(cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if doors.is_empty() {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

/// The door moves, if nobody has moved it or stepped into it meanwhile.
pub fn swing(view: &View, choice: &Choice, outcome: &mut StepOutcome) {
    let (Some(by), Some(cell)) = (choice.who, choice.to) else {
        return;
    };
    let open = choice.verb == &OPEN;
    if view.board.door(cell) == Some(!open) && view.can_swing(cell, !open).is_ok() {
        outcome.emit("GR-02", EventKind::DoorMoved { by, cell, open });
    }
}
