//! Wounds: stun, bleeding, penalties, unconsciousness, death (AC-31, AC-33).

use super::{ac::Ac, event::ActivityEvent, tables::Row};
use crate::battle::{EventKind, Id, Modifier, Roll, State, StepOutcome};

/// What a row of a table does beside the hits.
pub fn mark(ac: &Ac, who: Id, row: &Row, outcome: &mut StepOutcome) {
    let wounded = ActivityEvent::Wounded {
        who,
        stun: row.stun,
        bleed: row.bleed,
        penalty: row.penalty,
        maneuver: row.maneuver,
    };
    if row.stun > 0 || row.bleed > 0 || row.penalty < 0 || row.maneuver < 0 {
        outcome.emit("AC-31", wounded.event());
    }
    if row.down && !ac.body(who).prone {
        outcome.emit("AC-31", EventKind::Prone { who, prone: true });
    }
}

/// AC-33: at 0 concussion hits unconscious, at minus the Constitution dead.
/// `points` have just been lost, in this same flow.
pub fn sink(ac: &Ac, who: Id, points: i32, dead: bool, outcome: &mut StepOutcome) {
    let body = ac.body(who);
    let left = body.hp - points;
    if dead || left <= -ac.stats(who).constitution {
        if body.is_up() {
            outcome.emit("AC-33", EventKind::Fell { who });
        }
        if body.state != State::Dead {
            outcome.emit("AC-33", EventKind::Died { who });
        }
    } else if left <= 0 && body.is_up() {
        outcome.emit("AC-33", EventKind::Fell { who });
    }
}

/// At the end of a round the bleeding bleed, also those who are down.
pub fn bleed(ac: &Ac, outcome: &mut StepOutcome) {
    for who in ac.view.ids() {
        let points = ac.actor(who).bleeding;
        let alive = matches!(ac.body(who).state, State::Up | State::Down);
        if points == 0 || !alive {
            continue;
        }
        let roll = Roll {
            dice: vec![],
            modifiers: vec![Modifier::new(points as i16, "bleeding", "AC-33")],
        };
        let damaged = EventKind::Damaged {
            who,
            by: None,
            points,
            roll,
        };
        outcome.emit("AC-33", damaged);
        sink(ac, who, points, false, outcome);
    }
}
