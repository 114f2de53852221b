//! Doors: a simple activity (GR-02, PH-12).

use super::{CLOSE, OPEN, row::*};
use crate::rulesets::common::doors;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        OPEN: 'o' "Open" Door (plain), "Simple action: an adjacent door.",
            Chances::None, |eval, offer| ai::unless_busy(eval, || eval.open(offer.choice.to));
        CLOSE: 'o' "Close" Door (plain), "Simple action: an adjacent door.";
    },
    when: When::of(PhasePart::Other).also(&[PhasePart::Missile, PhasePart::Melee]),
    offers: |ph, who, out| doors::offers::<Phased>(ph, who, needs_simple(ph, who), out),
    begin: |ph, choice| doors::swing::<Phased>(ph, choice, simple(ph, choice)).into(),
};
