//! What attacks are worth.

use super::{Evaluation, HURT, KILL};
use crate::rulesets::common::attacks::ToHit;
use crate::rulesets::skirmish::numbers;
use crate::{
    battle::{Attack, Choice, Id, Item, Modifier},
    rulesets::{
        common::{
            ai::{Arm, Hit, worth_of_hit},
            gear::price_of_throwing,
        },
        skirmish::{
            acts::{SHOOT, THROW},
            odds::Forecast,
            query::SkirmishQuery,
        },
    },
};

/// To-hit penalty for shooting with an enemy in reach (SK-11).
const ADJACENT_PENALTY: i32 = 4;

/// Fills in an arm for an attack with nothing in the way.
pub(super) fn aim(sk: &SkirmishQuery, by: Id, at: Id, arm: &mut Arm) {
    let (with, ranged) = (arm.item, arm.ranged);
    if sk.free_to_use(by, with, ranged).is_err() {
        return;
    }
    let plain = sk.unobstructed_forecast(&attack(by, at, with, ranged));
    let (mut hit, mut miss) = hit_and_miss(&plain);
    let mut faces = 21 - plain.needs();
    if ranged {
        arm.adjacent_penalty = match sk.weapon(with).needs_two_hands_to_shoot() {
            true => None,
            false => Some(ADJACENT_PENALTY),
        };
        if !sk.is_loaded(by, with) {
            // The weapon must be loaded first.
            (hit, miss) = (hit / 2, miss / 2);
        }
        if sk.is_veiled(at) {
            faces += i32::from(numbers::UNSEEN);
            if !sk.is_heard(at, sk.body(by).side) {
                // The target is heard only from close enough.
                (arm.near, arm.far) = (
                    arm.near.min(numbers::HEARING),
                    arm.far.min(numbers::HEARING),
                );
            }
        }
    }
    arm.blows.push(Hit { faces, hit, miss });
}

pub(super) fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack::new(by, at, with, ranged, "SK-10")
}

impl Evaluation<'_, '_, '_> {
    /// The worth of an attack as things stand.
    pub(in super::super::super) fn attack(&self, choice: &Choice, extra: Vec<Modifier>) -> i32 {
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
            extra,
        };
        self.state.forecast(&attack).map_or(0, |f| {
            // The part that a screen may intercept counts half.
            let percent = (100 + f.pass.percent() as i32) / 2;
            let price = price_of_throwing(&self.state.view, &attack);
            value(&f) * percent / 100 - price
        })
    }
}

/// The worth of a hit, and of a miss.
fn hit_and_miss(f: &Forecast) -> (i32, i32) {
    let (hp, hit) = (f.hp.max(1), worth_of_hit(f.hp, &f.damage));
    let shock = f.shock.points();
    let miss = shock.min(hp) * HURT / hp + if shock >= hp { KILL } else { 0 };
    (hit, miss)
}

/// The worth of a hit.
pub(super) fn worth_of(f: &Forecast) -> i32 {
    hit_and_miss(f).0
}

/// The mean worth of an attack.
pub(super) fn value(f: &Forecast) -> i32 {
    let ((hit, miss), hits) = (hit_and_miss(f), f.hit().favourable as i32);
    (hits * hit + (20 - hits) * miss) / 20
}
