//! Ranged attacks (SK-11): shoot, or throw a weapon.

use super::{row::*, weapon_attack};
use crate::rulesets::common::attacks;
use crate::{
    battle::{Action, Choice, Id, Offer},
    rulesets::skirmish::query::SkirmishQuery,
};

pub static SHOOT: Action = attacks::shoot("SK-11");
pub static THROW: Action = attacks::throw("SK-11");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SHOOT: 'h' "Shoot" Shoot (plain), "Main action. Needs a clear line. Next to an enemy: −4 with one hand, impossible with two.",
            Chances::Attack(|_, choice| Some(weapon_attack::attack(choice))), |eval, _, offer| eval.strike(&offer.choice);
        THROW: 't' "Throw" Throw (plain), "Main action. −4 with an enemy in reach. The weapon lands on the ground.",
            Chances::Attack(|_, choice| Some(weapon_attack::attack(choice))), |eval, _, offer| eval.strike(&offer.choice);
    },
    when: (),
    offers,
    begin: weapon_attack::begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let mut armed = false;
    for item in sk.inventory(who).at_hand() {
        let weapon = sk.weapon(item);
        if weapon.ranged.is_none() {
            continue;
        }
        armed = true;
        let verb = if weapon.is_thrown() { &THROW } else { &SHOOT };
        for enemy in sk.known_enemies(sk.body(who).side) {
            let choice = Choice::new(verb, who).at(enemy).with(item);
            let legal = weapon_attack::legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
    if !armed {
        let why = sk.view.nothing_to_shoot(who, "SK-11");
        let why = match why.lacks {
            true => why,
            false => sk.why_not(who, why),
        };
        out.push(Offer::not(Choice::new(&SHOOT, who), why));
    }
}
