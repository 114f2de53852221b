//! What to do when the count has come, and in answer to what others do.

use super::super::{
    acts::{
        CAST, CAST_AT_PLACE, CLOSE, CRAWL, GO_PRONE, INTIMIDATE, LEAVE, MOVE, OPEN, PICK_UP, SHOOT,
        STRIKE, SURGE, TEND, THROW, USE,
    },
    declared, injury,
    reactions::RIPOSTE,
    sp::numbers,
    turn::DONE,
    wounds::heal_target,
};
use super::{
    Evaluation,
    evaluation::{attack, worth},
    plan,
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{Choice, Item, MoveEnd, Offer, PASS, State},
    content::Skill,
    grid::Cell,
    rulesets::common::{
        ai::NEVER,
        gear::{WORTH_STOOPING, gain, price_of_throwing},
    },
};

pub fn score(mind: &Evaluation, offer: &Offer) -> i32 {
    let choice = &offer.choice;
    let verb = choice.verb;
    let here = mind.here;
    if verb == &PASS {
        // To let an act go by leaves it where it is; a riposte is free.
        mind.stay().min(0)
    } else if verb == &RIPOSTE {
        1 + blow(mind, choice, false)
    } else if verb == &STRIKE {
        30 + blow(mind, choice, false) + mind.stay()
    } else if verb == &SHOOT || verb == &THROW {
        30 + blow(mind, choice, true) + mind.stay()
    } else if verb == &DONE {
        // While only moves are asked for, the act is still to come.
        let then = if mind.own.moves_only {
            then(mind, here, |item, thrown| {
                mind.offense_with(here, item, thrown)
            })
        } else {
            0
        };
        mind.stay() + 5 + then
    } else if verb == &MOVE {
        let stride = |end| stride(mind, end, i32::MIN);
        offer.end(0).and_then(stride).unwrap_or(NEVER)
    } else if [&CAST, &CAST_AT_PLACE, &USE].contains(&verb) {
        match plan::on_target(mind, choice) {
            worth @ 1.. => 30 + worth + mind.stay(),
            _ => NEVER,
        }
    } else if verb == &TEND {
        400 + tend(mind, choice)
    } else if verb == &INTIMIDATE {
        30 + choice.at.map_or(0, |foe| plan::threat_to(mind, foe, here)) + mind.stay()
    } else if verb == &OPEN {
        mind.open(choice.to)
    } else if verb == &SURGE {
        surge(mind)
    } else if verb == &PICK_UP {
        pick_up(mind, choice)
    } else if verb == &CLOSE || verb == &GO_PRONE || verb == &LEAVE || verb == &CRAWL {
        NEVER
    } else if injury::TABLES.iter().any(|table| table == verb) {
        0
    } else {
        mind.stay() - 1
    }
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

fn tend(mind: &Evaluation, choice: &Choice) -> i32 {
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
fn pick_up(mind: &Evaluation, choice: &Choice) -> i32 {
    let gain = choice
        .with
        .map_or(0, |item| gain(&mind.state.view, mind.who, item));
    match gain >= WORTH_STOOPING && !mind.state.is_strained(mind.who, 0) {
        true => mind.stay() + 60 + 12 * gain,
        false => NEVER,
    }
}

/// Stress for another blow, while there is enough of it.
fn surge(mind: &Evaluation) -> i32 {
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
