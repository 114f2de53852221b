//! Those who lie hidden as the battle begins (PH-06): nobody but their own side
//! knows that they are there, until they act or somebody comes upon them.

use super::{Phased, events::PhasedEvent, query::PhasedQuery};
use crate::battle::{Id, Rule, StepOutcome};
use crate::rulesets::common::hiding::Hides;

impl PhasedQuery<'_, '_> {
    /// Whoever acts out of hiding is seen before it does.
    pub fn reveal(&self, who: Id, outcome: &mut StepOutcome) {
        if self.fighter(who).hidden {
            let body = self.body(who);
            let at = (body.at.x, body.at.y);
            let let_go = self.fighter(who).let_go();
            outcome.tell("PH-06", body.side, PhasedEvent::Shows { who, at, let_go });
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
