//! Disengage (SK-19): leave a melee without drawing its attacks.

use super::{Act, declare};
use crate::{
    battle::{Choice, Flow, Id, Offer, Verb, Why},
    rulesets::skirmish::{
        fighter::{Action, Sk as Fact},
        sk::Sk,
    },
};

pub static DISENGAGE: Verb = Verb {
    name: "disengage",
    phrase: "disengage",
    told: "disengages",
    rule: "SK-19",
};

pub(super) const ACT: Act = Act {
    verbs: &[&DISENGAGE],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    out.push(Offer::from(Choice::new(&DISENGAGE, who), legal(sk, who)));
}

fn legal(sk: &Sk, who: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    if sk.provoked_by(who).is_empty() {
        return Err(Why::new("SK-19", "no enemy has it in reach"));
    }
    Ok(())
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let from = sk.provoked_by(who);
    declare(choice, Action::Main).and("SK-19", Fact::Disengaged { who, from }.event())
}
