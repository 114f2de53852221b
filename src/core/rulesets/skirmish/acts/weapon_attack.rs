//! What striking, shooting and throwing have in common: one attack for a Main, with the weapon
//! drawn first if necessary.

use super::{STRIKE, declare, draw, draw_price};
use crate::rulesets::common::attacks::attack_of;
use crate::{
    battle::{Attack, Choice, StepOutcome, Why},
    rulesets::skirmish::{attacks::AttackBatch, query::SkirmishQuery, state::ActionCost},
};

/// The attack that a choice to strike, shoot or throw makes.
pub fn attack(choice: &Choice) -> Attack {
    attack_of(choice, choice.verb != &STRIKE)
}

pub fn legal(sk: &SkirmishQuery, choice: &Choice) -> Result<(), Why> {
    let attack = attack(choice);
    sk.needs_main(attack.by)?;
    draw_price(sk, attack.by, attack.with)?;
    sk.can_attack(&attack)
}

pub fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let attack = attack(choice);
    let mut outcome = declare(sk, choice, ActionCost::Main);
    draw(sk, attack.by, attack.with, &mut outcome);
    outcome.then(AttackBatch::of(vec![attack]))
}
