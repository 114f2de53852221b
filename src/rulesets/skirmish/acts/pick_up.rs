//! Picking up what lies about (SK-23): a Move, ready for use at once.

use super::{Act, declare, provoke};
use crate::{
    battle::{Action, Choice, Id, Item, Offer, StepOutcome},
    grid::Cell,
    rulesets::{
        common::gear::{can_reach, pick_ups, take_up},
        skirmish::sk::Sk,
    },
    system_step,
};
use bevy::ecs::system::In;

pub static PICK_UP: Action = Action::new(
    "pick up",
    "pick up {with} at {to}",
    "reaches for {with} at {to}",
    "SK-23",
);

pub(super) const ACT: Act = Act {
    verbs: &[&PICK_UP],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let choice = Choice::new(&PICK_UP, who);
    pick_ups(&sk.view, &choice, |_| sk.needs_move(who), out);
}

fn begin(sk: &Sk, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let mut outcome = declare(choice, sk.fighter(who).move_price());
    provoke(sk, choice.verb, who, &mut outcome);
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
