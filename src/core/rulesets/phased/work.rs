//! Complex activities: they take the whole round and are done at its end (PH-14).

use super::{Phased, end_checks::EndChecks, events::PhasedEvent, query::PhasedQuery, state::Job};
use crate::{
    battle::{Id, ItemPlace, StepOutcome},
    rulesets::common::{bleed::lies_bleeding, inventory::shifted},
    system_step,
};
use bevy_ecs::system::In;

/// Adjacent fallen allies that are bleeding; empty if the unit has no hands.
pub fn to_bind(ph: &PhasedQuery, who: Id) -> Vec<Id> {
    let side = ph.body(who).side;
    let bleeds = |&id: &Id| {
        let own = ph.body(id).side == side;
        own && lies_bleeding::<Phased>(ph, id) && ph.view.in_reach(who, id, 5)
    };
    let hands = ph.view.creature(who).has_hands();
    ph.view.ids().filter(|id| hands && bleeds(id)).collect()
}

system_step! {
    /// PH-14: work is finished, or continues for another round.
    pub struct Works => works
}

fn works(In(_): In<Works>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in ph.view.ids() {
        let Some(work) = ph.fighter(who).work else {
            continue;
        };
        if !ph.can_act(who) {
            outcome.emit("PH-14", PhasedEvent::WorkDone { who });
            continue;
        }
        if work.rounds > 1 {
            let (job, rounds) = (work.what, work.rounds - 1);
            outcome.emit("PH-10", PhasedEvent::Working { who, job, rounds });
            continue;
        }
        outcome.emit("PH-14", PhasedEvent::WorkDone { who });
        match work.what {
            Job::Bind { at } if to_bind(&ph, who).contains(&at) => {
                let by = Some(who);
                outcome.emit("PH-60", PhasedEvent::Bound { who: at, by });
            }
            Job::Bind { .. } => {}
            Job::Load { with } => outcome.emit("PH-14", PhasedEvent::Loaded { who, with }),
            Job::Unpack { with: item } => {
                let free = ph.inventory(who).in_hand().is_none();
                if free && ph.inventory(who).place(item) == Some(ItemPlace::Pack) {
                    let shifted = shifted(who, item, ItemPlace::Pack, ItemPlace::Hand);
                    outcome.emit("PH-15", shifted);
                }
            }
        }
    }
    outcome.then(EndChecks)
}
