//! A second Main, once a battle, for those whose trait grants it (SK-71).

use super::Act;
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb, Why},
    content::Trait,
    rulesets::skirmish::{sk::Sk, stance::Timing},
};

pub static SPARE_MAIN: Verb = Verb {
    name: "spare Main",
    phrase: "take the spare main",
    told: "draws on a spare Main",
    rule: "SK-71",
};

pub(super) const ACT: Act = Act {
    verbs: &[&SPARE_MAIN],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let choice = Choice::new(&SPARE_MAIN, who);
    if !sk.view.creature(who).has(Trait::SpareMain) {
        return;
    }
    if sk.stance(who).spare_spent {
        out.push(Offer::not(
            choice,
            Why::new("SK-71", "once a battle, and it was taken"),
        ));
    } else {
        out.push(Offer::legal(choice));
    }
}

fn begin(_: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let said = Change::Acted {
        choice: choice.clone(),
    };
    Flow::default()
        .and("SK-71", said)
        .and("SK-71", Timing::SpareMain { who }.event())
}
