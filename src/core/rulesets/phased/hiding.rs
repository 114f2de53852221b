//! Units that start the battle hidden (PH-06): the other sides don't know where they are until they
//! act or a unit runs into them.

use super::{Phased, events::PhasedEvent, query::PhasedQuery};
use crate::battle::{Body, Id, Rule, StepOutcome};
use crate::rulesets::common::hiding::Hides;

impl PhasedQuery<'_, '_> {
    /// Shows a hidden unit to all sides; called before it acts. The event also reveals what the
    /// unit has passed up this round, because that decides when it acts.
    pub fn reveal(&self, who: Id, outcome: &mut StepOutcome) {
        if self.fighter(who).hidden {
            let &Body { at, side, .. } = self.body(who);
            let let_go = self.fighter(who).passed_up;
            outcome.emit_reveal("PH-06", side, PhasedEvent::Shows { who, at, let_go });
        }
    }
}

impl Hides for Phased {
    const FOUND: Rule = "PH-06";

    fn is_hidden(ph: &PhasedQuery, who: Id) -> bool {
        ph.fighter(who).hidden
    }

    fn reveal(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
        ph.reveal(who, outcome);
    }
}
