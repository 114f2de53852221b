//! Doors (GR-02).

use super::{Act, Begin, fixed};
use crate::{
    battle::{Choice, StepOutcome},
    rulesets::{
        activity::{Activity, ac::Ac, declared::DOOR, state::Deed},
        common::doors,
    },
    system_step,
};
use bevy_ecs::system::In;

pub(super) const ACT: Act = Act {
    declared: &DOOR,
    deed: |_, _| Deed::Door,
    is: |deed| deed == Deed::Door,
    cost: |ac, _, _| ac.tables().costs.door,
    offers: |ac, who, out| {
        if ac.view.board.doors().next().is_some() {
            fixed(ac, Choice::new(&DOOR, who), Ok(()), out);
        }
    },
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
};

system_step! {
    /// Somebody may have stepped into the door at the same count.
    struct Swing { choice: Choice } => swing
}

fn swing(In(Swing { choice }): In<Swing>, ac: Ac) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    doors::swing::<Activity>(&ac, &choice, &mut outcome);
    outcome
}
