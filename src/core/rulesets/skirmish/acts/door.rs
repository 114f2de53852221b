//! Doors: a Move to open or close an adjacent one (GR-02).

use super::{CLOSE, OPEN, row::*};
use crate::rulesets::common::doors;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        OPEN: 'o' "Open" Door (plain), "Uses your Move, or Main if spent. Open an adjacent door.",
            Chances::None, |eval, offer| eval.open(offer.choice.to);
        CLOSE: 'o' "Close" Door (plain), "Uses your Move, or Main if spent. Close an adjacent door.";
    },
    when: (),
    offers: |sk, who, out| doors::offers::<Skirmish>(sk, who, sk.needs_move(who), out),
    begin: |sk, choice| {
        let price = sk.fighter(choice.actor()).move_price();
        doors::swing::<Skirmish>(sk, choice, declare(sk, choice, price))
    },
};
