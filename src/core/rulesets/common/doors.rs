//! Opening and closing an adjacent door, as an action (GR-02).

use super::verbs;
use super::{
    State,
    hiding::{Hides, finds_in, knows_of},
};
use crate::{
    battle::{self, Choice, EventKind, Id, Offer, StepOutcome, Why},
    grid::{Cell, Space},
};

verbs! {
    OPEN = "open door", "open door at {to}", "opens the door at {to}", "GR-02", Door;
    CLOSE = "close door", "close door at {to}", "closes the door at {to}", "GR-02", Door;
}

/// Offers for the doors that a unit can open or close, blocked if `may` says that it can't pay;
/// without an adjacent door, one blocked offer that says so.
pub fn offers<R: Hides>(state: &State<R>, who: Id, may: Result<(), Why>, out: &mut Vec<Offer>) {
    let doors = R::view(state).doors_beside(who);
    for &(cell, open) in &doors {
        let verb = if open { &CLOSE } else { &OPEN };
        let legal = may
            .clone()
            .and_then(|()| can_swing::<R>(state, who, cell, open));
        out.push(Offer::from(Choice::new(verb, who).to(cell), legal));
    }
    if doors.is_empty() {
        let why = Why::new("GR-02", "no adjacent door");
        out.push(Offer::not(Choice::new(&OPEN, who), why));
    }
}

/// A door that stands `open` can't be closed on a unit, standing or fallen, as far as `by` knows.
fn can_swing<R: Hides>(state: &State<R>, by: Id, cell: Cell, open: bool) -> Result<(), Why> {
    let view = R::view(state);
    let is_there = |id: Id| {
        let body = view.body(id);
        matches!(body.state, battle::State::Up | battle::State::Down)
            && body.space().contains(cell)
            && knows_of::<R>(state, by, id)
    };
    Why::new("GR-02", "a unit is in the doorway").when(open && view.ids().any(is_there))
}

/// Moves the door, unless another unit has moved it or stepped into it since the choice. An enemy
/// hidden in the doorway is found and keeps the door open.
pub fn swing<R: Hides>(state: &State<R>, choice: &Choice, mut outcome: StepOutcome) -> StepOutcome {
    let (Some(by), Some(cell)) = (choice.who, choice.to) else {
        return outcome;
    };
    let open = choice.verb == &OPEN;
    let is_as_it_was = R::view(state).board.door(cell) == Some(!open);
    if !is_as_it_was || can_swing::<R>(state, by, cell, !open).is_err() {
        return outcome;
    }
    if !finds_in::<R>(state, by, by, Space::one(cell), &mut outcome) {
        outcome.emit("GR-02", EventKind::DoorMoved { by, cell, open });
    }
    outcome
}
