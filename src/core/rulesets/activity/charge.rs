//! Charges: a straight run into an attack (AC-21).

use super::{
    query::ActivityQuery,
    targets::{CHARGE, SHOOT},
};
use crate::{
    battle::{Attack, Choice, Id, Item, Modifier, Offer, Why},
    grid::Cell,
    rulesets::common::{
        attacks::attack_of,
        charge_lane::{ChargeLane, RunStep},
    },
};

/// Feet of a charge's run.
pub fn run_of(ac: &ActivityQuery, choice: &Choice) -> u16 {
    let (Some(who), Some(enemy)) = (choice.who, choice.at) else {
        return 0;
    };
    let line = charge_lane(ac, who, enemy, u16::MAX);
    let end = line.steps.iter().find(|step| Some(step.cell) == choice.to);
    end.map_or(0, |step| step.feet)
}

/// All charges with this percent of the round: a straight run of at least 25 ft into an attack;
/// run and attack both cost activity (AC-21).
pub fn charges(ac: &ActivityQuery, who: Id, percent: i32) -> Vec<Offer> {
    let t = ac.tables();
    let feet = ac.feet(who, percent - t.costs.melee.0, false);
    let mut out = vec![];
    for enemy in ac.enemies(who) {
        let line = charge_lane(ac, who, enemy, feet);
        for item in ac.usable_weapons(who, false) {
            let strikes = |step: &&RunStep| strikes_from(ac, who, enemy, item, step.cell);
            let Some(end) = line.steps.iter().find(strikes) else {
                continue;
            };
            let run = end.feet;
            let choice = Choice::new(&CHARGE, who).at(enemy).with(item).to(end.cell);
            let kept = ac.actor(who).parry;
            let left = left_after(ac, who, percent, run).max(0);
            let legal = if run < t.charge_least {
                let text = format!("a run of {run} ft, and {} are needed", t.charge_least);
                Err(Why::new("AC-21", text))
            } else if kept > left {
                let text = format!("{kept} OB are kept, and a run of {run} ft leaves {left}");
                Err(Why::new("AC-13", text))
            } else {
                Ok(())
            };
            out.push(Offer::from(choice, legal).priced(run, end.provoked));
        }
    }
    out
}

/// OB left to divide between attack and parry after a run of this many feet (AC-13).
fn left_after(ac: &ActivityQuery, who: Id, percent: i32, run: u16) -> i32 {
    let weapons = ac.usable_weapons(who, false);
    let ob = weapons.map(|n| ac.base_ob(who, n, false)).max();
    let left = share_after(ac, who, percent, run);
    ob.unwrap_or(0) + ac.less_ob(left, ac.actor(who).moved.into())
}

/// The most OB that the unit can set aside for parrying and still charge from its cell with
/// this percent of the round. `None` if no charge is possible.
pub fn most_kept(ac: &ActivityQuery, who: Id, percent: i32) -> Option<i32> {
    let all = charges(ac, who, percent).into_iter();
    let legal = all.filter(Offer::is_legal);
    legal.map(|o| left_after(ac, who, percent, o.feet)).max()
}

/// Whether the unit can charge an enemy now with this percent of the round.
pub fn can_charge(ac: &ActivityQuery, who: Id, percent: i32) -> bool {
    charges(ac, who, percent).iter().any(Offer::is_legal)
}

/// Whether a charge at `enemy` could attack from `at`.
pub fn strikes_from(ac: &ActivityQuery, who: Id, enemy: Id, item: Item, at: Cell) -> bool {
    let attack = Attack::new(who, enemy, item, false, CHARGE.rule);
    ac.legal_attack(&attack, at).is_ok()
}

/// The straight line towards `enemy`.
pub fn charge_lane(ac: &ActivityQuery, who: Id, enemy: Id, budget: u16) -> ChargeLane {
    let occupancy = ac.occupancy(who, false);
    let is_down = ac.body(who).prone;
    let there = ac.body(enemy).space();
    ac.view
        .charge_lane(who, there, &occupancy, budget, |_| is_down)
}

/// Percent of the round that is left for the attack of a charge after a run of this many feet.
pub fn share_after(ac: &ActivityQuery, who: Id, percent: i32, run: u16) -> i32 {
    (percent - ac.percent_of(who, run)).min(ac.tables().costs.melee.1)
}

/// The attack at the end of a charge of `run` feet. `moved` is the feet moved this round before
/// the charge.
pub fn charge_after(
    ac: &ActivityQuery,
    choice: &Choice,
    percent: i32,
    run: u16,
    moved: u16,
) -> Attack {
    let by = choice.actor();
    let share = share_after(ac, by, percent, run);
    attack_with(choice, ac.effort_after(by, share, false, Some(run), moved))
}

/// The attack of a choice, with these extra modifiers.
pub fn attack_with(choice: &Choice, extra: Vec<Modifier>) -> Attack {
    Attack {
        extra,
        ..attack_of(choice, choice.verb == &SHOOT)
    }
}
