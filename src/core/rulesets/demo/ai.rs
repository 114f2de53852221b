//! What its AI makes of the offers.

use super::{
    Demo,
    acts::{self, MOVE, STRIKE},
    state::De,
};
use crate::{
    battle::{Id, Offer},
    rulesets::common::ai::{Arm, Evaluation, Hit, NEVER, Thinks, worth_of_hit},
};

impl Thinks for Demo {
    type Own = ();
    type Traits = ();
    const FACES: (i32, i32) = (0, 20);

    fn own(_: &De, _: Id, _: &[Offer]) {}

    fn aim(de: &De, by: Id, at: Id, arm: &mut Arm) {
        let forecast = de.in_the_open(by, at, arm.item);
        arm.blows.push(Hit {
            faces: forecast.faces(),
            hit: worth_of_hit(de.view.body(at).hp, &forecast.damage),
            miss: 0,
        });
    }

    /// Nobody moves and strikes in one round.
    fn comes(_: &De, _: Id) -> Option<u16> {
        Some(0)
    }

    fn score(mind: &Evaluation<Self>, _: &[Offer], offer: &Offer) -> i32 {
        let (de, choice) = (mind.state, &offer.choice);
        if choice.verb == &MOVE {
            let feet = i32::from(offer.feet);
            choice.to.map_or(NEVER, |to| mind.place(to) - feet / 5)
        } else if choice.verb == &STRIKE {
            let attack = acts::attack(de, choice);
            let forecast = attack.and_then(|attack| de.forecast(&attack).ok());
            let (Some(at), Some(forecast)) = (choice.at, forecast) else {
                return NEVER;
            };
            let worth = worth_of_hit(de.view.body(at).hp, &forecast.damage);
            forecast.faces() * worth / 20 + mind.stay()
        } else {
            // On guard a fifth of the blows go wrong that would have hit.
            mind.stay() + mind.danger(mind.here) / 5 - 1
        }
    }
}
