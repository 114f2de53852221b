//! Leaving the battle by an exit, of one's own will.

use super::{Act, spend};
use crate::{
    battle::{Choice, Flow, Id, Offer, Verb, Why},
    rulesets::segments::{
        facts::Fact,
        reactions::Reactions,
        se::{Kind, Se},
    },
    system_step,
};
use bevy::ecs::system::In;

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
    flow.push(Gone { who });
}

#[derive(Clone, Debug)]
struct Gone {
    who: Id,
}
system_step!(Gone, gone);

fn gone(In(Gone { who }): In<Gone>, se: Se) -> Flow {
    let mut flow = Flow::default();
    if se.is_up(who) {
        be_gone(&se, who, &mut flow);
    }
    flow
}

/// It has left the field; if the level says so it comes back so many rounds
/// later, once.
pub fn be_gone(se: &Se, who: Id, flow: &mut Flow) {
    se.view.leave(who, "SE-55", flow);
    let back = se.view.back_in(se.body(who).side, se.clock.round);
    if let Some(round) = back.filter(|_| se.fighter(who).returns.is_none()) {
        flow.emit("SE-55", Fact::WillReturn { who, round }.event());
    }
}
