//! Opening and closing doors (GR-02).

use super::{Begin, fixed, row::*};
use crate::{
    battle::{Choice, StepOutcome},
    rulesets::{
        activity::{Activity, declared::DOOR, query::ActivityQuery, state::ActionKind},
        common::doors,
    },
    system_step,
};
use bevy_ecs::system::In;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DOOR: 'o' "Door" Door (plain), "Open or close an adjacent door: 20% of the round.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
        doors::OPEN: 'o' "Open" Door (plain), "",
            Chances::None, |eval, _, offer| eval.open_door(&offer.choice);
        doors::CLOSE: 'o' "Close" Door (plain), "",
            Chances::None, |_, _, _| -1;
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
    let mut outcome = StepOutcome::default();
    doors::swing::<Activity>(&ac, &choice, &mut outcome);
    outcome
}
