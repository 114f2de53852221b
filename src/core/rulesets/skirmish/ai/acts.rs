//! What attacks, spells and other actions of a unit's own turn are worth.

use super::super::{acts::cast, forecast::attacks as attacks_of, odds::Forecast};
use super::{Evaluation, HURT, KILL, Skirmish};
use crate::{
    battle::{Attack, Choice, Id, Item},
    rulesets::common::{act::attack_of, ai::worth_of_hit, inventory::price_of_throwing},
};

/// How much better than a plain attack a spell with limited castings must be.
const THRIFT: i32 = 120;

pub(super) fn attack(by: Id, at: Id, with: Item, ranged: bool) -> Attack {
    Attack::new(by, at, with, ranged, "SK-10")
}

impl Evaluation<'_, '_, '_> {
    /// The worth of an attack as things stand.
    pub fn attack(&self, choice: &Choice) -> i32 {
        let Some((attack, _)) = attack_of::<Skirmish>(self.state, choice) else {
            return 0;
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

    /// The score of a charge: it uses up the turn and costs 2 AC.
    pub fn charge(&self, choice: &Choice) -> Option<i32> {
        let (attack, to) = attack_of::<Skirmish>(self.state, choice)?;
        let forecast = self.state.forecast_from(&attack, to).ok()?;
        let cost = self.provocation_cost() + price_of_throwing(self.view, &attack);
        Some(value(&forecast) + self.place(to) - cost - self.danger(to) / 8)
    }

    /// The worth of disengaging: good for a unit that can't fight here and would be hurt while
    /// leaving, which it can't in a grapple (SK-52).
    pub fn disengage(&self) -> Option<i32> {
        let sk = self.state;
        let can_move = sk.fighter(self.who).moves > 0 && !sk.in_grapple(self.who);
        can_move.then(|| self.provocation_cost() / 2 - self.offense(self.here) / 3)
    }

    pub fn aid(&self, choice: &Choice) -> i32 {
        let Some(ally) = choice.at else { return 0 };
        let rounds = i32::from(self.state.fighter(ally).dying.unwrap_or(0));
        200 + rounds * 60 - self.provocation_cost() + self.stay()
    }

    /// The worth of a casting (SK-70): its worth on enemies less its harm to allies.
    pub fn cast(&self, choice: &Choice) -> Option<i32> {
        let (sk, who) = (self.state, self.who);
        let kind = sk.view.spell(choice.spell?);
        let mut worth = self.spell_on_all(kind, cast::aim(sk, choice).ok()?);
        if kind.uses.is_some() {
            worth -= THRIFT;
        }
        worth = worth * attacks_of::casts_unhurt(sk, who).percent() as i32 / 100;
        (worth > 0).then(|| worth - self.provocation_cost())
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
