//! Leaving the battle by an exit, of one's own will.

use super::Act;
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb, Why},
    rulesets::skirmish::sk::Sk,
};

pub static LEAVE: Verb = Verb {
    name: "leave",
    phrase: "leave the battle",
    told: "makes off",
    rule: "SK-60",
};

pub(super) const ACT: Act = Act {
    verbs: &[&LEAVE],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    if sk.view.exits(who).next().is_some() {
        out.push(Offer::from(Choice::new(&LEAVE, who), legal(sk, who)));
    }
}

/// One stands on an exit of one's side; the step out costs nothing.
pub fn legal(sk: &Sk, who: Id) -> Result<(), Why> {
    sk.free_to_move(who)?;
    if sk.view.is_at_exit(who) {
        Ok(())
    } else {
        Err(Why::new("SK-60", "not at an exit"))
    }
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let choice = choice.clone();
    let mut flow = Flow::default().and("SK-60", Change::Acted { choice });
    sk.view.leave(who, "SK-60", &mut flow);
    flow
}
