//! Doors: a simple activity (GR-02, PH-12).

use super::{Act, needs_simple, simple};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, State, Verb, Why},
    grid::Cell,
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
    when: Part::has_other,
    offers,
    begin,
};

fn offers(ph: &Ph, who: Id, out: &mut Vec<Offer>) {
    let own = match ph.group(who) == ph.clock.group {
        true => needs_simple(ph, who),
        false => Err(Why::new(
            "PH-16",
            "minor actions come in its own group's turn",
        )),
    };
    for (cell, open) in doors(ph, who) {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = own.clone().and_then(|()| clear(ph, cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
}

/// The doors next to somebody, on its level, and whether they stand open.
fn doors(ph: &Ph, who: Id) -> Vec<(Cell, bool)> {
    let board = &ph.view.board;
    let space = ph.body(who).space();
    let height = board.stand(space.at);
    let mut out: Vec<(Cell, bool)> = vec![];
    for cell in space.cells().flat_map(Cell::neighbours) {
        let new = !out.iter().any(|d| d.0 == cell);
        let floor = board
            .ground(cell)
            .map_or(f64::INFINITY, |g| f64::from(g.floor));
        if new
            && (floor - height).abs() <= 5.0
            && let Some(open) = board.door(cell)
        {
            out.push((cell, open));
        }
    }
    out
}

/// A door cannot be shut on somebody.
fn clear(ph: &Ph, cell: Cell, open: bool) -> Result<(), Why> {
    let lies = |id: Id| {
        let body = ph.body(id);
        matches!(body.state, State::Up | State::Down) && body.space().contains(cell)
    };
    match open && ph.view.ids().any(lies) {
        true => Err(Why::new("GR-02", "somebody is in the doorway")),
        false => Ok(()),
    }
}

fn begin(ph: &Ph, choice: &Choice) -> Flow {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    simple(ph, choice).and("GR-02", Change::DoorMoved { by, cell, open })
}
