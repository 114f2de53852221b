//! Reloading a bow or a crossbow (SK-22).

use super::row::*;
use crate::rulesets::skirmish::loads::Load;

verbs! {
    RELOAD = "reload", "reload {with}", "reloads {with}", "SK-22", Load;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        RELOAD: 'l' "Reload" Reload, "Main for a crossbow, Move for a bow; free if trained.",
            Chances::None, |eval, offer| eval.item_worth(offer, Mind::reload);
    },
    when: (),
    offers,
    begin: |sk, choice| {
        let who = choice.actor();
        let item = choice.with.expect("something is loaded");
        let action = sk.load_price(who, item).expect("it can be paid");
        declare(sk, choice, action).and("SK-22", Load::Loaded { who, item })
    },
};

/// Units without a weapon that needs loading get no offers here, not even blocked ones.
fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let weapons = sk.inventory(who).at_hand().filter(|&n| sk.wants_loading(n));
    for item in weapons {
        let legal = legal(sk, who, item);
        out.push(Offer::from(Choice::new(&RELOAD, who).with(item), legal));
    }
}

fn legal(sk: &SkirmishQuery, who: Id, item: Item) -> Result<(), Why> {
    Why::new("SK-22", "it is loaded").when(sk.is_loaded(who, item))?;
    Why::new("SK-22", "it is not held")
        .when(sk.inventory(who).place(item) != Some(ItemPlace::Hand))?;
    sk.load_price(who, item).map(|_| ())
}
