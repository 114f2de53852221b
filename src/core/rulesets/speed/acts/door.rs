//! Doors: opening or closing one is a standard action (SP-04, GR-02).

use super::{super::declared::DOOR, CLOSE, OPEN, row::*};
use crate::rulesets::common::doors;
use std::mem::take;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        OPEN: 'o' "Open" Door (plain), "",
            Chances::None, |eval, offer| eval.open(offer.choice.to);
        CLOSE: 'o' "Close" Door (plain), "";
    },
    when: When::Declared(&[&DOOR]),
    offers: |sp, who, out| {
        let may = needs_standard(sp, who).and(sp.has_a_hand(who));
        doors::offers::<Speed>(sp, who, may, out);
    },
    begin: |sp, choice| {
        standard(sp, choice, 1, |begun| {
            begun.outcome = doors::swing::<Speed>(sp, choice, take(&mut begun.outcome));
        })
    },
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&DOOR],
    offers: |sp, who, out| {
        if sp.view.board.doors().next().is_some() {
            out.push(fit(sp, Choice::new(&DOOR, who), sp.has_a_hand(who)));
        }
    },
    adds: |_, _| tables().initiative.door,
    at_count: NOTHING,
};
