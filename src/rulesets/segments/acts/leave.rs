//! Leaving the battle by an exit, of one's own will.

use super::{Act, spend};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Rule, Verb, Why},
    rulesets::{
        common::leave::{LeaveStep, Leaves},
        segments::{
            Segments,
            facts::Fact,
            reactions::Reactions,
            se::{Kind, Se},
        },
    },
};

pub static LEAVE: Verb = Verb {
    name: "leave",
    phrase: "leave the battle",
    told: "makes off",
    rule: "SE-55",
};

pub(super) const ACT: Act = Act {
    verbs: &[&LEAVE],
    offers,
    begin,
};

fn offers(se: &Se, who: Id, out: &mut Vec<Offer>) {
    if se.view.exits(who).next().is_some() {
        let legal = se.may(who, Kind::Move).and_then(|()| legal(se, who));
        out.push(Offer::from(Choice::new(&LEAVE, who), legal));
    }
}

/// One stands on an exit of one's side.
pub fn legal(se: &Se, who: Id) -> Result<(), Why> {
    if se.view.is_at_exit(who) {
        Ok(())
    } else {
        Err(Why::new("SE-55", "not at an exit"))
    }
}

fn begin(se: &Se, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let mut flow = spend(choice);
    make_off(se, who, &mut flow);
    flow
}

/// Those next to it strike first (SE-52).
pub fn make_off(se: &Se, who: Id, flow: &mut Flow) {
    let strikers = se.strikers(who);
    if strikers != 0 {
        flow.push(Reactions::to_flight(se, who, strikers));
    }
    flow.push(LeaveStep::<Segments>::of(who));
}

impl Leaves for Segments {
    const LEFT: Rule = "SE-55";

    fn round(se: &Se) -> u16 {
        se.clock.round
    }

    fn has_returned(se: &Se, who: Id) -> bool {
        se.fighter(who).returns.is_some()
    }

    fn will_return(who: Id, round: u16) -> Change {
        Fact::WillReturn { who, round }.event()
    }
}
