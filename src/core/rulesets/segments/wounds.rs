//! The effects of damage: spoiled spells (SE-41), falling, bleeding, death (SE-54).

use super::{Segments, events::SegmentsEvent, numbers, query::SegmentsQuery};
use crate::{
    battle::{EventKind, Id, Rule, StepOutcome},
    grid::Cell,
    rulesets::common::{
        bleed::{Bleeds, fall},
        damage::Loss,
    },
};

/// The consequences of damage that is already logged: a spoiled spell, a fall. `loss` is all damage
/// of one moment.
pub fn suffer(se: &SegmentsQuery, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    if loss.points > 0 && se.is_up(who) {
        disrupt(se, who, outcome);
        fall::<Segments>(se, who, loss, outcome);
    }
}

/// SE-41: the unit loses the spell it is casting.
pub fn disrupt(se: &SegmentsQuery, who: Id, outcome: &mut StepOutcome) {
    if let Some(casting) = se.casting(who) {
        let spell = casting.spell;
        outcome.emit("SE-41", SegmentsEvent::Spoiled { who, spell });
    }
}

impl Bleeds for Segments {
    const BLEEDS: Rule = "SE-54";

    fn is_bleeding(se: &SegmentsQuery, who: Id) -> bool {
        se.fighter(who).bleeding
    }

    fn dead_at(_: &SegmentsQuery) -> i32 {
        numbers::DEATH
    }

    fn bleeding_started(who: Id) -> EventKind {
        SegmentsEvent::Bleeding { who }.into()
    }

    fn bleeding_stopped(who: Id) -> EventKind {
        SegmentsEvent::Bound { who }.into()
    }

    fn rises(who: Id, at: Cell, hp: i32) -> EventKind {
        EventKind::Revived { who, at, hp }
    }
}
