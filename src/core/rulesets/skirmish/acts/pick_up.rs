//! Picking up an item from the ground (SK-23): a Move; the item is ready at once.

use super::{declare, row::*};
use crate::{
    battle::{Choice, Id, Offer, StepOutcome},
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
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let choice = Choice::new(&PICK_UP, who);
    pick_ups(&sk.view, &choice, |_| sk.needs_move(who), out);
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let item = choice.with.expect("it is about a thing");
    let take = Take::<Skirmish>::of(who, item, choice.to, "SK-23");
    declare(sk, choice, sk.fighter(who).move_price()).then(take)
}

impl PicksUp for Skirmish {
    fn may_take(sk: &SkirmishQuery, who: Id) -> bool {
        sk.can_act(who)
    }
}
