//! Doors: a Move to open or close one next to oneself (GR-02).

use super::{Act, declare};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb, Why},
    grid::Cell,
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
    for (cell, open) in doors(sk, who) {
        any = true;
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = sk.needs_move(who).and_then(|()| clear(sk, cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if !any {
        let why = Why::new("GR-02", "no door is next to it");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

/// The doors next to somebody, and whether they stand open.
fn doors(sk: &Sk, who: Id) -> Vec<(Cell, bool)> {
    let body = sk.body(who);
    let space = body.space();
    let mut out: Vec<(Cell, bool)> = vec![];
    for cell in space.cells().flat_map(Cell::neighbours) {
        if !sk.view.board.contains(cell) || out.iter().any(|d| d.0 == cell) {
            continue;
        }
        let level = (sk.view.board.stand(cell) - sk.view.board.stand(body.at)).abs() <= 5.0;
        if let Some(open) = sk.view.board.door(cell).filter(|_| level) {
            out.push((cell, open));
        }
    }
    out
}

/// A door cannot be shut on somebody, standing or fallen.
fn clear(sk: &Sk, cell: Cell, open: bool) -> Result<(), Why> {
    let lies = |id: Id| {
        let body = sk.body(id);
        let there = matches!(
            body.state,
            crate::battle::State::Up | crate::battle::State::Down
        );
        there && body.space().contains(cell)
    };
    if open && sk.view.ids().any(lies) {
        return Err(Why::new("GR-02", "somebody is in the doorway"));
    }
    Ok(())
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let by = choice.who.expect("an act has an actor");
    let cell = choice.to.expect("a door has a place");
    let open = choice.verb == &OPEN;
    let flow = declare(choice, sk.fighter(by).move_price());
    flow.and("GR-02", Change::DoorMoved { by, cell, open })
}
