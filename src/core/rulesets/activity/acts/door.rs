//! Doors (GR-02).

use super::{Act, Begin, fixed};
use crate::{
    battle::Choice,
    rulesets::{
        activity::{Activity, declared::DOOR, state::Deed},
        common::doors,
    },
};

pub(super) const ACT: Act = Act {
    declared: &DOOR,
    deed: |_, _| Deed::Door,
    is: |deed| deed == Deed::Door,
    cost: |ac, _, _| ac.tables().costs.door,
    offers: |ac, who, out| {
        if ac.view.board.doors().next().is_some() {
            fixed(ac, Choice::new(&DOOR, who), Ok(()), out);
        }
    },
    begin: Begin::Aimed {
        targets: |ac, who, _| {
            let mut out = vec![];
            doors::offers::<Activity>(ac, who, Ok(()), &mut out);
            out
        },
        begin: |ac, _, choice, doing| doors::swing::<Activity>(ac, choice, &mut doing.outcome),
    },
};
