//! Whether the battle is over (SP-31).

use super::{Speed, events::SpeedEvent};
use crate::battle::{Fallen, StepOutcome};
use crate::rulesets::common::end_checks::{EndCheckHooks, end_checks};

end_checks!(Speed);

impl EndCheckHooks for Speed {
    /// A side is defeated if none of its units is up: all are dead, fled, captured or too badly
    /// hurt to fight.
    const FALLEN: Fallen = Fallen::StayDown;

    /// Clears the initiative of all units.
    fn over(outcome: &mut StepOutcome) {
        outcome.emit("SP-31", SpeedEvent::Wiped);
    }
}
