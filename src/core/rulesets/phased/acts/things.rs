//! Simple activities with items: draw, put away, drop, pick up, drop the shield; and taking an item
//! from the pack, which is delaying (PH-11, PH-12, PH-15).

use super::row::*;
use crate::rulesets::common::{
    distinct,
    inventory::{self, PicksUp, Take, drop_item, shifted},
};
use crate::{battle::Rule, rulesets::phased::state::Job};

verbs! {
    DRAW = "draw", "draw {with}", "draws {with}", "PH-11", Draw;
    SHEATHE = "sheathe", "put {with} away", "puts {with} away", "PH-12", PutAway;
    DROP = "drop", "drop {with}", "drops {with}", "PH-11", Drop;
    DROP_SHIELD = "drop shield", "let the shield fall", "lets the shield fall", "PH-11",
        Drop;
    PICK_UP = "pick up", "pick up {with}", "picks up {with}", "PH-12", PickUp;
    UNPACK = "unpack", "get {with} out of the pack", "gets {with} out of the pack", "PH-15",
        Unpack;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DRAW: 'i' "Items" Gear (group), ITEMS;
        SHEATHE: 'i' "Items" Gear (group), ITEMS;
        DROP: 'i' "Items" Gear (group), ITEMS;
        DROP_SHIELD: 'i' "Items" Gear (group), ITEMS;
        PICK_UP: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, offer| eval.staying(ai::pick_up(eval, &offer.choice)), provoking;
        UNPACK: 'i' "Items" Gear (group), ITEMS;
    },
    when: When::of(PhasePart::Other).also(&[
        PhasePart::Innate,
        PhasePart::Missile,
        PhasePart::Melee,
    ]),
    offers,
    begin,
};

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    if !ph.view.creature(who).has_hands() {
        return;
    }
    // Innate abilities come first (PH-18), but a casting unit can do minor actions as soon as it is
    // prompted (PH-10).
    if ph.clock.part == PhasePart::Innate && ph.fighter(who).casting.is_none() {
        return;
    }
    let inventory = ph.inventory(who);
    let held = inventory.in_hand();
    let own_time = needs_simple(ph, who);
    let mut add = |verb, with: Option<Item>, legal: Result<(), Why>| {
        let base = Choice::new(verb, who);
        out.push(Offer::from(Choice { with, ..base }, legal));
    };
    let hand_free = || Why::new("PH-11", "the hand is full").when(held.is_some());
    for item in inventory.at(ItemPlace::Belt) {
        add(&DRAW, Some(item), hand_free().and(own_time.clone()));
    }
    if let Some(item) = held {
        add(&SHEATHE, Some(item), own_time.clone());
        add(&DROP, Some(item), own_time.clone());
    }
    if inventory.shield {
        add(&DROP_SHIELD, None, own_time.clone());
    }
    for item in lying(ph, who) {
        add(&PICK_UP, Some(item), hand_free().and(own_time.clone()));
    }
    if !ph.clock.part.has_other() {
        return;
    }
    for item in inventory.at(ItemPlace::Pack) {
        let legal = hand_free().and_then(|()| can_lag(ph, who));
        add(&UNPACK, Some(item), legal);
    }
}

/// PH-15: whether the unit can do a delaying activity (in LOW), or why not.
pub fn can_lag(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    Why::new("PH-15", "a delaying activity has to wait for LOW")
        .when(ph.clock.group == Group::High && !ph.clock.part.is_whole_turn())?;
    if ph.fighter(who).passed_up.delayed {
        // For a delayed unit it is complex and needs the major action.
        super::needs_major(ph, who)?;
    }
    Ok(())
}

/// The items on the ground within reach, each kind once.
pub fn lying(ph: &PhasedQuery, who: Id) -> Vec<Item> {
    let near = inventory::items_in_reach(&ph.view, who).into_iter();
    distinct(near.map(|(_, item)| item))
}

fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    if choice.verb == &DROP_SHIELD {
        let outcome = simple(ph, choice);
        return outcome
            .and("PH-11", EventKind::ShieldDropped { who })
            .into();
    }
    let item = choice.with.expect("it is done to a thing");
    let shift = |from, to| shifted(who, item, from, to);
    let outcome = if choice.verb == &DRAW {
        simple(ph, choice)
            .and("PH-11", shift(ItemPlace::Belt, ItemPlace::Hand))
            .and("PH-12", PhasedEvent::Drew { who, with: item })
    } else if choice.verb == &SHEATHE {
        simple(ph, choice).and("PH-12", shift(ItemPlace::Hand, ItemPlace::Belt))
    } else if choice.verb == &DROP {
        let mut outcome = simple(ph, choice);
        drop_item(&ph.view, who, item, ItemPlace::Hand, "PH-11", &mut outcome);
        outcome
    } else if choice.verb == &PICK_UP {
        simple(ph, choice).then(Take::<Phased>::of(who, item, None, "PH-12"))
    } else if ph.fighter(who).passed_up.delayed {
        work(ph, choice, "PH-15", Job::Unpack { with: item }, 1)
    } else {
        lagging(ph, choice).and("PH-15", shift(ItemPlace::Pack, ItemPlace::Hand))
    };
    outcome.into()
}

impl PicksUp for Phased {
    fn may_take(ph: &PhasedQuery, who: Id) -> bool {
        ph.is_up(who) && ph.inventory(who).in_hand().is_none()
    }
}

/// Begins complex work of this many rounds. A delaying activity of a delayed unit is complex too:
/// it is done at the end of the round and leaves no further action (PH-15).
pub fn work(ph: &PhasedQuery, choice: &Choice, rule: Rule, job: Job, rounds: u8) -> StepOutcome {
    let who = choice.actor();
    super::major(ph, choice).and(rule, PhasedEvent::Working { who, job, rounds })
}

/// Announces a delaying activity: minor, one segment.
pub fn lagging(ph: &PhasedQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let minor = PhasedEvent::Minor {
        who,
        simple: false,
        segments: 1,
        lags: true,
    };
    announce(ph, choice).and("PH-15", minor)
}
