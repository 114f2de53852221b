//! Picking up an item from the ground (SK-23): a Move; the item is ready at once.

use super::{declare, row::*};
use crate::{
    battle::{Choice, Id},
    rulesets::{
        common::inventory::{PicksUp, Take, pick_ups},
        skirmish::{Skirmish, query::SkirmishQuery},
    },
};

verbs! {
    PICK_UP = "pick up", "pick up {with} at {to}", "reaches for {with} at {to}", "SK-23";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        PICK_UP: 'i' "Items" Gear (group), ITEMS,
            Chances::None, |eval, _, offer| eval.item_worth(offer, Mind::pick_up), provoking;
    },
    when: (),
    offers: |sk, who, out| {
        let choice = Choice::new(&PICK_UP, who);
        pick_ups(&sk.view, &choice, |_| sk.needs_move(who), out);
    },
    begin: |sk, choice| {
        let who = choice.actor();
        let item = choice.with.expect("it is about a thing");
        let take = Take::<Skirmish>::of(who, item, choice.to, "SK-23");
        declare(sk, choice, sk.fighter(who).move_price()).then(take)
    },
};

impl PicksUp for Skirmish {
    fn may_take(sk: &SkirmishQuery, who: Id) -> bool {
        sk.can_act(who)
    }
}
