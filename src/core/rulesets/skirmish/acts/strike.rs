//! Melee attacks (SK-10).

use super::{row::*, weapon_attack};
use crate::rulesets::common::attacks;
use crate::{
    battle::{Action, Choice, Id, Item, Offer, Why},
    rulesets::skirmish::query::SkirmishQuery,
};

pub static STRIKE: Action = attacks::strike("SK-10");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STRIKE: 's' "Strike" Strike (plain), "Main action. Attack an enemy in reach.",
            Chances::Attack(|_, choice| Some(weapon_attack::attack(choice))), |eval, _, offer| eval.strike(&offer.choice);
    },
    when: (),
    offers,
    begin: weapon_attack::begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let items = sk
        .inventory(who)
        .at_hand()
        .filter(|&n| sk.weapon(n).melee.is_some());
    let items: Vec<Item> = items.collect();
    let farthest = items
        .iter()
        .filter_map(|&n| sk.reach(who, n))
        .max()
        .unwrap_or(5);
    let enemies = sk.known_enemies(sk.body(who).side);
    let mut near = sk.view.nearby(who, enemies, farthest).peekable();
    if near.peek().is_none() {
        let why = match sk.view.has_weapon(who, |weapon| weapon.melee.is_some()) {
            true => sk.why_not(who, Why::far("SK-10", "no enemy is in reach from here")),
            false => Why::new("SK-10", "nothing to strike with").lacking(true),
        };
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
    }
    for enemy in near {
        for &item in &items {
            let choice = Choice::new(&STRIKE, who).at(enemy).with(item);
            let legal = weapon_attack::legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
}
