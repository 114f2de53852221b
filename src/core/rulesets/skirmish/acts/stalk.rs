//! Stalk (SK-56): the undisturbed minute before an execution.

use super::row::*;
use crate::rulesets::skirmish::awareness::{AwarenessEvent, can_aim};

verbs! {
    STALK = "stalk", "stalk {at}", "begins to stalk {at}", "SK-56";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STALK: 'x' "Stalk" Dagger (fallback), "Main action. Shadow an unaware enemy; after 10 rounds you can execute them.",
            Chances::Odds(checks::stalking), |eval, _| eval.staying(eval.stalk());
    },
    when: (),
    offers: |sk, who, out| {
        let unaware = sk.known_enemies(sk.body(who).side);
        let unaware = unaware.filter(|&at| sk.is_unaware(at));
        let offer = |at: Id| Offer::from(Choice::new(&STALK, who).at(at), legal(sk, who, at));
        let why = Why::new("SK-56", "no enemy is unaware").lacking(true);
        list_or(unaware.map(offer), Choice::new(&STALK, who), why, out);
    },
    begin: |sk, choice| {
        let who = choice.actor();
        let at = choice.at.expect("a target");
        declare(sk, choice, ActionCost::Main).and("SK-56", AwarenessEvent::Stalks { who, at })
    },
};

fn legal(sk: &SkirmishQuery, who: Id, at: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    Why::of_actor("SK-56", "is already stalking this enemy")
        .when(sk.watch(who).stalk.is_some_and(|stalk| stalk.at == at))?;
    let why = "not within 30 ft, and not in range of a held weapon";
    let near = sk.view.within(who, at, numbers::NEAR);
    Why::new("SK-56", why).unless(near || can_aim(sk, who, at))
}
