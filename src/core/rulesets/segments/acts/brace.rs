//! Setting a spear against charges in a surprise segment, where nothing is declared (SE-51, SE-14).

use super::row::*;
use crate::rulesets::segments::declare::spear;

verbs! {
    SET = "set spear", "set the spear", "sets the spear against charges", "SE-51";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SET: 'b' "Set spear" Spear, "Attack a charging enemy first in this segment, for double damage.",
            Chances::None, |eval, _| eval.staying(eval.brace_now());
    },
    when: When::Other,
    offers,
    begin: |_, choice| {
        let who = choice.actor();
        let braced = SegmentsEvent::Braced { who };
        spend(choice).and("SE-51", braced).into()
    },
};

/// In a round, the spear is set by a declaration instead (SE-20).
fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    if se.clock.round > 0 {
        return;
    }
    let legal = Why::new("SE-51", "no spear or polearm held").when(spear(se, who).is_none());
    out.push(Offer::from(Choice::new(&SET, who), legal));
}
