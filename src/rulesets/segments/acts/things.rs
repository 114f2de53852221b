//! Things: drawn and put away, dropped and picked up, got out of the pack.
//! Each takes a segment, and the action comes after it; to let go takes none,
//! and the pack takes the action (SE-20, decided).

use super::{Act, announce, draw, spend, take_a_segment};
use crate::{
    battle::{Action, Choice, Id, Item, Offer, Place, StepOutcome, Why},
    content::Make,
    rulesets::{
        common::gear::{let_fall, lying, make_room, shifted, take_up},
        segments::se::{Kind, Se},
    },
};

macro_rules! verb {
    ($name:ident, $key:literal, $order_text:literal, $log_text:literal) => {
        pub static $name: Action = Action {
            name: $key,
            order_text: $order_text,
            log_text: $log_text,
            rule: "SE-20",
        };
    };
}
verb!(DRAW, "draw", "draw {with}", "draws {with}");
verb!(PUT_AWAY, "put away", "put away {with}", "puts {with} away");
verb!(DROP, "drop", "drop {with}", "lets go of {with}");
verb!(
    UNPACK,
    "unpack",
    "get {with} out of the pack",
    "gets {with} out of the pack"
);
verb!(
    PICK_UP,
    "pick up",
    "pick up {with} at {to}",
    "picks up {with} at {to}"
);

pub(super) const ACT: Act = Act {
    verbs: &[&DRAW, &PUT_AWAY, &UNPACK, &DROP, &PICK_UP],
    offers,
    begin: |se, choice| begin(se, choice).into(),
};

fn offers(se: &Se, who: Id, out: &mut Vec<Offer>) {
    if !se.view.creature(who).has_hands() {
        return;
    }
    let may = se.may(who, Kind::Move);
    let mut list = |verb: &'static Action, items: Vec<Item>, none: &'static str| {
        if items.is_empty() {
            out.push(Offer::not(Choice::new(verb, who), Why::new("SE-20", none)));
        }
        let choice = |item| Choice::new(verb, who).with(item);
        let offer = |item| Offer::from(choice(item), may.clone());
        out.extend(items.into_iter().map(offer));
    };
    let gear = se.gear(who);
    let held = || {
        let hands = gear.at(Place::Hand).chain(gear.at(Place::OffHand));
        let mut held: Vec<Item> = hands.collect();
        held.retain(|&item| se.weapon(item).make == Make::Forged);
        held.dedup();
        held
    };
    let belt = gear.at(Place::Belt).collect();
    list(&DRAW, belt, "nothing is at the belt");
    list(&PUT_AWAY, held(), "nothing is in hand");
    let pack = gear.at(Place::Pack).collect();
    list(&UNPACK, pack, "the pack is empty");
    list(&DROP, held(), "nothing is in hand");
    let near = lying(&se.view, who);
    if near.is_empty() {
        let why = Why::new("SE-20", "nothing lies in reach");
        out.push(Offer::not(Choice::new(&PICK_UP, who), why));
    }
    let offer = |(at, item)| {
        let choice = Choice::new(&PICK_UP, who).with(item).to(at);
        Offer::from(choice, may.clone())
    };
    out.extend(near.into_iter().map(offer));
}

fn begin(se: &Se, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let item = choice.with.expect("it is about a thing");
    let verb = choice.verb;
    let from = se.gear(who).place(item).unwrap_or(Place::Hand);
    if verb == &DRAW {
        let mut outcome = take_a_segment(se, choice);
        draw(se, who, item, &mut outcome);
        outcome
    } else if verb == &PUT_AWAY {
        take_a_segment(se, choice).and("SE-20", shifted(who, item, from, Place::Belt))
    } else if verb == &UNPACK {
        let mut outcome = spend(choice);
        make_room(&se.view, who, item, "SE-20", &mut outcome);
        outcome.and("SE-20", shifted(who, item, Place::Pack, Place::Hand))
    } else if verb == &DROP {
        let mut outcome = announce(choice);
        let_fall(&se.view, who, item, from, "SE-20", &mut outcome);
        outcome
    } else {
        let at = choice.to.expect("it lies somewhere");
        let mut outcome = take_a_segment(se, choice);
        take_up(&se.view, who, item, at, "SE-20", &mut outcome);
        outcome
    }
}
