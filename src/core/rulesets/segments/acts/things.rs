//! Items: draw, put away, drop, pick up, take from the pack. Each takes a segment before the unit's
//! action; dropping takes no time, and the pack uses up the action (SE-20, decided).

use super::{draw, row::*};
use crate::rulesets::common::{
    inventory::{drop_item, each_of, held, make_room, pick_ups, shifted, take_up},
    verbs,
};

verbs! {
    DRAW = "draw", "draw {with}", "draws {with}", "SE-20", Draw;
    PUT_AWAY = "put away", "put away {with}", "puts {with} away", "SE-20", PutAway;
    UNPACK = "unpack", "get {with} out of the pack", "gets {with} out of the pack", "SE-20",
        Unpack;
    DROP = "drop", "drop {with}", "lets go of {with}", "SE-20";
    PICK_UP = "pick up", "pick up {with} at {to}", "picks up {with} at {to}", "SE-20", PickUp;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DRAW: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, _| eval.stay() - 2;
        PUT_AWAY: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, _| eval.stay() - 2;
        UNPACK: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, _| eval.stay() - 2;
        DROP: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, _| eval.stay() - 2;
        PICK_UP: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, offer| eval.staying(eval.pick_up(&offer.choice));
    },
    when: When::Without(&DROP),
    offers,
    begin: |se, choice| begin(se, choice).into(),
};

fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    if !se.view.creature(who).has_hands() {
        return;
    }
    let may = se.may(who, DeclaredKind::Move);
    let mut list = |verb: &'static Action, items: Vec<Item>, none: &'static str| {
        each_of(&Choice::new(verb, who), items, none, |_| may.clone(), out);
    };
    let inventory = se.inventory(who);
    let held = || held(&se.view, who);
    let belt = inventory.at(ItemPlace::Belt).collect();
    list(&DRAW, belt, "nothing is at the belt");
    list(&PUT_AWAY, held(), "nothing is held");
    let pack = inventory.at(ItemPlace::Pack).collect();
    list(&UNPACK, pack, "the pack is empty");
    list(&DROP, held(), "nothing is held");
    let choice = Choice::new(&PICK_UP, who);
    pick_ups(&se.view, &choice, |_| may.clone(), out);
}

fn begin(se: &SegmentsQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let item = choice.with.expect("it is about a thing");
    let (verb, rule) = (choice.verb, "SE-20");
    let from = se.inventory(who).place(item).unwrap_or(ItemPlace::Hand);
    let mut outcome = match verb {
        verb if verb == &DROP => StepOutcome::announcing(choice),
        verb if verb == &UNPACK => spend(choice),
        _ => take_a_segment(se, choice),
    };
    if verb == &DRAW {
        draw(se, who, item, &mut outcome);
    } else if verb == &PUT_AWAY {
        outcome.emit(rule, shifted(who, item, from, ItemPlace::Belt));
    } else if verb == &UNPACK {
        make_room(&se.view, who, item, rule, &mut outcome);
        outcome.emit(rule, shifted(who, item, ItemPlace::Pack, ItemPlace::Hand));
    } else if verb == &DROP {
        drop_item(&se.view, who, item, from, rule, &mut outcome);
    } else {
        let at = choice.to.expect("it lies somewhere");
        take_up(&se.view, who, item, at, rule, &mut outcome);
    }
    outcome
}
