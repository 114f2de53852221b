//! Those whose morale broke make for an exit (SP-30).

use super::{
    acts::{self, can_leave},
    events::SpeedEvent,
    numbers::Condition,
    sp::{Sp, numbers},
    state::Hurt,
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{DiceBox, Escape, EscapeLeg, EventKind, Id, Prefers, StepOutcome},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// The turn of somebody who flees: it runs as far as it can and leaves when it
/// gets there. Nobody is asked.
#[derive(Clone, Debug)]
pub struct Flee {
    pub who: Id,
}
system_step!(Flee, flee);

fn flee(In(Flee { who }): In<Flee>, sp: Sp, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if !sp.is_up(who) || sp.can_act(who).is_err() {
        return outcome;
    }
    if can_leave(&sp, who) {
        outcome.emit("SP-30", SpeedEvent::Gone { who }.event());
        sp.view.leave(who, "SP-30", &mut outcome);
        return outcome;
    }
    let fighter = sp.fighter(who);
    let ready = !fighter.standard && sp.may_act(who).is_ok();
    if fighter.suffers(Condition::Grappled) {
        if ready {
            outcome.emit("SP-07", SpeedEvent::Standard { who }.event());
            let check = sp.check(who, "break free", None, Ability::Strength, "SP-32");
            let roll = check.roll(&mut dice);
            let passed = roll.total() >= numbers().break_free;
            outcome.emit("SP-32", check.log_text(roll, Some(numbers().break_free)));
            if passed {
                let condition = Condition::Grappled;
                outcome.emit("SP-32", SpeedEvent::Recovered { who, condition }.event());
                return outcome.then(Flee { who });
            }
        }
        return outcome;
    }
    if sp.body(who).prone && ready && !fighter.has(Hurt::Lamed) {
        outcome.emit("SP-07", SpeedEvent::Standard { who }.event());
        outcome.emit("SP-30", EventKind::Prone { who, prone: false });
        return outcome.then(Flee { who });
    }
    let Ok(left) = sp.feet_left(who) else {
        return outcome;
    };
    match sp.way_out(who, left) {
        None => outcome.and("SP-30", SpeedEvent::Surrendered { who }.event()),
        Some(EscapeLeg::Open(cell)) if ready && sp.has_a_hand(who).is_ok() => {
            outcome.emit("SP-07", SpeedEvent::Standard { who }.event());
            let (by, open) = (who, true);
            outcome.emit("GR-02", EventKind::DoorMoved { by, cell, open });
            outcome.then(Flee { who })
        }
        Some(EscapeLeg::Run(path)) => outcome.then(acts::go(who, path)).then(Flee { who }),
        Some(EscapeLeg::Open(_) | EscapeLeg::Wait) => outcome,
    }
}

impl Sp<'_, '_> {
    /// How it goes on towards an exit, with so many feet left: by the way that
    /// draws fewest ripostes, then the shortest. `None`: it is cut off.
    pub fn way_out(&self, who: Id, left: u16) -> Option<EscapeLeg> {
        let ways = self.ways(who);
        self.view.way_out(&Escape {
            who,
            ways: &ways,
            prefers: Prefers::FewAttacks,
            feet: left,
            walk_on: &|board, ways, search| self.walk_on(board, who, ways, search),
            may_stop: &|walk, cell| walk.may_stop(cell),
        })
    }
}
