//! Opening and closing a door next to oneself (GR-02, SP-04).

use super::super::sp::Sp;
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, State, Verb, Why},
    grid::Cell,
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

pub fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    let doors = doors(sp, who);
    for &(cell, open) in &doors {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = super::needs_standard(sp, who).and_then(|()| clear(sp, cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if doors.is_empty() {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

/// The doors next to somebody, and whether they stand open.
fn doors(sp: &Sp, who: Id) -> Vec<(Cell, bool)> {
    let (body, board) = (sp.body(who), &sp.view.board);
    let mut out: Vec<(Cell, bool)> = vec![];
    for cell in body.space().cells().flat_map(Cell::neighbours) {
        if !board.contains(cell) || out.iter().any(|d| d.0 == cell) {
            continue;
        }
        let level = (board.stand(cell) - board.stand(body.at)).abs() <= 5.0;
        out.extend(board.door(cell).filter(|_| level).map(|open| (cell, open)));
    }
    out
}

/// A door cannot be shut on somebody, standing or fallen.
fn clear(sp: &Sp, cell: Cell, open: bool) -> Result<(), Why> {
    let lies = |id: Id| {
        let body = sp.body(id);
        matches!(body.state, State::Up | State::Down) && body.space().contains(cell)
    };
    if open && sp.view.ids().any(lies) {
        return Err(Why::new("GR-02", "somebody is in the doorway"));
    }
    Ok(())
}

pub fn begin(choice: &Choice, flow: &mut Flow) {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    flow.emit("GR-02", Change::DoorMoved { by, cell, open });
}
