//! Leaving the battle by an exit, of one's own will.

use super::{Act, spend};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, Rule, StepOutcome, Why},
    rulesets::{
        common::leave::{LeaveStep, Leaves},
        segments::{
            Segments,
            events::SegmentsEvent,
            reactions::Reactions,
            se::{Kind, Se},
        },
    },
};

pub static LEAVE: Action = Action {
    name: "leave",
    order_text: "leave the battle",
    log_text: "makes off",
    rule: "SE-55",
};

pub(super) const ACT: Act = Act {
    verbs: &[&LEAVE],
    offers,
    begin: |se, choice| begin(se, choice).into(),
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

fn begin(se: &Se, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let mut outcome = spend(choice);
    make_off(se, who, &mut outcome);
    outcome
}

/// Those next to it strike first (SE-52).
pub fn make_off(se: &Se, who: Id, outcome: &mut StepOutcome) {
    let strikers = se.strikers(who);
    if strikers != 0 {
        outcome.push(Reactions::to_flight(se, who, strikers));
    }
    outcome.push(LeaveStep::<Segments>::of(who));
}

impl Leaves for Segments {
    const LEFT: Rule = "SE-55";

    fn has_returned(se: &Se, who: Id) -> bool {
        se.fighter(who).returns.is_some()
    }

    fn will_return(who: Id, round: u16) -> EventKind {
        SegmentsEvent::WillReturn { who, round }.event()
    }
}
