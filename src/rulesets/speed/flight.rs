//! Those whose morale broke make for an exit (SP-30).

use super::{
    acts::{self, can_leave},
    facts::Fact,
    sp::{Sp, numbers},
    state::Hurt,
    tables::Condition,
};
use crate::{
    battle::{Change, DiceBox, Escape, Flow, Id, Leg, Prefers},
    content::Ability,
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

fn flee(In(Flee { who }): In<Flee>, sp: Sp, mut dice: ResMut<DiceBox>) -> Flow {
    let mut flow = Flow::default();
    if !sp.is_up(who) || sp.can_act(who).is_err() {
        return flow;
    }
    if can_leave(&sp, who) {
        flow.emit("SP-30", Fact::Gone { who }.event());
        sp.view.leave(who, "SP-30", &mut flow);
        return flow;
    }
    let fighter = sp.fighter(who);
    let ready = !fighter.standard && sp.may_act(who).is_ok();
    if fighter.suffers(Condition::Grappled) {
        if ready {
            flow.emit("SP-07", Fact::Standard { who }.event());
            let check = sp.check(who, "break free", None, Ability::Strength, "SP-32");
            let roll = check.roll(&mut dice);
            let passed = roll.total() >= numbers().break_free;
            flow.emit("SP-32", check.told(roll, Some(numbers().break_free)));
            if passed {
                let condition = Condition::Grappled;
                flow.emit("SP-32", Fact::Recovered { who, condition }.event());
                return flow.then(Flee { who });
            }
        }
        return flow;
    }
    if sp.body(who).prone && ready && !fighter.has(Hurt::Lamed) {
        flow.emit("SP-07", Fact::Standard { who }.event());
        flow.emit("SP-30", Change::Prone { who, prone: false });
        return flow.then(Flee { who });
    }
    let Ok(left) = sp.feet_left(who) else {
        return flow;
    };
    match sp.way_out(who, left) {
        None => flow.and("SP-30", Fact::Surrendered { who }.event()),
        Some(Leg::Open(cell)) if ready && sp.has_a_hand(who).is_ok() => {
            flow.emit("SP-07", Fact::Standard { who }.event());
            let (by, open) = (who, true);
            flow.emit("GR-02", Change::DoorMoved { by, cell, open });
            flow.then(Flee { who })
        }
        Some(Leg::Run(path)) => flow.then(acts::go(who, path)).then(Flee { who }),
        Some(Leg::Open(_) | Leg::Wait) => flow,
    }
}

impl Sp<'_, '_> {
    /// How it goes on towards an exit, with so many feet left: by the way that
    /// draws fewest ripostes, then the shortest. `None`: it is cut off.
    pub fn way_out(&self, who: Id, left: u16) -> Option<Leg> {
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
