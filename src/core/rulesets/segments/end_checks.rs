//! Checks after units fall or arrive: morale (SE-55).

use super::{Segments, events::SegmentsEvent, numbers, query::SegmentsQuery, wounds};
use crate::battle::{CheckRoll, DiceBox, EventKind, Fallen, Id, Roll, Rule, Shaken, StepOutcome};
use crate::rulesets::common::{
    damage::Odds,
    end_checks::{EndCheckHooks, Morale, end_checks, occasions},
    flee::{Flees, is_cut_off},
};

end_checks!(Segments);

impl EndCheckHooks for Segments {
    const FALLEN: Fallen = Fallen::MayRise;

    fn follows(se: &SegmentsQuery, outcome: &mut StepOutcome) {
        occasions::<Self>(se, outcome);
    }
}

impl Morale for Segments {
    const MORALE: Rule = "SE-55";

    fn check(se: &SegmentsQuery, who: Id, _: Shaken, dice: &mut DiceBox) -> Option<CheckRoll> {
        let score = se.stats(who).morale?;
        if se.body(who).flees {
            return None;
        }
        dice.roll_for(who);
        let roll = Roll::one(100, dice.roll(100), vec![]);
        let holds = roll.total() <= score;
        let check = CheckRoll::by(who, "morale", roll);
        Some(check.against(score).passed(holds))
    }

    fn fails(se: &SegmentsQuery, who: Id, check: &CheckRoll, outcome: &mut StepOutcome) -> bool {
        let over = check.roll.total() - check.against.unwrap_or(0);
        let flees = over > numbers::FALL_BACK;
        if flees && is_cut_off::<Self>(se, who) {
            Self::cut_off(se, who, outcome);
            return false;
        }
        wounds::disrupt(se, who, outcome);
        let goes = match flees {
            true => EventKind::Flees { who },
            false => SegmentsEvent::FallsBack { who }.into(),
        };
        outcome.emit("SE-55", goes);
        true
    }
}

impl SegmentsQuery<'_, '_> {
    /// The chance that a unit fails a morale check (SE-55). `None` for units that never check.
    pub fn breaks(&self, who: Id) -> Option<Odds> {
        let score = self.stats(who).morale?;
        Some(Odds::of_sum(1, 100, |roll| roll > score))
    }
}
