//! Wounds: stun, bleeding, penalties, unconsciousness and death (AC-31, AC-33).

use super::{events::ActivityEvent, numbers::ResultRow, query::ActivityQuery};
use crate::battle::{EventKind, Id, Roll, State, StepOutcome};
use crate::rulesets::common::{bleed::rounds_until, damage::Loss};

/// Applies a table row, apart from its hits.
pub fn mark(ac: &ActivityQuery, who: Id, row: &ResultRow, outcome: &mut StepOutcome) {
    let wounded = ActivityEvent::Wounded {
        who,
        stun: row.stun,
        bleed: row.bleed,
        penalty: row.penalty,
        maneuver: row.maneuver,
    };
    if row.stun > 0 || row.bleed > 0 || row.penalty < 0 || row.maneuver < 0 {
        outcome.emit("AC-31", wounded);
    }
    if row.down && !ac.body(who).prone {
        outcome.emit("AC-31", EventKind::Prone { who, prone: true });
    }
}

/// Resolves a loss of concussion hits: unconscious at 0, dead at minus the Constitution
/// (AC-33). The damage event is already in `outcome`. A lethal wound kills at any number of
/// hits.
pub fn sink(ac: &ActivityQuery, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    let body = ac.body(who);
    let left = body.hp - loss.points;
    let dies = loss.lethal || left <= -ac.stats(who).constitution;
    if (dies || left <= 0) && body.is_up() {
        outcome.emit("AC-33", EventKind::Fell { who });
    }
    if dies && body.state != State::Dead {
        outcome.emit("AC-33", EventKind::Died { who });
    }
}

/// Rounds, with this one, after which a fallen unit that bleeds is dead (AC-33). `None` for any
/// other unit.
pub fn rounds_to_live(ac: &ActivityQuery, who: Id) -> Option<u16> {
    let (body, bleeding) = (ac.body(who), ac.actor(who).bleeding);
    let is_dying = body.state == State::Down && bleeding > 0;
    is_dying.then(|| rounds_until(body.hp, -ac.stats(who).constitution, bleeding))
}

/// Bleeding at the end of a round; fallen units bleed too.
pub fn bleed(ac: &ActivityQuery, outcome: &mut StepOutcome) {
    for who in ac.view.ids() {
        let points = ac.actor(who).bleeding;
        let alive = matches!(ac.body(who).state, State::Up | State::Down);
        if points == 0 || !alive {
            continue;
        }
        let roll = Roll::fixed(points, "bleeding", "AC-33");
        let damaged = EventKind::damaged(who, None, points, roll);
        outcome.emit("AC-33", damaged);
        sink(ac, who, Loss::plain(points), outcome);
    }
}
