//! What to do when the count has come, and in answer to what others do.

use super::super::{declared, query::numbers, wounds::heal_target};
use super::{
    Evaluation,
    evaluation::{attack, worth},
    plan,
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{Choice, Item, MoveEnd, Offer, State},
    content::Skill,
    grid::Cell,
    rulesets::common::{
        ai::NEVER,
        gear::{WORTH_STOOPING, gain, price_of_throwing},
    },
};

/// To decline: whoever declares waits. To let an act go by leaves it where it is; a
/// riposte is free.
pub fn pass(mind: &Evaluation) -> i32 {
    match mind.own.declares {
        true => plan::waiting(mind),
        false => mind.stay().min(0),
    }
}

/// While only moves are asked for, the act is still to come.
pub fn done(mind: &Evaluation) -> i32 {
    let here = mind.here;
    let offense = |item, thrown| mind.offense_with(here, item, thrown);
    let then = match mind.own.moves_only {
        true => then(mind, here, offense),
        false => 0,
    };
    mind.stay() + 5 + then
}

pub fn riposte(mind: &Evaluation, choice: &Choice) -> i32 {
    1 + blow(mind, choice, false)
}

pub fn strike(mind: &Evaluation, choice: &Choice) -> i32 {
    30 + blow(mind, choice, false) + mind.stay()
}

/// A shot or a throw.
pub fn shoot(mind: &Evaluation, choice: &Choice) -> i32 {
    30 + blow(mind, choice, true) + mind.stay()
}

/// A move to where the offer leads.
pub fn stride_offer(mind: &Evaluation, offer: &Offer) -> i32 {
    let stride = |end| stride(mind, end, i32::MIN);
    offer.end(0).and_then(stride).unwrap_or(NEVER)
}

/// A spell or a potion, aimed.
pub fn spell(mind: &Evaluation, choice: &Choice) -> i32 {
    match plan::on_target(mind, choice) {
        worth @ 1.. => 30 + worth + mind.stay(),
        _ => NEVER,
    }
}

pub fn intimidate(mind: &Evaluation, choice: &Choice) -> i32 {
    let threat = |foe| plan::threat_to(mind, foe, mind.here);
    30 + choice.at.map_or(0, threat) + mind.stay()
}

/// What an attack is worth as things stand. The fallen can wait.
fn blow(mind: &Evaluation, choice: &Choice, ranged: bool) -> i32 {
    let (Some(at), Some(with)) = (choice.at, choice.with) else {
        return 0;
    };
    if !mind.state.is_up(at) {
        return -20;
    }
    let attack = attack(mind.who, at, with, ranged);
    let price = price_of_throwing(&mind.state.view, &attack);
    mind.state.forecast(&attack).map_or(0, |f| worth(&f)) - price
}

/// A move is worth what can be done at its end, less what it draws. None if that
/// is less than `beat`.
pub fn stride(mind: &Evaluation, end: MoveEnd, beat: i32) -> Option<i32> {
    let (to, price) = (end.to, price_of_way(mind, end));
    let offense = |item, thrown| mind.offense_with(to, item, thrown);
    mind.place_to_beat(
        to,
        beat,
        |most| then(mind, to, |_, _| most) - price,
        |_| then(mind, to, offense) - price,
    )
}

/// What a move is worth at most: nobody has looked who sees whom from there.
pub fn stride_at_most(mind: &Evaluation, end: MoveEnd) -> i32 {
    let (offense, place) = mind.at_most(end.to);
    then(mind, end.to, |_, _| offense) + place - price_of_way(mind, end)
}

fn price_of_way(mind: &Evaluation, end: MoveEnd) -> i32 {
    mind.opening(end.provoked) + i32::from(end.feet) / 5
}

/// What the declared act promises from a cell, `offense` telling what an arm
/// does from there.
fn then(mind: &Evaluation, at: Cell, offense: impl Fn(Item, bool) -> i32) -> i32 {
    let fighter = mind.state.fighter(mind.who);
    let Some(now) = fighter.now.as_ref().filter(|_| !fighter.standard) else {
        return 0;
    };
    let verb = now.choice.verb;
    match now.choice.with {
        Some(item) => offense(item, verb == &declared::THROWING),
        None if verb == &declared::HEALING => near_patient(mind, at),
        None if verb == &declared::INTIMIDATING => {
            let foes = mind.dangers().iter();
            let threats = foes.map(|danger| plan::threat_to(mind, danger.foe, at));
            threats.max().unwrap_or(0).max(0)
        }
        None => 0,
    }
}

/// To stand next to who is to be healed.
fn near_patient(mind: &Evaluation, at: Cell) -> i32 {
    let sp = mind.state;
    let here = mind.space(at);
    let mut patients = super::super::acts::heal::patients(sp, mind.who);
    let near =
        patients.any(|p| p != mind.who && crate::grid::cells_apart(here, sp.body(p).space()) <= 1);
    if near { 600 } else { 0 }
}

pub fn tend(mind: &Evaluation, choice: &Choice) -> i32 {
    let Some(patient) = choice.at else { return 0 };
    let sp = mind.state;
    let check = sp.check(
        mind.who,
        "heal",
        Some(Skill::Heal),
        Ability::Insight,
        "SP-25",
    );
    let down = sp.body(patient).state == State::Down;
    let need = if down { 300 } else { 100 };
    need * check.faces(heal_target(sp, patient)) / 20
}

/// For who has nothing half as good to fight with, and loses no blood by it.
pub fn pick_up(mind: &Evaluation, choice: &Choice) -> i32 {
    let gain = choice
        .with
        .map_or(0, |item| gain(&mind.state.view, mind.who, item));
    match gain >= WORTH_STOOPING && !mind.state.is_strained(mind.who, 0) {
        true => mind.stay() + 60 + 12 * gain,
        false => NEVER,
    }
}

/// Stress for another blow, while there is enough of it.
pub fn surge(mind: &Evaluation) -> i32 {
    let fighter = mind.state.fighter(mind.who);
    let Some(item) = fighter.now.as_ref().and_then(|n| n.choice.with) else {
        return NEVER;
    };
    let blow = mind.offense_with(mind.here, item, false);
    match fighter.stress >= numbers().surge + 2 && blow > 120 {
        true => mind.stay() + 60,
        false => NEVER,
    }
}
