//! What the acts of one's own turn are worth.

use super::{Evaluation, attack::worth};
use crate::{
    battle::{Choice, Id, Offer},
    rulesets::{common::gear::price_of_throwing, skirmish::acts::charge_attack},
};

impl Evaluation<'_, '_, '_> {
    /// A charge uses up the turn and costs 2 AC.
    pub(super) fn charge(&self, choice: &Choice) -> i32 {
        let Some(to) = choice.to else {
            return i32::MIN + 1;
        };
        let attack = charge_attack(choice);
        let Ok(forecast) = self.sk.forecast_from(&attack, to) else {
            return i32::MIN + 1;
        };
        let (hit, miss) = worth(&forecast);
        let hits = forecast.hit().favourable as i32;
        let drawn = self.opening(self.sk.provoked_by(self.who).into_iter())
            + price_of_throwing(&self.sk.view, &attack);
        hits * hit + (20 - hits) * miss + self.place(to) - drawn - self.danger(to) / 8
    }

    /// A run is worth what can be done from its end, less what it draws. None
    /// if that is less than `beat`.
    pub(super) fn run(&self, offer: &Offer, beat: i32) -> Option<i32> {
        let to = offer.choice.to?;
        let then = |offense: i32| if self.strikes { offense } else { 0 };
        let price = self.drawn(offer.provoked) + i32::from(offer.feet) / 5;
        let price = price - self.lurking(to, false);
        let most = self.offense_at_most(to);
        // A place is worth a third of what can be done from it, less its faults.
        if then(most) + most / 3 - price < beat {
            return None;
        }
        if then(most) + self.place_at_most(to, most) - price < beat {
            return None;
        }
        let offense = self.offense(to);
        if then(offense) + self.place_at_most(to, offense) - price < beat {
            return None;
        }
        Some(then(offense) + self.place_with(to, offense) - price)
    }

    /// What the attacks of these foes, a bit set, may cost it.
    fn drawn(&self, foes: u64) -> i32 {
        if foes == 0 {
            return 0;
        }
        let is_one = |id: &Id| foes & id.bit() != 0;
        self.opening(self.foes.iter().copied().filter(is_one))
    }

    /// Worth it for who cannot fight here and would be cut down in leaving.
    pub(super) fn disengage(&self) -> i32 {
        let sk = self.sk;
        let here = self.here;
        if sk.fighter(self.who).moves == 0 {
            return i32::MIN + 1;
        }
        let drawn = self.opening(sk.provoked_by(self.who).into_iter());
        self.stay() - self.offense(here) / 3 + drawn / 2
    }

    pub(super) fn aid(&self, choice: &Choice) -> i32 {
        let Some(ally) = choice.at else { return 0 };
        let rounds = i32::from(self.sk.fighter(ally).dying.unwrap_or(0));
        let drawn = self.opening(self.sk.provoked_by(self.who).into_iter());
        200 + rounds * 60 - drawn + self.stay()
    }

    /// A door is opened when the way to the foes leads through it.
    pub(super) fn open(&self, choice: &Choice) -> i32 {
        let here = self.here;
        let Some(door) = choice.to else { return 0 };
        let (here_steps, door_steps) = match (self.steps_to_goal(here), self.steps_to_goal(door)) {
            (Some(a), Some(b)) => (a, b),
            _ if self.offense(here) > 0 => return i32::MIN + 1,
            _ => (self.steps_to_foes(here), self.steps_to_foes(door)),
        };
        if door_steps < here_steps {
            // Behind a shut door nothing is gained by waiting.
            self.stay() + 60 + self.danger(here) / 8
        } else {
            i32::MIN + 1
        }
    }
}
