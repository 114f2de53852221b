//! What follows from falls and arrivals: morale (SE-55).

use super::{Segments, events::SegmentsEvent, se::Se, state::Fear, wounds};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{CheckRoll, DiceBox, EventKind, Fallen, Id, Roll, Rule, Side, StepOutcome},
    rulesets::common::aftermath::{Consequences, Morale, Shaken, look, occasions},
    system_step,
};

/// Looks at the state after something happened; it needs to know nothing of what.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look::<Segments, Aftermath>);

impl Consequences for Segments {
    const FALLEN: Fallen = Fallen::MayRise;

    fn follows(se: &Se, outcome: &mut StepOutcome) {
        occasions::<Self>(se, outcome);
    }
}

impl Morale for Segments {
    const MORALE: Rule = "SE-55";

    fn had(se: &Se, side: Side) -> Shaken {
        se.clock.shaken[side.index()]
    }

    fn has_had(side: Side, shaken: Shaken) -> EventKind {
        SegmentsEvent::Shaken { side, shaken }.event()
    }

    fn check(se: &Se, who: Id, _: Shaken, dice: &mut DiceBox) -> Option<CheckRoll> {
        let score = se.stats(who).morale?;
        if se.fighter(who).fear == Fear::Flees {
            return None;
        }
        let roll = Roll::one(100, dice.roll(100), vec![]);
        let holds = roll.total() <= score;
        let check = CheckRoll::by(who, "morale", roll);
        Some(check.against(score).passed(holds))
    }

    fn fails(se: &Se, who: Id, check: &CheckRoll, outcome: &mut StepOutcome) {
        let over = check.roll.total() - check.against.unwrap_or(0);
        let fear = match over {
            ..=numbers::FALL_BACK => Fear::FallsBack,
            _ => Fear::Flees,
        };
        if fear == Fear::Flees && se.way_out(who).is_none() {
            outcome.emit("SE-55", SegmentsEvent::FightsOn { who }.event());
            return;
        }
        wounds::spoil(se, who, outcome);
        outcome.emit("SE-55", SegmentsEvent::Afraid { who, fear }.event());
    }
}
