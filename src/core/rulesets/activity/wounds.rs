//! Wounds: stun, bleeding, penalties, unconsciousness, death (AC-31, AC-33).

use super::{events::ActivityEvent, numbers::Row, query::ActivityQuery};
use crate::{
    battle::{EventKind, Id, Modifier, Roll, Rule, State, StepOutcome},
    rulesets::common::damage::Loss,
};
use std::borrow::Cow;

/// Points that come of no dice, and what of.
pub fn told(points: i32, of: impl Into<Cow<'static, str>>, rule: Rule) -> Roll {
    Roll {
        dice: vec![],
        modifiers: vec![Modifier::new(points as i16, of, rule)],
    }
}

/// What a row of a table does beside the hits.
pub fn mark(ac: &ActivityQuery, who: Id, row: &Row, outcome: &mut StepOutcome) {
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

/// AC-33: at 0 concussion hits unconscious, at minus the Constitution dead.
/// The loss is already part of this outcome; a lethal wound kills whatever is
/// left.
pub fn sink(ac: &ActivityQuery, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    let body = ac.body(who);
    let left = body.hp - loss.points;
    if loss.lethal || left <= -ac.stats(who).constitution {
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
pub fn bleed(ac: &ActivityQuery, outcome: &mut StepOutcome) {
    for who in ac.view.ids() {
        let points = ac.actor(who).bleeding;
        let alive = matches!(ac.body(who).state, State::Up | State::Down);
        if points == 0 || !alive {
            continue;
        }
        let roll = told(points, "bleeding", "AC-33");
        let damaged = EventKind::damaged(who, None, points, roll);
        outcome.emit("AC-33", damaged);
        sink(ac, who, Loss::plain(points), outcome);
    }
}
