//! Binding an ally's wounds (SE-54).

use super::row::*;
use crate::rulesets::common::bleed::lies_bleeding;

verbs! {
    BIND = "bind", "bandage {at}", "bandages {at}", "SE-54";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        BIND: 'a' "Bandage" Aid (plain), "Uses the action. Stop the bleeding of an adjacent ally who is down.",
            Chances::None, |eval, offer| eval.staying(eval.bind(&offer.choice));
    },
    when: When::Other,
    offers,
    begin: |_, choice| {
        let who = choice.at.expect("a target");
        let bound = SegmentsEvent::Bound { who };
        spend(choice).and("SE-54", bound).into()
    },
};

fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    if !se.view.creature(who).has_hands() {
        return;
    }
    let side = se.body(who).side;
    let bleeds = |&id: &Id| se.body(id).side == side && lies_bleeding::<Segments>(se, id);
    let offer = |ally: Id| {
        let near = se.view.within(who, ally, numbers::NEXT_TO);
        let near = Why::new("SE-54", "not next to the fallen").unless(near);
        let legal = se.may(who, DeclaredKind::Move).and(near);
        Offer::from(Choice::new(&BIND, who).at(ally), legal)
    };
    let offers = se.view.ids().filter(bleeds).map(offer);
    let why = Why::new("SE-54", "no adjacent ally is bleeding");
    list_or(offers, Choice::new(&BIND, who), why, out);
}
