//! Going prone (SK-25) and standing up (SK-24).

use super::{provoke, row::*};
use crate::rulesets::skirmish::hands;

verbs! {
    GO_PRONE = "go prone", "go prone", "goes prone", "SK-25";
    STAND_UP = "stand up", "stand up", "begins to stand up", "SK-24";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        GO_PRONE: 'p' "Prone" Prone, "Free. Ranged attacks on you −2, melee +2; each step costs double.";
        STAND_UP: 'p' "Stand up" Stand, "Uses your Move, or Main if spent. Provokes attacks.",
            Chances::None, |eval, _| eval.stay() + 250 - eval.provocation_cost(), provoking;
    },
    when: (),
    offers,
    begin: |sk, choice| {
        let who = choice.actor();
        if choice.verb == &GO_PRONE {
            let what = EventKind::Prone { who, prone: true };
            return declare(sk, choice, ActionCost::Free).and("SK-25", what);
        }
        declare(sk, choice, sk.fighter(who).move_price()).then(Rise { who })
    },
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    if sk.body(who).prone {
        out.push(Offer::from(Choice::new(&STAND_UP, who), sk.needs_move(who)));
    } else {
        out.push(Offer::from(Choice::new(&GO_PRONE, who), sk.needs_free(who)));
    }
    let (idle, why) = if sk.body(who).prone {
        (&GO_PRONE, Why::new("SK-25", "already prone"))
    } else {
        (&STAND_UP, Why::new("SK-24", "already standing"))
    };
    out.push(Offer::not(Choice::new(idle, who), why));
}

/// A fleeing unit starts to stand up, after the Move is paid: enemies in reach may attack first.
pub fn rise_up(sk: &SkirmishQuery, who: Id, outcome: &mut StepOutcome) {
    provoke(sk, STAND_UP.rule, who, outcome);
    outcome.push(Rise { who });
}

system_step! {
    /// Stands up after the attacks that this provokes; a unit that falls to them stays down.
    struct Rise { who: Id } => rise
}

fn rise(In(Rise { who }): In<Rise>, sk: SkirmishQuery) -> StepOutcome {
    if !sk.is_up(who) || !sk.body(who).prone {
        return StepOutcome::default();
    }
    let mut outcome = StepOutcome::default().and("SK-24", EventKind::Prone { who, prone: false });
    hands::take_up_all(&sk, who, &mut outcome);
    outcome
}
