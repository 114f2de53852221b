//! Holding an action to a later segment (SE-35).

use super::row::*;

verbs! {
    HOLD = "hold", "hold to segment {n}", "holds to segment {n}", "SE-35";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        HOLD: 'z' "Hold" Hold, "Act in a later segment this round.",
            Chances::Odds(attacks_of::who_acts_about), |eval, offer| eval.staying(eval.hold(offer.choice.number.unwrap_or(0)));
    },
    when: When::Other,
    offers,
    begin: |_, choice| {
        let who = choice.actor();
        let until = choice.number.expect("one holds to a segment") as u8;
        let held = SegmentsEvent::Held { who, until };
        StepOutcome::announcing(choice).and("SE-35", held).into()
    },
};

fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    let now = i32::from(se.clock.segment);
    let why = if se.clock.round == 0 {
        "not possible in a surprise segment"
    } else if now >= numbers::ROUND {
        "it is the last segment of the round"
    } else {
        let later = now + 1..=numbers::ROUND;
        out.extend(later.map(|n| Offer::legal(Choice::new(&HOLD, who).number(n))));
        return;
    };
    out.push(Offer::not(Choice::new(&HOLD, who), Why::new("SE-35", why)));
}
