//! A second Main, once per battle, for units with that trait (SK-71).

use super::row::*;
use crate::content::Trait;

verbs! {
    SPARE_MAIN = "spare Main", "take the spare main", "draws on a spare Main", "SK-71";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SPARE_MAIN: 'D' "Spare Main" FastForward, "Once per battle: a second Main action.",
            Chances::None, |eval, _| eval.staying(eval.spare());
    },
    when: (),
    offers: |sk, who, out| {
        let choice = Choice::new(&SPARE_MAIN, who);
        if !sk.view.creature(who).has(Trait::SpareMain) {
            return;
        }
        let why = Why::new("SK-71", "only once per battle, and it was used").lacking(true);
        out.push(Offer::from(choice, why.when(sk.stance(who).spare_spent)));
    },
    begin: |_, choice| {
        let who = choice.actor();
        StepOutcome::announcing(choice).and("SK-71", StanceEvent::SpareMain { who })
    },
};
