//! Picking up what lies about (SK-23): a Move, ready for use at once.

use super::{Act, declare, provoke};
use crate::{
    battle::{Change, Choice, Flow, Id, Item, Offer, Verb, Why},
    grid::{Cell, Space},
    rulesets::skirmish::{hands::make_room, sk::Sk},
    system_step,
};
use bevy::ecs::system::In;

pub static PICK_UP: Verb = Verb {
    name: "pick up",
    phrase: "pick up {with} at {to}",
    told: "reaches for {with} at {to}",
    rule: "SK-23",
};

pub(super) const ACT: Act = Act {
    verbs: &[&PICK_UP],
    offers,
    begin,
};

/// How far one reaches for things, in feet.
const REACH: u16 = 5;

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    if !sk.view.creature(who).has_hands() {
        return;
    }
    let mut near: Vec<(Cell, Item)> = sk.view.ground.0.clone();
    near.retain(|&(at, _)| is_in_reach(sk, who, at));
    near.sort_unstable();
    near.dedup();
    for &(at, item) in &near {
        let choice = Choice::new(&PICK_UP, who).with(item).to(at);
        out.push(Offer::from(choice, sk.needs_move(who)));
    }
    if near.is_empty() {
        let why = Why::new("SK-23", "nothing lies in reach");
        out.push(Offer::not(Choice::new(&PICK_UP, who), why));
    }
}

fn is_in_reach(sk: &Sk, who: Id, at: Cell) -> bool {
    let here = sk.body(who).space();
    here.contains(at) || sk.view.board.in_reach(here, Space::one(at), REACH)
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let mut flow = declare(choice, sk.fighter(who).move_price());
    provoke(sk, who, "SK-23", &mut flow);
    flow.then(Take {
        who,
        item: choice.with.expect("it is about a thing"),
        at: choice.to.expect("it lies somewhere"),
    })
}

/// The attacks that it draws come first; who falls takes nothing.
#[derive(Clone, Debug)]
struct Take {
    who: Id,
    item: Item,
    at: Cell,
}
system_step!(Take, take);

fn take(In(Take { who, item, at }): In<Take>, sk: Sk) -> Flow {
    let mut flow = Flow::default();
    let lies = sk.view.ground.0.contains(&(at, item));
    if sk.can_act(who) && lies && is_in_reach(&sk, who, at) {
        make_room(&sk, who, item, &mut flow);
        flow.emit("SK-23", Change::PickedUp { who, item, at });
    }
    flow
}
