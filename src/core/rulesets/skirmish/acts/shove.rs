//! Shove (SK-50): push a unit into the next cell, or knock it prone.

use super::{
    maneuver::{self, best_item},
    row::*,
};
use crate::rulesets::skirmish::push;
use std::cmp::Reverse;

verbs! {
    /// Shove a unit into a cell next to its own.
    SHOVE = "shove", "shove {at} to {to}", "tries to shove {at} to {to}", "SK-50" => moving_target;
    SHOVE_DOWN = "shove down", "shove {at} down", "tries to shove {at} to the ground", "SK-50";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SHOVE: 'b' "Shove" Shove, "Main action. Attack roll, then a check: push the enemy one cell.",
            Chances::Odds(checks::maneuver), |eval, offer| eval.staying(eval.maneuver(&offer.choice));
        SHOVE_DOWN: 'b' "Shove" Shove, "Main action. Attack roll, then a check: knock the enemy prone.",
            Chances::Odds(checks::maneuver), |eval, offer| eval.staying(eval.maneuver(&offer.choice));
    },
    when: (),
    offers,
    begin: maneuver::begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let not = |why| Offer::not(Choice::new(&SHOVE, who), why);
    if let Err(why) = sk.needs_main(who) {
        out.push(not(why));
        return;
    }
    let mut near = false;
    let ready = sk.inventory(who).ready();
    let reaches = ready.filter_map(|item| sk.reach(who, item));
    let farthest = reaches.max().unwrap_or(0);
    let enemies = sk.view.enemies(sk.body(who).side);
    for at in sk.view.nearby(who, enemies, farthest) {
        let Some(item) = best_item(sk, who, at, SHOVE.rule) else {
            continue;
        };
        near = true;
        let down = Choice::new(&SHOVE_DOWN, who).at(at).with(item);
        let legal = maneuver::legal(sk, &down);
        let can = legal.clone();
        let prone = Why::new("SK-50", "the target is prone already").when(sk.body(at).prone);
        let down = Offer::from(down, legal.and(prone));
        // Each way with the feet that the target falls: lists show the longest fall first.
        let mut ways = vec![(0, down)];
        for to in sk.body(at).at.neighbours() {
            let choice = Choice::new(&SHOVE, who).at(at).with(item).to(to);
            let drop = push::landing(sk, who, at, to, SHOVE.rule);
            let feet = drop.as_ref().map_or(0, |&feet| feet);
            ways.push((feet, Offer::from(choice, can.clone().and(drop.map(|_| ())))));
        }
        ways.sort_by_key(|(feet, _)| Reverse(*feet));
        out.extend(ways.into_iter().map(|(_, offer)| offer));
    }
    if !near {
        out.push(not(Why::new("SK-50", "no enemy is in reach from here")));
    }
}

/// Feet that `at` would fall if `by` pushed it to `to`; 0 if it would not fall.
pub fn drop_at(sk: &SkirmishQuery, by: Id, at: Id, to: Cell) -> u16 {
    push::landing(sk, by, at, to, SHOVE.rule).unwrap_or(0)
}
