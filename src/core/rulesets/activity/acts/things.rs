//! Items: loading, drawing, changing, dropping and picking up (AC-01, AC-26).

use super::row::*;
use crate::rulesets::activity::{
    declared::{self, CHANGE, DRAW, LET_GO, RELOAD},
    state::Lasts,
    targets::PICK_UP,
};
use crate::rulesets::common::{
    distinct,
    inventory::{PicksUp, Take, can_reach, drop_item, make_room, shifted},
};

pub(super) const LOAD: ActGroup = ActGroup {
    acts: rows! {
        RELOAD: 'l' "Load" Reload, "Load a ranged weapon.", PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| matches!(kind, ActionKind::Reload(_)),
        cost: load_cost,
        begin: Begin::Plain(|_, who, planned, doing| {
            if let ActionKind::Reload(item) = planned.kind {
                let loaded = ActivityEvent::Loaded { who, item };
                doing.effects.emit("AC-26", loaded);
            }
        }),
    },
    offers: load_offers,
    begin: |_, choice| ActionKind::Reload(thing(choice)),
};

/// A unit that will hold an item changes it for another or drops it; otherwise it draws one.
pub(super) const HANDS: ActGroup = ActGroup {
    acts: rows! {
        CHANGE: 'i' "Items" Gear (plain, group), ITEMS, PLAN, LAST_RESORT;
        DRAW: 'i' "Items" Gear (plain, group), ITEMS, PLAN, LAST_RESORT;
        LET_GO: 'i' "Items" Gear (plain, group), ITEMS, PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| {
            use ActionKind::*;
            matches!(kind, Change(_) | Draw(_) | LetGo(_))
        },
        cost: |ac, _, kind| match kind {
            ActionKind::Change(_) => ac.tables().costs.change,
            _ => ac.tables().costs.draw,
        },
        begin: Begin::Plain(|ac, who, planned, doing| {
            let effects = &mut doing.effects;
            match planned.kind {
                ActionKind::Change(item) | ActionKind::Draw(item) => {
                    takes_in_hand(ac, who, item, effects);
                }
                ActionKind::LetGo(item) if ac.inventory(who).in_hand() == Some(item) => {
                    drop_item(&ac.view, who, item, ItemPlace::Hand, "AC-01", effects);
                }
                _ => {}
            }
        }),
    },
    offers: |ac, who, out| {
        let (held, stowed) = hands_then(ac, who);
        let takes = if held.is_some() { &CHANGE } else { &DRAW };
        let takes = stowed.into_iter().map(|item| (takes, item));
        for (verb, item) in takes.chain(held.map(|item| (&LET_GO, item))) {
            fixed(ac, Choice::new(verb, who).with(item), Ok(()), out);
        }
    },
    begin: |_, choice| match (choice.verb, thing(choice)) {
        (verb, item) if verb == &CHANGE => ActionKind::Change(item),
        (verb, item) if verb == &DRAW => ActionKind::Draw(item),
        (_, item) => ActionKind::LetGo(item),
    },
};

