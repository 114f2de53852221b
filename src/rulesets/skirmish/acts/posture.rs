//! Going prone (SK-25) and standing up (SK-24).

use super::{Act, declare, provoke};
use crate::{
    battle::{Change, Choice, Flow, Id, Offer, Verb, Why},
    rulesets::skirmish::{fighter::Action, hands, sk::Sk},
    system_step,
};
use bevy::ecs::system::In;

pub static GO_PRONE: Verb = Verb {
    name: "go prone",
    phrase: "go prone",
    told: "goes prone",
    rule: "SK-25",
};
pub static STAND_UP: Verb = Verb {
    name: "stand up",
    phrase: "stand up",
    told: "begins to stand up",
    rule: "SK-24",
};

pub(super) const ACT: Act = Act {
    verbs: &[&GO_PRONE, &STAND_UP],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    if sk.body(who).prone {
        out.push(Offer::from(Choice::new(&STAND_UP, who), sk.needs_move(who)));
    } else {
        out.push(Offer::from(Choice::new(&GO_PRONE, who), sk.needs_free(who)));
    }
    let (idle, why) = if sk.body(who).prone {
        (&GO_PRONE, Why::new("SK-25", "already prone"))
    } else {
        (&STAND_UP, Why::new("SK-24", "already on its feet"))
    };
    out.push(Offer::not(Choice::new(idle, who), why));
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    if choice.verb == &GO_PRONE {
        let what = Change::Prone { who, prone: true };
        return declare(choice, Action::Free).and("SK-25", what);
    }
    let mut flow = declare(choice, sk.fighter(who).move_price());
    rise_up(sk, who, &mut flow);
    flow
}

/// Standing up, its Move being paid: those in reach strike first.
pub fn rise_up(sk: &Sk, who: Id, flow: &mut Flow) {
    provoke(sk, who, "SK-24", flow);
    flow.push(Rise { who });
}

/// The attacks that standing up draws come before it; who falls stays down.
#[derive(Clone, Debug)]
struct Rise {
    who: Id,
}
system_step!(Rise, rise);

fn rise(In(Rise { who }): In<Rise>, sk: Sk) -> Flow {
    if !sk.is_up(who) || !sk.body(who).prone {
        return Flow::default();
    }
    let mut flow = Flow::default().and("SK-24", Change::Prone { who, prone: false });
    hands::take_up_all(&sk, who, &mut flow);
    flow
}
