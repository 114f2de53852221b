//! What may be declared for a round, and what it adds to the base initiative
//! (SP-03, SP-04). Each declaration stands with the act that it leads to;
//! [`DECLARATIONS`] is the order in which they are listed.

use super::super::{
    declared::{Declared, HOLD},
    numbers::tables,
    sp::Sp,
};
use super::{blow, door, heal, intimidate, magic, own, stride};
use crate::battle::{Action, Choice, DiceBox, Id, Offer, StepOutcome, Why};

/// Something that may be declared.
pub struct Declaration {
    pub verbs: &'static [&'static Action],
    pub offers: fn(&Sp, Id, &mut Vec<Offer>),
    /// What it adds to the base initiative (SP-04).
    pub adds: fn(&Sp, &Choice) -> i32,
    /// What happens when its count comes, before anything is asked.
    pub at_count: fn(&Sp, Id, &mut DiceBox, &mut StepOutcome),
}

/// The act is chosen when its count comes: nothing happens before.
pub(super) const NOTHING: fn(&Sp, Id, &mut DiceBox, &mut StepOutcome) = |_, _, _, _| {};

/// Everything that may be declared.
static DECLARATIONS: [Declaration; 13] = [
    blow::DECLARED,
    stride::DEFENSIVELY,
    own::FULL_DEFENSE_DECLARED,
    magic::DECLARED,
    magic::BOTTLE_DECLARED,
    stride::DECLARED,
    own::STANDING_UP_DECLARED,
    door::DECLARED,
    heal::DECLARED,
    intimidate::DECLARED,
    own::BREAKING_FREE_DECLARED,
    own::DOUSING_DECLARED,
    HOLDING,
];

const HOLDING: Declaration = Declaration {
    verbs: &[&HOLD],
    offers: |sp, who, out| out.push(fit(sp, Choice::new(&HOLD, who), Ok(()))),
    adds: |_, _| tables().initiative.hold,
    at_count: NOTHING,
};

/// The declaration that a choice is; none of who flees, which nobody declares.
fn row(choice: &Choice) -> Option<&'static Declaration> {
    DECLARATIONS.iter().find(|d| d.verbs.contains(&choice.verb))
}

/// What a declared act adds to the base initiative (SP-04). Who flees moves.
pub fn modifier(sp: &Sp, choice: &Choice) -> i32 {
    row(choice).map_or(tables().initiative.moving, |d| (d.adds)(sp, choice))
}

/// A choice with the count at which it comes: base and modifier (SP-03).
pub fn declared(sp: &Sp, choice: Choice) -> Declared {
    let who = choice.who.expect("a declaration has an actor");
    let base = sp.fighter(who).base.unwrap_or(0);
    let adds = modifier(sp, &choice);
    Declared {
        count: base + adds,
        adds,
        choice,
    }
}

/// Everything that `who` may declare, the impossible with its reason.
pub fn offers(sp: &Sp, who: Id) -> Vec<Offer> {
    let mut out = vec![];
    (DECLARATIONS.iter()).for_each(|d| (d.offers)(sp, who, &mut out));
    out
}

/// What happens at a count without a question.
pub fn by_itself(sp: &Sp, declared: &Choice, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    if let (Some(row), Some(who)) = (row(declared), declared.who) {
        (row.at_count)(sp, who, dice, outcome);
    }
}

/// To declare something that takes one who is able to act (SP-24).
pub(super) fn fit(sp: &Sp, choice: Choice, more: Result<(), Why>) -> Offer {
    let who = choice.who.expect("a declaration has an actor");
    Offer::from(choice, sp.may_act(who).and(more))
}
