//! Doors: opening or closing one is a standard action (SP-04, GR-02).

use super::{
    super::{Speed, declared::DOOR, numbers::tables},
    Act, When,
    declaration::{Declaration, NOTHING, fit},
    needs_standard, standard,
};
use crate::{battle::Choice, rulesets::common::doors};

pub(super) const ACT: Act = Act {
    verbs: &doors::VERBS,
    at_once: &doors::VERBS,
    when: When::Declared(&[&DOOR]),
    offers: |sp, who, out| {
        let may = needs_standard(sp, who).and(sp.has_a_hand(who));
        doors::offers::<Speed>(sp, who, may, out);
    },
    begin: |sp, choice| {
        standard(sp, choice, 1, |begun| {
            doors::swing::<Speed>(sp, choice, &mut begun.outcome);
        })
    },
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&DOOR],
    offers: |sp, who, out| {
        if sp.view.board.doors().next().is_some() {
            out.push(fit(sp, Choice::new(&DOOR, who), sp.has_a_hand(who)));
        }
    },
    adds: |_, _| tables().initiative.door,
    at_count: NOTHING,
};
