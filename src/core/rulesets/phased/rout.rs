//! Units whose morale broke: they run for an exit and leave by it (PH-60).

use super::{Phased, movement, query::PhasedQuery};
use crate::{
    battle::{Id, Prefers, Rule, StepOutcome},
    grid::Cell,
    rulesets::common::{
        flee::{Flee, FleeAction, Flees},
        leave::Leaves,
    },
};

impl Leaves for Phased {
    const LEFT: Rule = "PH-60";
}

impl Flees for Phased {
    const PREFERS: Prefers = Prefers::ShortWays;
    /// The number of doors that the unit can still open this round.
    type FleeBudget = u8;

    fn is_able_to_flee(ph: &PhasedQuery, who: Id) -> bool {
        ph.is_up(who)
    }

    fn pays(
        _: &PhasedQuery,
        flee: &Flee<Self>,
        need: FleeAction,
        _: &mut StepOutcome,
    ) -> Option<Option<u8>> {
        match need {
            FleeAction::StandUp => Some(Some(flee.budget)),
            FleeAction::OpenDoor => flee.budget.checked_sub(1).map(Some),
            FleeAction::Run => Some(None),
        }
    }

    fn feet(ph: &PhasedQuery, flee: &Flee<Self>) -> Option<u16> {
        Some(ph.rate(flee.who))
    }

    fn runner(_: &PhasedQuery, who: Id, feet: u16, path: Vec<Cell>) -> movement::Mover {
        movement::flight(who, feet, path)
    }
}
