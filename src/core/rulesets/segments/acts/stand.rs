//! Standing up: it takes a segment, and the unit acts after it.

use super::row::*;

verbs! {
    STAND_UP = "stand up", "stand up", "stands up", "SE-51";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STAND_UP: 'p' "Stand up" Stand, "Takes one segment, before your action.",
            Chances::None, |eval, _| eval.stay() + 600;
    },
    when: When::Other,
    offers,
    begin: |se, choice| {
        let (who, prone) = (choice.actor(), false);
        let stands = EventKind::Prone { who, prone };
        take_a_segment(se, choice).and("SE-51", stands).into()
    },
};

/// Any declaration allows it except a spell; a further attack routine does not.
fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    let may_rise = Why::new("SE-51", "already standing").unless(se.body(who).prone);
    let legal = se.may(who, DeclaredKind::Move).and(may_rise);
    out.push(Offer::from(Choice::new(&STAND_UP, who), legal));
}
