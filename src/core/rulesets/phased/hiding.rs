//! Those who lie hidden as the battle begins (PH-06): nobody but their own side
//! knows that they are there, until they act or somebody comes upon them.

use super::{events::PhasedEvent, ph::Ph};
use crate::battle::{EventKind, Id, Rule, Seen, StepOutcome, movement::Occupancy};
use crate::grid::Space;

impl Ph<'_, '_> {
    /// Whoever acts out of hiding is seen before it does.
    pub fn reveal(&self, who: Id, outcome: &mut StepOutcome) {
        if self.fighter(who).hidden {
            let body = self.body(who);
            let at = (body.at.x, body.at.y);
            outcome.tell("PH-06", body.side, PhasedEvent::Shows { who, at });
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

    /// Nobody goes round what nobody knows of.
    pub fn overlook_hidden(&self, who: Id, ways: &mut Occupancy) {
        for foe in self.view.foes(self.body(who).side) {
            if self.fighter(foe).hidden {
                ways.clear(self.body(foe).space());
            }
        }
    }

    /// A foe in hiding who is where somebody would step.
    pub fn lurker(&self, who: Id, there: Space) -> Option<Id> {
        let mut foes = self.view.foes(self.body(who).side);
        foes.find(|&id| self.fighter(id).hidden && self.body(id).space().overlaps(there))
    }
}

/// Those in hiding take their places, known to their own side alone.
pub fn take_places(ph: &Ph, outcome: &mut StepOutcome) {
    for who in ph.view.ids().filter(|&id| ph.fighter(id).hidden) {
        let combatant = &ph.view.level().combatants[who.index()];
        if combatant.arrives.is_none() {
            let at = combatant.cell;
            ph.tell_of(who, "PH-06", EventKind::Entered { who, at }, outcome);
        }
    }
}
