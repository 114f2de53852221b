//! Doors: opening or closing one takes a segment (GR-02).

use super::{CLOSE, OPEN, row::*};
use crate::rulesets::common::doors;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        OPEN: 'o' "Open" Door (plain), "",
            Chances::None, |eval, offer| eval.open(offer.choice.to);
        CLOSE: 'o' "Close" Door (plain), "";
    },
    when: When::Other,
    offers: |se, who, out| doors::offers::<Segments>(se, who, se.may(who, DeclaredKind::Move), out),
    begin: |se, choice| doors::swing::<Segments>(se, choice, take_a_segment(se, choice)).into(),
};
