//! Charges among units that move at the same time: no unit runs past its charge target, and none
//! swaps places with it.

use super::{
    State,
    moves::{Mover, Moves},
};
use crate::battle::{StepOutcome, Why};

/// Checks between two cells which charges have arrived. Two units that charge each other both stop.
/// A plain move ends when a charge reaches the mover. A target that charges a third unit keeps
/// going, and its charger keeps up with it.
pub(super) fn stop_arrived_charges<R: Moves>(
    state: &State<R>,
    movers: &mut [Mover<R::MoveMode>],
    outcome: &mut StepOutcome,
) {
    if movers.len() < 2 {
        return;
    }
    for n in 0..movers.len() {
        let who = movers[n].who;
        let goes_on = !movers[n].over && R::is_able(state, who);
        let Some(mut target) = movers[n].target.filter(|_| goes_on) else {
            continue;
        };
        movers[n].waits = false;
        let at = R::view(state).body(target.enemy).at;
        let is_elsewhere = at != target.seen;
        target.has_moved |= is_elsewhere;
        target.seen = at;
        movers[n].target = Some(target);
        let is_due = target.has_moved || movers[n].path.is_empty();
        if is_due && R::reaches(state, &movers[n], target.enemy) {
            let on_the_way =
                |m: &Mover<R::MoveMode>| m.who == target.enemy && (m.goes_on() || m.waits);
            match movers.iter().position(on_the_way) {
                Some(enemy) => match movers[enemy].target {
                    Some(other) if other.enemy != who => movers[n].waits = true,
                    Some(_) => movers[n].over = true,
                    None => {
                        movers[n].over = true;
                        movers[enemy].over = true;
                        let why = Why::new(R::CONTACT, "a charge has arrived");
                        outcome.emit_stop(target.enemy, why);
                    }
                },
                None => movers[n].over = true,
            }
        } else if is_elsewhere && let Some(path) = R::follows(state, &movers[n], target.enemy) {
            movers[n].path = path.into();
        }
    }
}
