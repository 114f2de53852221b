//! Opening and closing doors (GR-02).

use super::row::*;
use crate::rulesets::{activity::declared::DOOR, common::doors};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DOOR: 'o' "Door" Door (plain), "Open or close an adjacent door: 20% of the round.",
            PLAN, LAST_RESORT;
        // Worth it on the unit's way.
        doors::OPEN: 'o' "Open" Door (plain), "",
            Chances::None, |eval, offer| if offer.choice.to.is_some_and(|to| eval.is_nearer(to)) { 50 } else { -1 };
        doors::CLOSE: 'o' "Close" Door (plain), "",
            Chances::None, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::Door,
        cost: |ac, _, _| ac.tables().costs.door,
        begin: Begin::Aimed {
            targets: |ac, who, _| {
                let mut out = vec![];
                doors::offers::<Activity>(ac, who, Ok(()), &mut out);
                out
            },
            begin: |_, _, choice, doing| {
                doing.effects.push(Swing {
                    choice: choice.clone(),
                })
            },
        },
    },
    offers: |ac, who, out| {
        if ac.view.board.doors().next().is_some() {
            fixed(ac, Choice::new(&DOOR, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::Door,
};

system_step! {
    /// Opens or closes a door. A separate step, because a unit may have stepped into the doorway
    /// at the same count.
    struct Swing { choice: Choice } => swing
}

fn swing(In(Swing { choice }): In<Swing>, ac: ActivityQuery) -> StepOutcome {
    doors::swing::<Activity>(&ac, &choice, StepOutcome::default())
}
