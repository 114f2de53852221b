//! Those who lie hidden as the battle begins (PH-06): nobody but their own side
//! knows that they are there, until they act or somebody comes upon them.

use super::{Phased, events::PhasedEvent, ph::Ph};
use crate::battle::{EventKind, Id, Rule, Seen, StepOutcome};
use crate::rulesets::common::hiding::Hides;

impl Ph<'_, '_> {
    /// Whoever acts out of hiding is seen before it does.
    pub fn reveal(&self, who: Id, outcome: &mut StepOutcome) {
        if self.fighter(who).hidden {
            let body = self.body(who);
            let at = (body.at.x, body.at.y);
            let let_go = self.fighter(who).let_go();
            outcome.tell("PH-06", body.side, PhasedEvent::Shows { who, at, let_go });
        }
    }

    /// Tells something of somebody to all, or to its own side alone while it is
    /// in hiding.
    pub fn tell_of(
        &self,
        who: Id,
        rule: Rule,
        what: impl Into<EventKind>,
        outcome: &mut StepOutcome,
    ) {
        let seen = Seen::all_if(!self.fighter(who).hidden, self.body(who).side);
        outcome.emit_to(rule, seen, what);
    }

    /// Tells all what its side alone knew of somebody; not while it is in hiding.
    pub fn open_of(
        &self,
        who: Id,
        rule: Rule,
        what: impl Into<EventKind>,
        outcome: &mut StepOutcome,
    ) {
        match self.fighter(who).hidden {
            true => self.tell_of(who, rule, what, outcome),
            false => outcome.tell(rule, self.body(who).side, what),
        }
    }
}

impl Hides for Phased {
    const FOUND: Rule = "PH-06";

    fn is_hidden(ph: &Ph, who: Id) -> bool {
        ph.fighter(who).hidden
    }

    fn reveal(ph: &Ph, who: Id, outcome: &mut StepOutcome) {
        ph.reveal(who, outcome);
    }
}
