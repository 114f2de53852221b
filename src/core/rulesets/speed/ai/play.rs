//! What to do on the unit's count, and how to react.

use super::super::{
    Speed,
    acts::{
        CRAWL, DECLARED, GO_PRONE, LEAVE, MOVE, PICK_UP, SURGE,
        heal::{self, patients},
    },
    declared,
    query::numbers,
    turn::DONE,
    wounds::heal_target,
};
use super::{Evaluation, plan, worth};
use crate::{
    battle::{Choice, Item, Offer, State},
    grid::{Cell, cells_apart},
    rulesets::common::{
        act::attack_of,
        ai::NEVER,
        inventory::{price_of_throwing, worthwhile_gain},
    },
};

/// Declining. A unit that declares waits instead; otherwise declining keeps the unit where it
/// is. A riposte costs nothing.
pub fn pass(eval: &Evaluation) -> i32 {
    let declares = |o: &Offer| DECLARED.iter().any(|act| act.action == o.choice.verb);
    if !eval.offers.iter().any(declares) {
        return eval.stay().min(0);
    }
    // More than a move, unless an objective sends the unit somewhere.
    let goes = eval.is_sent_by_objective() || !eval.holds_out();
    if goes { plan::GO - 5 } else { plan::GO + 5 }
}

/// Ending this part of the turn. While only moves are offered, the declared action is still to
/// come.
pub fn done(eval: &Evaluation) -> i32 {
    // Moves, and the extras that are offered with them.
    let minor = [&MOVE, &CRAWL, &LEAVE, &GO_PRONE, &PICK_UP, &SURGE, &DONE];
    let is_act = |o: &Offer| o.is_legal() && !minor.contains(&o.choice.verb);
    let offense = |item, thrown| eval.offense_with(eval.here, item, thrown);
    let then = match eval.offers.iter().any(is_act) {
        true => 0,
        false => worth_from(eval, eval.here, offense),
    };
    eval.stay() + 5 + then
}

/// A strike, a shot or a throw.
pub fn strike(eval: &Evaluation, choice: &Choice) -> i32 {
    30 + weapon_attack(eval, choice) + eval.stay()
}

/// An aimed spell or potion.
pub fn spell(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let worth = plan::on_target(eval, choice);
    (worth > 0).then_some(30 + worth)
}

pub fn intimidate(eval: &Evaluation, choice: &Choice) -> i32 {
    let threat = |enemy| plan::threat_to(eval, enemy, eval.here).unwrap_or(NEVER);
    30 + choice.at.map_or(0, threat) + eval.stay()
}

/// The worth of an attack as things stand. Fallen targets can wait.
pub fn weapon_attack(eval: &Evaluation, choice: &Choice) -> i32 {
    let Some((attack, _)) = attack_of::<Speed>(eval.state, choice) else {
        return 0;
    };
    if !eval.state.is_up(attack.at) {
        return -20;
    }
    let price = price_of_throwing(eval.view, &attack);
    eval.state.forecast(&attack).map_or(0, |f| worth(&f)) - price
}

/// The worth of carrying out the declaration from a cell. `offense` gives the worth of a
/// weapon's best attack from there.
pub(super) fn worth_from(eval: &Evaluation, at: Cell, offense: impl Fn(Item, bool) -> i32) -> i32 {
    let fighter = eval.state.fighter(eval.who);
    let Some(now) = fighter.now.as_ref().filter(|_| !fighter.standard) else {
        return 0;
    };
    let verb = now.choice.verb;
    match now.choice.with {
        Some(item) => offense(item, verb == &declared::THROWING),
        None if verb == &declared::HEALING => near_patient(eval, at),
        None if verb == &declared::INTIMIDATING => {
            let enemies = eval.dangers().iter();
            let threats = enemies.filter_map(|danger| plan::threat_to(eval, danger.enemy, at));
            threats.max().unwrap_or(0).max(0)
        }
        None => 0,
    }
}

/// The worth of standing next to an ally that needs healing.
fn near_patient(eval: &Evaluation, at: Cell) -> i32 {
    let (sp, who, here) = (eval.state, eval.who, eval.space(at));
    let mut patients = patients(sp, who);
    let near = patients.any(|p| p != who && cells_apart(here, sp.body(p).space()) <= 1);
    if near { 600 } else { 0 }
}

pub fn tend(eval: &Evaluation, choice: &Choice) -> i32 {
    let Some(patient) = choice.at else { return 0 };
    let (sp, who) = (eval.state, eval.who);
    let check = heal::check(sp, who);
    let down = sp.body(patient).state == State::Down;
    let need = if down { 300 } else { 100 };
    need * check.outcomes(heal_target(sp, patient)) / 20
}

/// Picking up an item. Only for a unit whose own weapons are much worse and that loses no Wound
/// Point by it.
pub fn pick_up(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let gain = worthwhile_gain(eval.view, eval.who, choice.with?)?;
    (!eval.state.is_strained(eval.who, 0)).then_some(60 + 12 * gain)
}

/// Paying Stress for another attack, while enough Stress is left.
pub fn surge(eval: &Evaluation) -> Option<i32> {
    let fighter = eval.state.fighter(eval.who);
    let item = fighter.now.as_ref()?.choice.with?;
    let worth = eval.offense_with(eval.here, item, false);
    (fighter.stress >= numbers().surge + 2 && worth > 120).then_some(60)
}
