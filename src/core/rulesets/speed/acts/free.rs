//! Free actions (SP-07): going prone and picking up items.

use super::{free_action, needs_free, row::*};
use crate::rulesets::common::inventory;

verbs! {
    GO_PRONE = "go prone", "go prone", "goes prone", "SP-07";
    /// Picks up an item in reach, into the weapon hand.
    PICK_UP = "pick up", "pick up {with} at {to}", "picks up {with} at {to}", "SP-07",
        PickUp;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        GO_PRONE: 'p' "Prone" Prone, "";
        PICK_UP: 'i' "Pick up" PickUp, "Free action. Pick up an item within 5 ft.",
            Chances::None, |eval, offer| eval.staying(play::pick_up(eval, &offer.choice));
    },
    when: When::Always,
    offers: |sp, who, out| {
        if !sp.body(who).prone {
            let legal = needs_free(sp, who);
            out.push(Offer::from(Choice::new(&GO_PRONE, who), legal));
        }
        pick_ups(sp, who, out);
    },
    begin: |sp, choice| {
        free_action(sp, choice, |who, outcome| {
            if choice.verb == &GO_PRONE {
                outcome.emit("SP-32", EventKind::Prone { who, prone: true });
            } else {
                let (item, at) = (choice.with.expect("a thing"), choice.to.expect("a place"));
                inventory::take_up(&sp.view, who, item, at, "SP-07", outcome);
            }
        })
    },
};

/// Adds the items that the unit can pick up and use.
pub fn pick_ups(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let may = |item| needs_free(sp, who).and_then(|()| sp.wields(who, item).map(|_| ()));
    inventory::pick_ups(&sp.view, &Choice::new(&PICK_UP, who), may, out);
}
