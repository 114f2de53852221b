//! Doors: opening or closing one takes a segment (GR-02).

use super::{Act, Does, take_a_segment};
use crate::rulesets::{
    common::doors,
    segments::{Segments, se::Kind},
};

pub(super) const ACT: Act = Act {
    verbs: &doors::VERBS,
    does: Does::Other,
    no_time: &[],
    offers: |se, who, out| doors::offers::<Segments>(se, who, se.may(who, Kind::Move), out),
    begin: |se, choice| {
        let mut outcome = take_a_segment(se, choice);
        doors::swing::<Segments>(se, choice, &mut outcome);
        outcome.into()
    },
};
