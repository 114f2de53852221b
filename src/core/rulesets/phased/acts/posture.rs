//! Going prone, which takes no time, and standing up, a simple activity (PH-12).

use super::{own_simple, row::*};

verbs! {
    GO_PRONE = "go prone", "go prone", "goes prone", "PH-12";
    STAND_UP = "stand up", "stand up", "gets up", "PH-12";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        GO_PRONE: 'p' "Prone" Prone, "Takes no time.";
        // A casting unit stays prone.
        STAND_UP: 'p' "Stand up" Stand, "Simple action: one segment. Provokes attacks.",
            Chances::None, |eval, _| if eval.state.fighter(eval.who).casting.is_some() { NEVER } else { eval.stay() + 250 }, provoking;
    },
    when: When::of(PhasePart::Other).also(&[PhasePart::Melee]),
    offers: |ph, who, out| {
        let (verb, legal) = match ph.body(who).prone {
            true => (&STAND_UP, needs_simple(ph, who)),
            false if ph.clock.part.has_other() => (&GO_PRONE, own_simple(ph, who)),
            false => return,
        };
        out.push(Offer::from(Choice::new(verb, who), legal));
    },
    begin: |ph, choice| {
        let who = choice.actor();
        let outcome = match choice.verb == &GO_PRONE {
            true => announce(ph, choice).and("PH-12", EventKind::Prone { who, prone: true }),
            false => simple(ph, choice).then(Rise { who }),
        };
        outcome.into()
    },
};

system_step! {
    /// Stands up after the attacks that it provokes; a unit that fell stays down.
    struct Rise { who: Id } => rise
}

fn rise(In(Rise { who }): In<Rise>, ph: PhasedQuery) -> StepOutcome {
    match ph.is_up(who) && ph.body(who).prone {
        true => StepOutcome::default().and("PH-12", EventKind::Prone { who, prone: false }),
        false => StepOutcome::default(),
    }
}
