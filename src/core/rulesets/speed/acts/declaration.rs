//! A row for something that can be declared (SP-04): how it is listed, and what happens at its
//! count.

use super::row::*;

pub struct Declaration {
    pub verbs: &'static [&'static Action],
    pub offers: fn(&SpeedQuery, Id, &mut Vec<Offer>),
    /// What it adds to the base initiative (SP-04).
    pub adds: fn(&SpeedQuery, &Choice) -> i32,
    /// What happens when the count comes, before the unit is asked for anything.
    pub at_count: fn(&SpeedQuery, Id, &mut DiceBox, &mut StepOutcome),
}

/// Nothing happens by itself: the unit chooses its action when the count comes.
pub(super) const NOTHING: fn(&SpeedQuery, Id, &mut DiceBox, &mut StepOutcome) = |_, _, _, _| {};

/// An offer to declare, legal if the unit can act (SP-24) and `more` allows it.
pub(super) fn fit(sp: &SpeedQuery, choice: Choice, more: Result<(), Why>) -> Offer {
    let who = choice.actor();
    Offer::from(choice, sp.may_act(who).and(more))
}
