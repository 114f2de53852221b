//! Detects steps that repeat forever, so that every battle ends.

use super::{Event, EventKind, Step};

/// Watches the steps of a battle. A step repeats forever if it comes up again while no step below
/// it on the agenda has run, and there has been no change, roll or decision since.
#[derive(Clone, Default, Debug)]
pub(super) struct Watch {
    /// Steps since the state last changed, as far as is known.
    idle: u32,
    /// Steps since the last decision or end of round, as far as is known.
    busy: u32,
    /// Dice rolled at the time of the last check.
    rolled: u32,
    /// The text of an earlier step, and how many steps were waiting below it.
    mark: Option<(String, usize)>,
}

/// This many steps without a change are normal. Comparing steps is slow, so it starts only after
/// them.
const PATIENCE: u32 = 1_000;

/// The most steps in one round, whatever they change. With 64 units that is more than 1,500 for
/// each, without a roll or a decision.
const MAX: u32 = 100_000;

impl Watch {
    /// Whether the step that is about to run repeats forever. `waiting`: the number of steps
    /// below it on the agenda; `rolled`: the number of dice so far.
    pub fn is_circle(&mut self, step: &dyn Step, waiting: usize, rolled: impl Fn() -> u32) -> bool {
        self.idle += 1;
        self.busy += 1;
        if self.idle < PATIENCE && self.busy < MAX {
            return false;
        }
        let rolled = rolled();
        if rolled != self.rolled {
            *self = Self {
                rolled,
                ..Self::default()
            };
            return false;
        }
        if self.busy >= MAX {
            return true;
        }
        let text = format!("{step:?}");
        let mark = self.mark.as_ref().filter(|mark| waiting >= mark.1);
        if mark.is_some_and(|mark| mark.0 == text) {
            return true;
        }
        // Brent's algorithm: moving the mark at ever longer intervals finds a loop of any length.
        if mark.is_none() || self.idle.is_power_of_two() {
            self.mark = Some((text, waiting));
        }
        false
    }

    /// Records the outcome of a step.
    pub fn note(&mut self, events: &[Event], asks: bool) {
        let ends_round = |event: &Event| matches!(event.what, EventKind::RoundEnded);
        if asks || events.iter().any(ends_round) {
            self.busy = 0;
        }
        if asks || events.iter().any(|e| e.what.changes_state()) {
            self.idle = 0;
            self.mark = None;
        }
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
