//! Doors: opening or closing one takes a segment (GR-02).

use super::{Act, take_a_segment};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, State, Verb, Why},
    grid::Cell,
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
    let doors = doors(se, who);
    for &(cell, open) in &doors {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = se.may(who, Kind::Move).and_then(|()| clear(se, cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if doors.is_empty() {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

/// The doors next to somebody, and whether they stand open.
fn doors(se: &Se, who: Id) -> Vec<(Cell, bool)> {
    let body = se.body(who);
    let board = &se.view.board;
    let mut out: Vec<(Cell, bool)> = vec![];
    for cell in body.space().cells().flat_map(Cell::neighbours) {
        if !board.contains(cell) || out.iter().any(|d| d.0 == cell) {
            continue;
        }
        let level = (board.stand(cell) - board.stand(body.at)).abs() <= 5.0;
        if let Some(open) = board.door(cell).filter(|_| level) {
            out.push((cell, open));
        }
    }
    out
}

/// A door cannot be shut on somebody, standing or fallen.
fn clear(se: &Se, cell: Cell, open: bool) -> Result<(), Why> {
    let there = |id: Id| {
        let body = se.body(id);
        matches!(body.state, State::Up | State::Down) && body.space().contains(cell)
    };
    if open && se.view.ids().any(there) {
        return Err(Why::new("GR-02", "somebody is in the doorway"));
    }
    Ok(())
}

fn begin(se: &Se, choice: &Choice) -> Flow {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let mut flow = take_a_segment(se, choice);
    // Somebody may have stepped into it, or moved it, in this very segment.
    if se.view.board.door(cell) != Some(open) && clear(se, cell, !open).is_ok() {
        flow.emit("GR-02", Change::DoorMoved { by, cell, open });
    }
    flow
}
