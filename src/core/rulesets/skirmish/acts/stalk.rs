//! Stalk (SK-56): the undisturbed minute before an execution.

use super::{declare, row::*};
use crate::rulesets::skirmish::numbers;
use crate::{
    battle::{Action, Choice, Id, Offer, StepOutcome, Why},
    rulesets::skirmish::{
        awareness::{AwarenessEvent, can_aim},
        query::SkirmishQuery,
        state::ActionCost,
    },
};

pub static STALK: Action = Action::new("stalk", "stalk {at}", "begins to stalk {at}", "SK-56");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STALK: 'x' "Stalk" Dagger (fallback), "Main action. Shadow an unaware enemy; after 10 rounds you can execute them.",
            Chances::None, |eval, _, _| eval.body_worth(eval.stalk());
    },
    when: (),
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let mut any = false;
    for at in sk.known_enemies(sk.body(who).side) {
        if sk.is_unaware(at) {
            any = true;
            let choice = Choice::new(&STALK, who).at(at);
            out.push(Offer::from(choice, legal(sk, who, at)));
        }
    }
    if !any {
        let why = Why::new("SK-56", "no enemy is unaware").lacking(true);
        out.push(Offer::not(Choice::new(&STALK, who), why));
    }
}

fn legal(sk: &SkirmishQuery, who: Id, at: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    Why::of_actor("SK-56", "is already stalking this enemy")
        .when(sk.watch(who).stalk.is_some_and(|stalk| stalk.at == at))?;
    if !sk.view.within(who, at, numbers::NEAR) && !can_aim(sk, who, at) {
        let text = "not within 30 ft, and not in range of a held weapon";
        return Err(Why::new("SK-56", text));
    }
    Ok(())
}

fn begin(_: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let at = choice.at.expect("a target");
    declare(choice, ActionCost::Main).and("SK-56", AwarenessEvent::Stalks { who, at })
}
