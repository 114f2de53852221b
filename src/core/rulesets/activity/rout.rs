//! Units whose morale broke run as far as their activity allows (AC-37).

use super::{Activity, movement, opening, query::ActivityQuery};
use crate::rulesets::common::hiding;
use crate::{
    battle::{EventKind, Id, Rule, StepOutcome},
    grid::Cell,
    rulesets::common::{
        flee::{Flee, FleeAction, Flees},
        leave::Leaves,
    },
};

impl Leaves for Activity {
    const LEFT: Rule = "AC-37";

    fn enters(ac: &ActivityQuery, who: Id, at: Cell, outcome: &mut StepOutcome) {
        let entered = EventKind::Entered { who, at };
        hiding::emit_unless_hidden::<Activity>(ac, who, "GR-00", entered, outcome);
        if ac.body(who).returns.is_none() && opening::is_unaware(ac, who) {
            let surprised = opening::surprised(who);
            hiding::emit_unless_hidden::<Activity>(ac, who, "AC-09", surprised, outcome);
        }
    }
}

impl Flees for Activity {
    /// Percent of the round.
    type FleeBudget = i32;

    fn pays(
        ac: &ActivityQuery,
        flee: &Flee<Self>,
        need: FleeAction,
        outcome: &mut StepOutcome,
    ) -> Option<Option<i32>> {
        ac.reveal(flee.who, outcome);
        let costs = &ac.tables().costs;
        let price = match need {
            FleeAction::StandUp => costs.stand_up,
            FleeAction::OpenDoor => costs.door,
            FleeAction::Run => return Some(None),
        };
        let left = flee.budget - price;
        (left >= 0).then(|| Some(left).filter(|&left| left > 0))
    }

    fn feet(ac: &ActivityQuery, flee: &Flee<Self>) -> Option<u16> {
        let may = !ac.body(flee.who).prone;
        may.then(|| ac.feet(flee.who, flee.budget, false))
    }

    fn runner(_: &ActivityQuery, who: Id, feet: u16, path: Vec<Cell>) -> movement::Mover {
        movement::mover(who, feet, false, path)
    }
}
