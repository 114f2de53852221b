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

/// Shooting with a foe at hand (SK-11).
const BESET: i32 = 4;

/// What comes of an attack in the open.
pub(super) fn aim(sk: &SkirmishQuery, by: Id, at: Id, arm: &mut Arm) {
    let (with, ranged) = (arm.item, arm.ranged);
    if sk.free_to_use(by, with, ranged).is_err() {
        return;
    }
    let plain = sk.plain_forecast(&attack(by, at, with, ranged));
    let (mut hit, mut miss) = hit_and_miss(&plain);
    let mut faces = 21 - plain.needs();
    if ranged {
        arm.beset = match sk.weapon(with).needs_two_hands_to_shoot() {
            true => None,
            false => Some(BESET),
        };
        if !sk.is_loaded(by, with) {
            // It has to be loaded first.
            (hit, miss) = (hit / 2, miss / 2);
        }
        if sk.is_veiled(at) {
            faces += i32::from(numbers::UNSEEN);
            if !sk.is_heard(at, sk.body(by).side) {
                // Who goes near enough hears it.
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
    /// What an attack is worth as things stand.
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
            // What meets a screen instead is worth half as much.
            let percent = (100 + f.pass.percent() as i32) / 2;
            let price = price_of_throwing(&self.state.view, &attack);
            value(&f) * percent / 100 - price
        })
    }
}

/// What a hit and a miss are worth.
fn hit_and_miss(f: &Forecast) -> (i32, i32) {
    let (hp, hit) = (f.hp.max(1), worth_of_hit(f.hp, &f.damage));
    let shock = f.shock.points();
    let miss = shock.min(hp) * HURT / hp + if shock >= hp { KILL } else { 0 };
    (hit, miss)
}

/// What a hit is worth.
pub(super) fn worth_of(f: &Forecast) -> i32 {
    hit_and_miss(f).0
}

/// What an attack is worth, hit or miss.
pub(super) fn value(f: &Forecast) -> i32 {
    let ((hit, miss), hits) = (hit_and_miss(f), f.hit().favourable as i32);
    (hits * hit + (20 - hits) * miss) / 20
}
