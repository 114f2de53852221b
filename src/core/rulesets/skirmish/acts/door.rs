//! Doors: a Move to open or close one next to oneself (GR-02).

use super::{Act, declare};
use crate::rulesets::{common::doors, skirmish::Skirmish};

pub(super) const ACT: Act = Act {
    verbs: &doors::VERBS,
    offers: |sk, who, out| doors::offers::<Skirmish>(sk, who, sk.needs_move(who), out),
    begin: |sk, choice| {
        let by = choice.who.expect("an act has an actor");
        let mut outcome = declare(choice, sk.fighter(by).move_price());
        doors::swing::<Skirmish>(sk, choice, &mut outcome);
        outcome
    },
};
