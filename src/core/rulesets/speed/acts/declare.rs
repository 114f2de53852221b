//! Everything that can be declared for a round, and what it adds to the base initiative (SP-03,
//! SP-04). Each declaration is defined next to the action that carries it out; `DECLARATIONS`
//! is the order in which they are listed.

use super::{
    super::declared::{Declared, HOLD},
    door, heal, intimidate, magic, movement, own,
    row::*,
    weapon_attack,
};

static DECLARATIONS: [Declaration; 13] = [
    weapon_attack::DECLARED,
    movement::DEFENSIVELY,
    own::FULL_DEFENSE_DECLARED,
    magic::DECLARED,
    magic::POTION_DECLARED,
    movement::DECLARED,
    own::STANDING_UP_DECLARED,
    door::DECLARED,
    heal::DECLARED,
    intimidate::DECLARED,
    own::BREAKING_FREE_DECLARED,
    own::DOUSING_DECLARED,
    HOLDING,
];

/// Hold: the unit waits for a later count.
const HOLDING: Declaration = Declaration {
    verbs: &[&HOLD],
    offers: |sp, who, out| out.push(fit(sp, Choice::new(&HOLD, who), Ok(()))),
    adds: |_, _| tables().initiative.hold,
    at_count: NOTHING,
};

/// The row of a declaration. `None` for fleeing, which no unit chooses.
fn row(choice: &Choice) -> Option<&'static Declaration> {
    DECLARATIONS.iter().find(|d| d.verbs.contains(&choice.verb))
}

/// What a declared action adds to the base initiative (SP-04). Fleeing counts as a move.
pub fn modifier(sp: &SpeedQuery, choice: &Choice) -> i32 {
    row(choice).map_or(tables().initiative.moving, |d| (d.adds)(sp, choice))
}

/// A declaration with its count: base initiative plus modifier (SP-03).
pub fn declared(sp: &SpeedQuery, choice: Choice) -> Declared {
    let who = choice.actor();
    let base = sp.fighter(who).base.unwrap_or(0);
    let adds = modifier(sp, &choice);
    Declared {
        count: base + adds,
        adds,
        choice,
    }
}

/// Everything that `who` can declare; impossible choices carry their reason.
pub fn offers(sp: &SpeedQuery, who: Id) -> Vec<Offer> {
    let mut out = vec![];
    (DECLARATIONS.iter()).for_each(|d| (d.offers)(sp, who, &mut out));
    out
}

/// Applies what a declaration does by itself when its count comes.
pub fn by_itself(
    sp: &SpeedQuery,
    declared: &Choice,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) {
    if let (Some(row), Some(who)) = (row(declared), declared.who) {
        (row.at_count)(sp, who, dice, outcome);
    }
}
