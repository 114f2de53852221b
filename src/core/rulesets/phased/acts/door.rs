//! Doors: a simple activity (GR-02, PH-12).

use super::{Act, needs_simple, simple};
use crate::rulesets::{
    common::doors,
    phased::{Phased, state::Part},
};

pub(super) const ACT: Act = Act {
    verbs: &doors::VERBS,
    at_once: &[],
    opens: &[],
    kind: Part::Other,
    also: &[Part::Missile, Part::Melee],
    offers: |ph, who, out| doors::offers::<Phased>(ph, who, needs_simple(ph, who), out),
    begin: |ph, choice| {
        let mut outcome = simple(ph, choice);
        doors::swing::<Phased>(ph, choice, &mut outcome);
        outcome.into()
    },
};
