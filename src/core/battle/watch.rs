//! Steps that go round in a circle are caught: every battle ends.

use super::{Event, EventKind, Step};

/// Watches the steps of a battle. A step that comes round again, while nothing
/// below it on the agenda has run and nothing has changed, been rolled or been
/// asked since, comes round for ever.
#[derive(Clone, Default, Debug)]
pub(super) struct Watch {
    /// Steps since the state last changed, as far as is known.
    idle: u32,
    /// Steps since somebody was asked or a round ended, as far as is known.
    busy: u32,
    /// Dice that had been rolled when it was last looked.
    rolled: u32,
    /// A step that ran, as text, and how many were waiting below it.
    mark: Option<(String, usize)>,
}

/// This many steps without a change are normal; only after them are steps
/// compared, which takes time.
const PATIENCE: u32 = 1_000;

/// This many steps in one round are too many, whatever they change: with 64
/// combatants that is more than 1,500 for each, without a die or a question.
const MOST: u32 = 100_000;

impl Watch {
    /// Whether a step that is about to run goes in a circle. `waiting`: the
    /// steps below it on the agenda; `rolled`: dice so far.
    pub fn is_circle(&mut self, step: &dyn Step, waiting: usize, rolled: impl Fn() -> u32) -> bool {
        self.idle += 1;
        self.busy += 1;
        if self.idle < PATIENCE && self.busy < MOST {
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
        if self.busy >= MOST {
            return true;
        }
        let text = format!("{step:?}");
        let lower = match &self.mark {
            Some((mark, below)) if waiting >= *below => {
                if *mark == text {
                    return true;
                }
                false
            }
            _ => true,
        };
        // A mark that is moved at ever longer intervals (Brent) lies within
        // the circle at last, however long that is.
        if lower || self.idle.is_power_of_two() {
            self.mark = Some((text, waiting));
        }
        false
    }

    /// Takes note of what a step brought about.
    pub fn note(&mut self, events: &[Event], asks: bool) {
        if asks
            || events
                .iter()
                .any(|e| matches!(e.what, EventKind::RoundEnded))
        {
            self.busy = 0;
        }
        if asks || events.iter().any(|e| e.what.changes_state()) {
            self.idle = 0;
            self.mark = None;
        }
    }

    /// Begins anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
