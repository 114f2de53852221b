//! Falling, bleeding and dying (PH-60).

use super::{fact::Fact, ph::Ph};
use crate::battle::{Change, Flow, Id, Modifier, Roll, State};

/// So many points have been lost at once: perhaps it falls. At 0 it is
/// unconscious and bleeds, unless the weapon only knocks out; minions die.
pub fn suffer(ph: &Ph, who: Id, points: i32, lethal: bool, flow: &mut Flow) {
    let body = ph.body(who);
    let left = body.hp - points;
    if !body.is_up() || left > 0 {
        return;
    }
    flow.emit("PH-60", Change::Fell { who });
    if left <= ph.tables().numbers.dead_at || lethal && ph.dies_at_zero(who) {
        flow.emit("PH-60", Change::Died { who });
    } else if lethal {
        flow.emit("PH-60", Fact::Bleeds { who }.event());
    }
}

/// A point a round, until somebody binds the wounds or it is over.
pub fn bleed(ph: &Ph, flow: &mut Flow) {
    let bleeding = |id: &Id| ph.body(*id).state == State::Down && ph.fighter(*id).bleeding;
    for who in ph.view.ids().filter(bleeding) {
        let roll = Roll {
            dice: vec![],
            modifiers: vec![Modifier::new(1, "bleeding", "PH-60")],
        };
        let (by, points) = (None, 1);
        flow.emit(
            "PH-60",
            Change::Damaged {
                who,
                by,
                points,
                roll,
            },
        );
        if ph.body(who).hp - 1 <= ph.tables().numbers.dead_at {
            flow.emit("PH-60", Change::Died { who });
        }
    }
}

/// Somebody regains hit points; who was down and now has some gets up, beside
/// the place if that is taken.
pub fn heal(ph: &Ph, who: Id, points: i32, flow: &mut Flow) {
    let body = ph.body(who);
    flow.emit("PH-60", Change::Healed { who, points });
    if body.state != State::Down {
        return;
    }
    flow.emit("PH-60", Fact::Bound { who }.event());
    if body.hp + points > 0
        && let Some(at) = ph.view.nearest_free(who, body.at)
    {
        flow.emit(
            "PH-60",
            Fact::Rises {
                who,
                at: (at.x, at.y),
            }
            .event(),
        );
    }
}
