//! How the quick AI scores offers.

use super::{
    Demo,
    acts::{self, GUARD, MOVE, STRIKE},
    state::DemoQuery,
};
use crate::{
    battle::{Id, Offer},
    rulesets::common::{
        act::{self, Act, ShownChances, rows},
        ai::{AttackOption, Evaluation, Hit, NEVER, QuickAi, worth_of_hit},
    },
};

impl QuickAi for Demo {
    act::acts!(Demo: ACTS);

    type Own = ();
    type Traits = ();
    const OUTCOMES: (i32, i32) = (0, 20);

    fn aim(de: &DemoQuery, by: Id, at: Id, option: &mut AttackOption) {
        let forecast = de.in_the_open(by, at, option.item);
        let hit = worth_of_hit(de.view.body(at).hp, &forecast.damage);
        option.hits.push(Hit::new(forecast.outcomes(), hit));
    }

    /// Feet that an enemy can move and still attack: 0, because a round allows only one of them.
    fn approach_feet(_: &DemoQuery, _: Id) -> Option<u16> {
        Some(0)
    }
}

static ACTS: &[Act<Demo>] = rows! {
    MOVE: no button, ShownChances::None, walk;
    STRIKE: 's' "Strike" Strike (plain), "Attack an enemy.", ShownChances::None, strike;
    // Guarding makes a fifth of the attacks that would hit miss.
    GUARD: 'd' "Guard" Defend, "A fifth of the attacks against you miss.",
        ShownChances::None, |eval, _| eval.stay() + eval.danger(eval.here) / 5 - 1;
};

fn walk(eval: &Evaluation<Demo>, offer: &Offer) -> i32 {
    let to = offer.choice.to;
    to.map_or(NEVER, |to| eval.place(to) - i32::from(offer.feet) / 5)
}

fn strike(eval: &Evaluation<Demo>, offer: &Offer) -> i32 {
    let (de, choice) = (eval.state, &offer.choice);
    let attack = acts::attack(de, choice);
    let forecast = attack.and_then(|attack| de.forecast(&attack).ok());
    let (Some(at), Some(forecast)) = (choice.at, forecast) else {
        return NEVER;
    };
    let worth = worth_of_hit(de.view.body(at).hp, &forecast.damage);
    forecast.outcomes() * worth / 20 + eval.stay()
}
