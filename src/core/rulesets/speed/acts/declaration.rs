//! Something that may be declared for a round (SP-04): how it is listed and what
//! comes of it when its count does.

use super::super::query::SpeedQuery;
use crate::battle::{Action, Choice, DiceBox, Id, Offer, StepOutcome, Why};

/// Something that may be declared.
pub struct Declaration {
    pub verbs: &'static [&'static Action],
    pub offers: fn(&SpeedQuery, Id, &mut Vec<Offer>),
    /// What it adds to the base initiative (SP-04).
    pub adds: fn(&SpeedQuery, &Choice) -> i32,
    /// What happens when its count comes, before anything is asked.
    pub at_count: fn(&SpeedQuery, Id, &mut DiceBox, &mut StepOutcome),
}

/// The act is chosen when its count comes: nothing happens before.
pub(super) const NOTHING: fn(&SpeedQuery, Id, &mut DiceBox, &mut StepOutcome) = |_, _, _, _| {};

/// To declare something that takes one who is able to act (SP-24).
pub(super) fn fit(sp: &SpeedQuery, choice: Choice, more: Result<(), Why>) -> Offer {
    let who = choice.actor();
    Offer::from(choice, sp.may_act(who).and(more))
}
