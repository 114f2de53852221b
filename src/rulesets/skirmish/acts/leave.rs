//! Leaving the battle by an exit, of one's own will.

use super::Act;
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, StepOutcome, Why},
    rulesets::{
        common::leave::be_gone,
        skirmish::{Skirmish, sk::Sk},
    },
};

pub static LEAVE: Action = Action {
    name: "leave",
    order_text: "leave the battle",
    log_text: "makes off",
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

fn begin(sk: &Sk, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let choice = choice.clone();
    let mut outcome = StepOutcome::default().and("SK-60", EventKind::Acted { choice });
    be_gone::<Skirmish>(sk, who, &mut outcome);
    outcome
}
