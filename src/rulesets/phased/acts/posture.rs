//! Going prone, in no time, and getting up, a simple activity (PH-12).

use super::{Act, needs_simple, own_simple, simple};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, StepOutcome},
    rulesets::phased::{
        ph::Ph,
        reactions::{Reactions, Trigger},
        state::Part,
    },
    system_step,
};
use bevy::ecs::system::In;

pub static GO_PRONE: Action = Action {
    name: "go prone",
    order_text: "go prone",
    log_text: "goes prone",
    rule: "PH-12",
};
pub static STAND_UP: Action = Action {
    name: "stand up",
    order_text: "stand up",
    log_text: "gets up",
    rule: "PH-12",
};

pub(super) const ACT: Act = Act {
    verbs: &[&GO_PRONE, &STAND_UP],
    when: |part| part.has_other() || part == Part::Melee,
    offers,
    begin,
};

fn offers(ph: &Ph, who: Id, out: &mut Vec<Offer>) {
    match ph.body(who).prone {
        true => out.push(Offer::from(
            Choice::new(&STAND_UP, who),
            needs_simple(ph, who),
        )),
        false if ph.clock.part.has_other() => {
            out.push(Offer::from(
                Choice::new(&GO_PRONE, who),
                own_simple(ph, who),
            ));
        }
        false => {}
    }
}

fn begin(ph: &Ph, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    if choice.verb == &GO_PRONE {
        let acted = EventKind::Acted {
            choice: choice.clone(),
        };
        let outcome = StepOutcome::default().and("PH-12", acted);
        return outcome.and("PH-12", EventKind::Prone { who, prone: true });
    }
    let rule = "PH-41";
    simple(ph, choice)
        .then(Reactions::open(Trigger::Opening { by: who, rule }))
        .then(Rise { who })
}

/// Those to whom it gives an opening come first; who falls stays down.
#[derive(Clone, Debug)]
struct Rise {
    who: Id,
}
system_step!(Rise, rise);

fn rise(In(Rise { who }): In<Rise>, ph: Ph) -> StepOutcome {
    match ph.is_up(who) && ph.body(who).prone {
        true => StepOutcome::default().and("PH-12", EventKind::Prone { who, prone: false }),
        false => StepOutcome::default(),
    }
}
