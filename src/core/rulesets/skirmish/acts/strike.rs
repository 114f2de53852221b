//! Make a melee attack (SK-10).

use super::{Act, blow};
use crate::rulesets::common::attacks;
use crate::{
    battle::{Action, Choice, Id, Item, Offer, Why},
    rulesets::skirmish::sk::Sk,
};

pub static STRIKE: Action = attacks::strike("SK-10");

pub(super) const ACT: Act = Act {
    verbs: &[&STRIKE],
    offers,
    begin: blow::begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let items = sk
        .gear(who)
        .at_hand()
        .filter(|&n| sk.weapon(n).melee.is_some());
    let items: Vec<Item> = items.collect();
    let farthest = items
        .iter()
        .filter_map(|&n| sk.reach(who, n))
        .max()
        .unwrap_or(5);
    let mut near = false;
    for foe in sk.known_foes(sk.body(who).side) {
        // Who is far off is not listed apart: "out of reach" once is enough.
        if crate::grid::cells_apart(sk.body(who).space(), sk.body(foe).space()) * 5 > farthest {
            continue;
        }
        near = true;
        for &item in &items {
            let choice = Choice::new(&STRIKE, who).at(foe).with(item);
            let legal = blow::legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
    if !near {
        let why = sk.why_not(who, Why::new("SK-10", "no enemy is in reach"));
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
    }
}
