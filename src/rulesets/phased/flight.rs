//! Those whose morale broke make for an exit (PH-60), and leave by it.

use super::{fact::Fact, ph::Ph};
use crate::battle::{Escape, Flow, Id, Leg, Prefers};

/// How it goes on towards an exit: clear of foes if it can, then the shortest
/// way. `None`: there is no way to any exit.
pub fn way_out(ph: &Ph, who: Id) -> Option<Leg> {
    let ways = ph.ways(who);
    ph.view.way_out(&Escape {
        who,
        ways: &ways,
        prefers: Prefers::ShortWays,
        feet: ph.rate(who),
        walk_on: &|board, ways, search| ph.view.walk_on(board, who, ways, search),
        may_stop: &|_, cell| ph.may_end(who, &ways, cell),
    })
}

/// It has left the field; if the level says so it comes back so many rounds
/// later, once.
pub fn be_gone(ph: &Ph, who: Id, flow: &mut Flow) {
    ph.view.leave(who, "PH-60", flow);
    let back = ph.view.back_in(ph.body(who).side, ph.clock.round);
    if let Some(round) = back.filter(|_| ph.fighter(who).returns.is_none()) {
        flow.emit("PH-60", Fact::WillReturn { who, round }.event());
    }
}
