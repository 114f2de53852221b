//! Standing up and dropping to the ground (AC-01).

use super::row::*;
use crate::rulesets::activity::declared::{DROP_PRONE, STAND_UP};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STAND_UP: 'p' "Stand up" Stand, "Get up: 20% of the round.", PLAN, LAST_RESORT;
        DROP_PRONE: 'p' "Prone" Prone, "Drop prone: 20% of the round.", PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| matches!(kind, ActionKind::StandUp | ActionKind::DropProne),
        cost: |ac, _, kind| match kind {
            ActionKind::StandUp => ac.tables().costs.stand_up,
            _ => ac.tables().costs.drop_prone,
        },
        begin: Begin::Plain(|_, who, planned, doing| {
            let prone = planned.kind == ActionKind::DropProne;
            doing.effects.emit("AC-01", EventKind::Prone { who, prone });
        }),
    },
    offers: |ac, who, out| {
        let lies = will_lie(ac, who);
        let verb = if lies { &STAND_UP } else { &DROP_PRONE };
        fixed(ac, Choice::new(verb, who), Ok(()), out);
    },
    begin: |_, choice| match choice.verb == &STAND_UP {
        true => ActionKind::StandUp,
        false => ActionKind::DropProne,
    },
};

/// Whether the unit will be prone after its plan.
fn will_lie(ac: &ActivityQuery, who: Id) -> bool {
    let lies = |lies: bool, planned: &PlannedAction| match planned.kind {
        ActionKind::StandUp => false,
        ActionKind::DropProne => true,
        _ => lies,
    };
    ac.actor(who).plan.iter().fold(ac.body(who).prone, lies)
}
