//! What attacks are worth.

use super::{Evaluation, HURT, KILL};
use crate::{
    battle::{Attack, Choice, Id, Item},
    rulesets::{
        common::{ai::worth_of_hit, inventory::price_of_throwing},
        skirmish::{
            acts::{SHOOT, THROW},
            odds::Forecast,
        },
    },
};

pub(super) fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack::new(by, at, with, ranged, "SK-10")
}

impl Evaluation<'_, '_, '_> {
    /// The worth of an attack as things stand.
    pub fn attack(&self, choice: &Choice) -> i32 {
        let (Some(at), Some(with)) = (choice.at, choice.with) else {
            return 0;
        };
        let ranged = choice.verb == &SHOOT || choice.verb == &THROW;
        let attack = Attack {
            by: self.who,
            at,
            with,
            ranged,
            rule: choice.verb.rule,
            extra: vec![],
        };
        self.state.forecast(&attack).map_or(0, |f| {
            // The part that a screen may intercept counts half.
            let percent = (100 + f.pass.percent() as i32) / 2;
            value(&f) * percent / 100 - price_of_throwing(self.view, &attack)
        })
    }

    /// The mean worth of a possible attack, 0 for another.
    pub(super) fn worth_of_attack(&self, attack: &Attack) -> i32 {
        self.state.forecast(attack).map_or(0, |f| value(&f))
    }
}

/// The worth of a hit, and of a miss.
pub(super) fn hit_and_miss(f: &Forecast) -> (i32, i32) {
    let (hp, hit) = (f.hp.max(1), worth_of_hit(f.hp, &f.damage));
    let shock = f.shock.points();
    let miss = shock.min(hp) * HURT / hp + if shock >= hp { KILL } else { 0 };
    (hit, miss)
}

/// The mean worth of an attack.
pub(super) fn value(f: &Forecast) -> i32 {
    let ((hit, miss), hits) = (hit_and_miss(f), f.hit().favourable as i32);
    (hits * hit + (20 - hits) * miss) / 20
}
