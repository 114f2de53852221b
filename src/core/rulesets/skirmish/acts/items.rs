//! Drawing and putting away, readying and stowing, dropping (SK-21); picking up (SK-23).

use super::row::*;
use crate::rulesets::{
    common::inventory::{PicksUp, Take, draw, drop_item, each_of, held, make_room, pick_ups},
    skirmish::hands::shift,
};

verbs! {
    DRAW = "draw", "draw {with}", "changes to {with}", "SK-21";
    /// Draws into the off hand, next to the weapon already held.
    DRAW_SECOND = "draw second", "draw {with} with the off hand",
        "reaches for {with} with the off hand", "SK-21";
    PUT_AWAY = "put away", "put away {with}", "puts away {with}", "SK-21";
    READY = "ready", "ready {with}", "looks for {with} in the pack", "SK-21";
    STOW = "stow", "stow {with}", "packs {with} up", "SK-21";
    DROP = "drop", "drop {with}", "lets go of {with}", "SK-21";
    /// Costs a Move; the item is ready at once.
    PICK_UP = "pick up", "pick up {with} at {to}", "reaches for {with} at {to}", "SK-23";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DRAW: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, offer| eval.item_worth(offer, Mind::on_guard);
        DRAW_SECOND: 'i' "Items" Gear (group), ITEMS;
        PUT_AWAY: 'i' "Items" Gear (group), ITEMS;
        READY: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, offer| eval.item_worth(offer, Mind::ready);
        STOW: 'i' "Items" Gear (group), ITEMS;
        DROP: 'i' "Items" Gear (group), ITEMS;
        PICK_UP: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, offer| eval.item_worth(offer, Mind::pick_up), provoking;
    },
    when: (),
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    if !sk.view.creature(who).has_hands() {
        return;
    }
    let inventory = sk.inventory(who);
    let belt: Vec<Item> = inventory.at(ItemPlace::Belt).collect();
    let is_second = |n: &&Item| {
        let weapon = sk.weapon(**n);
        weapon.hands == 1 && weapon.melee.is_some()
    };
    let mut list = |verb: &'static Action, items: &[Item], none: &'static str| {
        let (choice, items) = (Choice::new(verb, who), items.iter().copied());
        each_of(&choice, items, none, |choice| legal(sk, choice), out);
    };
    let held = held(&sk.view, who);
    list(&DRAW, &belt, "nothing is at the belt");
    let seconds: Vec<Item> = belt.iter().filter(is_second).copied().collect();
    if !seconds.is_empty() {
        list(&DRAW_SECOND, &seconds, "");
    }
    list(&PUT_AWAY, &held, "nothing is held");
    let pack: Vec<Item> = inventory.at(ItemPlace::Pack).collect();
    list(&READY, &pack, "the pack is empty");
    list(&STOW, &held, "nothing is held");
    list(&DROP, &held, "nothing is held");
    let choice = Choice::new(&PICK_UP, who);
    pick_ups(&sk.view, &choice, |_| sk.needs_move(who), out);
}

fn legal(sk: &SkirmishQuery, choice: &Choice) -> Result<(), Why> {
    let who = choice.actor();
    let item = choice.with.expect("it is about a thing");
    let verb = choice.verb;
    if verb == &DRAW {
        Why::new("SK-21", "it is in hand").when(sk.inventory(who).in_hand() == Some(item))?;
        belt_price(sk, who, 0).map(|_| ())
    } else if verb == &DRAW_SECOND {
        has_hand_for_second(sk, who)?;
        belt_price(sk, who, 0).map(|_| ())
    } else if verb == &PUT_AWAY {
        Ok(())
    } else if verb == &DROP {
        sk.needs_free(who)
    } else {
        sk.needs_main(who)
    }
}

/// Checks that the off hand is free: one weapon of one hand, and no shield.
fn has_hand_for_second(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    let inventory = sk.inventory(who);
    let no = |text| Err(Why::new("SK-21", text));
    let Some(first) = inventory.in_hand() else {
        return no("the other hand is empty: draw it there");
    };
    if inventory.shield {
        return no("the off hand bears the shield");
    }
    if sk.weapon(first).hands == 2 || inventory.off_hand().is_some() {
        return no("both hands are full");
    }
    Ok(())
}

/// The cost of drawing an item from the belt: the turn's free draw, then a Move, then a Main in its
/// place (SK-04), of which `kept` must be left.
pub(super) fn belt_price(sk: &SkirmishQuery, who: Id, kept: u8) -> Result<ActionCost, Why> {
    let fighter = sk.fighter(who);
    if fighter.draws == 0 {
        Ok(ActionCost::Draw)
    } else if fighter.moves > 0 {
        Ok(ActionCost::Move)
    } else if fighter.mains > kept {
        Ok(ActionCost::MainAsMove)
    } else {
        let why = "a second draw this turn costs the Move, which is spent";
        Err(Why::new("SK-21", why))
    }
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let item = choice.with.expect("it is about a thing");
    let verb = choice.verb;
    if verb == &PICK_UP {
        let take = Take::<Skirmish>::of(who, item, choice.to, "SK-23");
        return declare(sk, choice, sk.fighter(who).move_price()).then(take);
    }
    let from = sk.inventory(who).place(item).unwrap_or(ItemPlace::Hand);
    let mut outcome = if verb == &READY || verb == &STOW {
        declare(sk, choice, ActionCost::Main)
    } else if verb == &DROP {
        declare(sk, choice, ActionCost::Free)
    } else {
        StepOutcome::announcing(choice)
    };
    if verb == &READY {
        make_room(&sk.view, who, item, "SK-21", &mut outcome);
        shift(who, item, ItemPlace::Pack, ItemPlace::Hand, &mut outcome);
    } else if verb == &STOW {
        shift(who, item, from, ItemPlace::Pack, &mut outcome);
    } else if verb == &DROP {
        drop_item(&sk.view, who, item, from, "SK-21", &mut outcome);
    } else if verb == &PUT_AWAY {
        shift(who, item, from, ItemPlace::Belt, &mut outcome);
    } else {
        if let Ok(action) = belt_price(sk, who, 0) {
            outcome.emit("SK-21", SkirmishEvent::Spent { who, action });
        }
        if verb == &DRAW {
            draw(&sk.view, who, item, "SK-21", &mut outcome);
        } else {
            shift(who, item, ItemPlace::Belt, ItemPlace::OffHand, &mut outcome);
        }
    }
    outcome
}

impl PicksUp for Skirmish {
    fn may_take(sk: &SkirmishQuery, who: Id) -> bool {
        sk.can_act(who)
    }
}
