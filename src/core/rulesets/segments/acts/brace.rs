//! Setting a spear against charges in a surprise segment, where nothing is declared (SE-51, SE-14).

use super::{row::*, spend};
use crate::{
    battle::{Choice, Id, Offer, Why},
    rulesets::segments::{declare::spear, events::SegmentsEvent, query::SegmentsQuery},
};

verbs! {
    SET = "set spear", "set the spear", "sets the spear against charges", "SE-51";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SET: 'b' "Set spear" Spear, "Attack a charging enemy first in this segment, for double damage.",
            Chances::None, |eval, _, _| eval.brace_now();
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