pub(super) const TAKE: ActGroup = ActGroup {
    acts: rows! {
        declared::PICK_UP: 'i' "Items" Gear (plain, group), ITEMS, PLAN, LAST_RESORT;
        targets::PICK_UP: 'i' "Items" Gear (plain, group, last), ITEMS,
            Chances::None, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::PickUp,
        cost: |ac, _, _| ac.tables().costs.other,
        begin: Begin::Aimed {
            targets: |ac, who, _| pick_ups(ac, who),
            begin: |_, _, choice, doing| {
                let who = choice.actor();
                let (item, at) = (choice.with.expect("a thing"), choice.to.expect("a place"));
                let take = Take::<Activity>::of(who, item, Some(at), "AC-01");
                doing.casts.push(take);
            },
        },
    },
    offers: |ac, who, out| {
        if ac.view.creature(who).has_hands() && !ac.view.ground.0.is_empty() {
            fixed(ac, Choice::new(&declared::PICK_UP, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::PickUp,
};

fn thing(choice: &Choice) -> Item {
    choice.with.expect("it is about a thing")
}

fn load_cost(ac: &ActivityQuery, who: Id, kind: ActionKind) -> i32 {
    let ActionKind::Reload(item) = kind else {
        return 0;
    };
    let full = ac.reload(item);
    if ac.actor(who).has(Lasts::QuickLoad) {
        ac.tables().costs.reload_spell
    } else if ac.has(who, Talent::SpeedLoader) {
        full / 2
    } else {
        full
    }
}

/// Percent of a round to load the weapon, 0 if it is loaded.
pub fn load_first(ac: &ActivityQuery, who: Id, item: Item) -> i32 {
    match ac.actor(who).loaded.contains(&item) {
        true => 0,
        false => load_cost(ac, who, ActionKind::Reload(item)),
    }
}

fn load_offers(ac: &ActivityQuery, who: Id, out: &mut Vec<Offer>) {
    let (inventory, actor) = (ac.inventory(who), ac.actor(who));
    let (held, _) = hands_then(ac, who);
    for item in inventory.at_hand() {
        if ac.reload(item) == 0 || inventory.place(item) == Some(ItemPlace::Body) {
            continue;
        }
        let plans = |kind| actor.plan.iter().any(|p| p.kind == kind);
        let shoots = plans(ActionKind::Missile);
        let in_hand = held == Some(item) || inventory.off_hand() == Some(item);
        let is_loaded = actor.loaded.contains(&item);
        let blocked = |why, is_so| Why::new("AC-26", why).when(is_so);
        let loads = plans(ActionKind::Reload(item)) && !shoots;
        let legal = blocked("it is not held at that point", !in_hand)
            .and(blocked("it is loaded", is_loaded && !shoots))
            .and(blocked("it is being loaded", loads));
        fixed(ac, Choice::new(&RELOAD, who).with(item), legal, out);
    }
}

/// Moves an item from the belt or pack into the hand; the held item makes room.
fn takes_in_hand(ac: &ActivityQuery, who: Id, item: Item, outcome: &mut StepOutcome) {
    let place = ac.inventory(who).place(item);
    if let Some(from @ (ItemPlace::Belt | ItemPlace::Pack)) = place {
        make_room(&ac.view, who, item, "AC-01", outcome);
        outcome.emit("AC-01", shifted(who, item, from, ItemPlace::Hand));
    }
}

/// The item that the unit will hold after its plan, and the items it will have stowed, each
/// kind once.
fn hands_then(ac: &ActivityQuery, who: Id) -> (Option<Item>, Vec<Item>) {
    let inventory = ac.inventory(who);
    let mut held = inventory.in_hand();
    let away = |place: &ItemPlace| matches!(place, ItemPlace::Belt | ItemPlace::Pack);
    let all = inventory.items.iter().filter(|(_, place)| away(place));
    let mut stowed: Vec<Item> = all.map(|&(item, _)| item).collect();
    for planned in &ac.actor(who).plan {
        match planned.kind {
            ActionKind::Draw(item) | ActionKind::Change(item) => {
                if let Some(at) = stowed.iter().position(|&n| n == item) {
                    stowed.remove(at);
                }
                stowed.extend(held.replace(item));
            }
            ActionKind::LetGo(item) if held == Some(item) => held = None,
            ActionKind::Missile if held.is_some_and(|n| ac.weapon(n).leaves_the_hand()) => {
                held = None
            }
            _ => {}
        }
    }
    (held, distinct(stowed))
}

fn pick_ups(ac: &ActivityQuery, who: Id) -> Vec<Offer> {
    let offer = |&(cell, item): &(Cell, Item)| {
        let choice = Choice::new(&PICK_UP, who).with(item).to(cell);
        let in_reach = can_reach(&ac.view, who, cell);
        let legal = Why::new("AC-01", "it lies out of reach").unless(in_reach);
        Offer::from(choice, legal)
    };
    let things = distinct(&ac.view.ground.0);
    things.into_iter().map(offer).collect()
}

impl PicksUp for Activity {
    fn may_take(ac: &ActivityQuery, who: Id) -> bool {
        ac.is_up(who)
    }
}
