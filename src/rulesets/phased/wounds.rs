//! Falling, bleeding and dying (PH-60); harm that comes to nothing (PH-37).

use super::{events::PhasedEvent, ph::Ph};
use crate::{
    battle::{Event, EventKind, Id, Modifier, Roll, Rule, Seen, State, StepOutcome},
    rulesets::common::damage::Loss,
    system_step,
};
use bevy::ecs::system::In;

/// So many points have been lost at once: perhaps it falls. At 0 it is
/// unconscious and bleeds, far below it is dead, and minions die; what only
/// knocks out does neither. Who is down already bleeds anew, or dies.
pub fn suffer(ph: &Ph, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    let Loss { points, lethal } = loss;
    let body = ph.body(who);
    let left = body.hp - points;
    let down = body.state == State::Down;
    if !(body.is_up() && left <= 0 || down && points > 0) {
        return;
    }
    if !down {
        outcome.emit("PH-60", EventKind::Fell { who });
    }
    let dead = left <= ph.tables().numbers.dead_at || ph.dies_at_zero(who);
    if lethal && dead {
        outcome.emit("PH-60", EventKind::Died { who });
    } else if lethal && !ph.fighter(who).bleeding {
        outcome.emit("PH-60", PhasedEvent::Bleeds { who }.event());
    }
}

/// PH-37: an attack or effect has come to nothing. A warding is plain to all;
/// of an immunity that does not show only its own side is told.
pub fn tell_foiled(ph: &Ph, rule: Rule, who: Id, by: Id, hedged: bool, outcome: &mut StepOutcome) {
    let shows = hedged || ph.stats(who).shows;
    let seen = match shows {
        true => Seen::All,
        false => Seen::Only(ph.body(who).side),
    };
    let what = PhasedEvent::Foiled {
        who,
        by,
        shows,
        hedged,
    };
    let what = what.event();
    outcome.events.push(Event { rule, seen, what });
}

/// A point a round, until somebody binds the wounds or it is over.
pub fn bleed(ph: &Ph, outcome: &mut StepOutcome) {
    let bleeding = |id: &Id| ph.body(*id).state == State::Down && ph.fighter(*id).bleeding;
    for who in ph.view.ids().filter(bleeding) {
        let roll = Roll {
            dice: vec![],
            modifiers: vec![Modifier::new(1, "bleeding", "PH-60")],
        };
        let (by, points) = (None, 1);
        outcome.emit("PH-60", EventKind::damaged(who, by, points, roll));
        if ph.body(who).hp - 1 <= ph.tables().numbers.dead_at {
            outcome.emit("PH-60", EventKind::Died { who });
        }
    }
}

/// Somebody regains hit points.
pub fn heal(ph: &Ph, who: Id, points: i32, outcome: &mut StepOutcome) {
    outcome.emit("PH-60", EventKind::Healed { who, points });
    if ph.body(who).state == State::Down {
        outcome.push(Revive { who });
    }
}

/// Who was down bleeds no more, and gets up if it has hit points now, beside
/// the place if that is taken. A step of its own: several cures may have come
/// at once.
#[derive(Clone, Debug)]
struct Revive {
    who: Id,
}
system_step!(Revive, revive);

fn revive(In(Revive { who }): In<Revive>, ph: Ph) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let body = ph.body(who);
    if body.state != State::Down {
        return outcome;
    }
    if ph.fighter(who).bleeding {
        outcome.emit("PH-60", PhasedEvent::Bound { who }.event());
    }
    if body.hp > 0
        && let Some(at) = ph.view.nearest_free(who, body.at)
    {
        outcome.emit(
            "PH-60",
            PhasedEvent::Rises {
                who,
                at: (at.x, at.y),
            }
            .event(),
        );
    }
    outcome
}
