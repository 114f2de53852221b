//! The chances of what is decided by no plain attack under Skirmish: checks,
//! saves, spells.

use super::spells;
use crate::{
    battle::Choice,
    rulesets::skirmish::{
        acts::parley::{self, PARLEY},
        sk::Sk,
    },
    ui::read::Odds,
};
use bevy::ecs::system::In;

pub(super) fn odds(In(choice): In<Choice>, sk: Sk) -> Vec<Odds> {
    if choice.spell.is_some() {
        return spells::odds(&choice, &sk);
    }
    if choice.verb == &PARLEY {
        return parley(&choice, &sk);
    }
    vec![]
}

/// SK-20: one roll against the boldest of each side that listens.
fn parley(choice: &Choice, sk: &Sk) -> Vec<Odds> {
    let Some(who) = choice.who else { return vec![] };
    let check = parley::check(sk, who);
    let line = |(side, score): (crate::battle::Side, i32)| {
        let side = crate::battle::capitalised(sk.view.names().side(side));
        let chance = check.odds(score + 1).percent();
        Odds::chance(format!("{side} must check morale"), chance, "SK-20")
    };
    parley::sides(sk, who).map(line).collect()
}
