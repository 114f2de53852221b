//! Picking up what lies about (SK-23): a Move, ready for use at once.

use super::{Act, declare, provoke};
use crate::{
    battle::{Action, Choice, Id, Item, Offer, StepOutcome, Why},
    grid::Cell,
    rulesets::{
        common::gear::{can_reach, lying, take_up},
        skirmish::sk::Sk,
    },
    system_step,
};
use bevy::ecs::system::In;

pub static PICK_UP: Action = Action {
    name: "pick up",
    order_text: "pick up {with} at {to}",
    log_text: "reaches for {with} at {to}",
    rule: "SK-23",
};

pub(super) const ACT: Act = Act {
    verbs: &[&PICK_UP],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    if !sk.view.creature(who).has_hands() {
        return;
    }
    let near = lying(&sk.view, who);
    for &(at, item) in &near {
        let choice = Choice::new(&PICK_UP, who).with(item).to(at);
        out.push(Offer::from(choice, sk.needs_move(who)));
    }
    if near.is_empty() {
        let why = Why::new("SK-23", "nothing lies in reach");
        out.push(Offer::not(Choice::new(&PICK_UP, who), why));
    }
}

fn begin(sk: &Sk, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let mut outcome = declare(choice, sk.fighter(who).move_price());
    provoke(sk, who, "SK-23", &mut outcome);
    outcome.then(Take {
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

fn take(In(Take { who, item, at }): In<Take>, sk: Sk) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let lies = sk.view.ground.0.contains(&(at, item));
    if sk.can_act(who) && lies && can_reach(&sk.view, who, at) {
        take_up(&sk.view, who, item, at, "SK-23", &mut outcome);
    }
    outcome
}
