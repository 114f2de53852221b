//! Whether the battle is over (SP-31).

use super::{Speed, events::SpeedEvent};
use crate::{
    battle::{Fallen, StepOutcome},
    rulesets::common::end_checks::{Consequences, end_checks},
};

end_checks!(Speed);

impl Consequences for Speed {
    /// A side of which nobody is on its feet is beaten: dead, fled, captured or
    /// too hurt to go on.
    const FALLEN: Fallen = Fallen::StayDown;

    /// Initiative is wiped.
    fn over(outcome: &mut StepOutcome) {
        outcome.emit("SP-31", SpeedEvent::Wiped);
    }
}
