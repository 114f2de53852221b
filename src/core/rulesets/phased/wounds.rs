//! Falling, bleeding and dying (PH-60); attacks without effect (PH-37).

use super::{Phased, events::PhasedEvent, query::PhasedQuery};
use crate::{
    battle::{EventKind, Id, Roll, Rule, Seen, StepOutcome},
    grid::Cell,
    rulesets::common::bleed::{Bleeds, revive},
};

/// Emits an event and a log entry: an attack or effect of `by` does nothing to `who` (PH-37). If
/// `hedged`, a protection keeps bodies from touching the target; all sides see that. Otherwise the
/// target is immune: all sides see it if the immunity shows at once, else only its own side.
pub fn emit_no_effect(
    ph: &PhasedQuery,
    rule: Rule,
    who: Id,
    by: Id,
    hedged: bool,
    outcome: &mut StepOutcome,
) {
    let shows = hedged || ph.stats(who).shows;
    let seen = Seen::all_if(shows, ph.body(who).side);
    let what = PhasedEvent::Foiled {
        who,
        by,
        shows,
        hedged,
    };
    outcome.emit_to(rule, seen, what);
}

/// Gives a unit back `points` hit points and revives it if possible (PH-60).
pub fn heal(ph: &PhasedQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
    outcome.emit("PH-60", EventKind::Healed { who, points });
    revive::<Phased>(ph, who, outcome);
}

impl Bleeds for Phased {
    const BLEEDS: Rule = "PH-60";

    fn is_bleeding(ph: &PhasedQuery, who: Id) -> bool {
        ph.fighter(who).bleeding
    }

    fn dead_at(ph: &PhasedQuery) -> i32 {
        ph.tables().numbers.dead_at
    }

    fn loss_roll() -> Roll {
        Roll::fixed(1, "bleeding", "PH-60")
    }

    fn bleeding_started(who: Id) -> EventKind {
        PhasedEvent::Bleeds { who }.into()
    }

    fn bleeding_stopped(who: Id) -> EventKind {
        PhasedEvent::Bound { who, by: None }.into()
    }

    fn rises(who: Id, at: Cell, _: i32) -> EventKind {
        PhasedEvent::Rises { who, at }.into()
    }
}
