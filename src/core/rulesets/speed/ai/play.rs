//! What to do on the unit's count, and how to react.

use super::super::{
    acts::{
        heal::{self, patients},
        weapon_attack::{SHOOT, THROW},
    },
    declared,
    query::numbers,
    wounds::heal_target,
};
use super::{Evaluation, attack, plan, worth};
use crate::{
    battle::{Choice, Item, MoveEnd, State},
    grid::{Cell, cells_apart},
    rulesets::common::{
        ai::{EndWorth, NEVER},
        inventory::{price_of_throwing, worthwhile_gain},
    },
};

/// Declining. A unit that declares waits instead; otherwise declining keeps the unit where it
/// is. A riposte costs nothing.
pub fn pass(eval: &Evaluation) -> i32 {
    match eval.own.declares {
        true => plan::waiting(eval),
        false => eval.stay().min(0),
    }
}

/// Ending this part of the turn. While only moves are offered, the declared action is still to
/// come.
pub fn done(eval: &Evaluation) -> i32 {
    let offense = |item, thrown| eval.offense_with(eval.here, item, thrown);
    let then = match eval.own.moves_only {
        true => worth_from(eval, eval.here, offense),
        false => 0,
    };
    eval.stay() + 5 + then
}

pub fn riposte(eval: &Evaluation, choice: &Choice) -> i32 {
    1 + weapon_attack(eval, choice)
}

/// A strike, a shot or a throw.
pub fn strike(eval: &Evaluation, choice: &Choice) -> i32 {
    30 + weapon_attack(eval, choice) + eval.stay()
}

/// An aimed spell or potion.
pub fn spell(eval: &Evaluation, choice: &Choice) -> i32 {
    match plan::on_target(eval, choice) {
        worth @ 1.. => 30 + worth + eval.stay(),
        _ => NEVER,
    }
}

pub fn intimidate(eval: &Evaluation, choice: &Choice) -> i32 {
    let threat = |enemy| plan::threat_to(eval, enemy, eval.here);
    30 + choice.at.map_or(0, threat) + eval.stay()
}

/// The worth of an attack as things stand. Fallen targets can wait.
fn weapon_attack(eval: &Evaluation, choice: &Choice) -> i32 {
    let (Some(at), Some(with)) = (choice.at, choice.with) else {
        return 0;
    };
    if !eval.state.is_up(at) {
        return -20;
    }
    let ranged = [&SHOOT, &THROW].contains(&choice.verb);
    let attack = attack(eval.who, at, with, ranged);
    let price = price_of_throwing(eval.view, &attack);
    eval.state.forecast(&attack).map_or(0, |f| worth(&f)) - price
}

/// The worth of a move: what the unit can do at its end, minus what the move provokes.
pub fn worth_of_move(eval: &Evaluation, end: MoveEnd, there: &EndWorth) -> i32 {
    let offense = |item, thrown| match there.is_exact {
        true => eval.offense_with(end.to, item, thrown),
        false => there.offense,
    };
    let price = eval.cost_of_provoking(end.provoked) + i32::from(end.feet) / 5;
    worth_from(eval, end.to, offense) + there.place - price
}

/// The worth of carrying out the declaration from a cell. `offense` gives the worth of a
/// weapon's best attack from there.
fn worth_from(eval: &Evaluation, at: Cell, offense: impl Fn(Item, bool) -> i32) -> i32 {
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
            let threats = enemies.map(|danger| plan::threat_to(eval, danger.enemy, at));
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
pub fn pick_up(eval: &Evaluation, choice: &Choice) -> i32 {
    let gain = choice
        .with
        .and_then(|item| worthwhile_gain(eval.view, eval.who, item));
    let gain = gain.filter(|_| !eval.state.is_strained(eval.who, 0));
    gain.map_or(NEVER, |gain| eval.stay() + 60 + 12 * gain)
}

/// Paying Stress for another attack, while enough Stress is left.
pub fn surge(eval: &Evaluation) -> i32 {
    let fighter = eval.state.fighter(eval.who);
    let Some(item) = fighter.now.as_ref().and_then(|n| n.choice.with) else {
        return NEVER;
    };
    let worth = eval.offense_with(eval.here, item, false);
    match fighter.stress >= numbers().surge + 2 && worth > 120 {
        true => eval.stay() + 60,
        false => NEVER,
    }
}
