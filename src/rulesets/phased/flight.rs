//! Those whose morale broke make for an exit (PH-60), and leave by it.

use super::{fact::Fact, ph::Ph};
use crate::{
    battle::{Change, Flow, Id, Leg, Prefers, movement::Ways},
    grid::{Board, Reached},
};

/// How it goes on towards an exit: clear of foes if it can, then the shortest
/// way. `None`: there is no way to any exit.
pub fn way_out(ph: &Ph, who: Id) -> Option<Leg> {
    let (ways, from) = (ph.ways(who), ph.body(who).at);
    let range = |board: &Board, ways: &Ways| {
        ph.view
            .walk_on(board, who, ways, |walk| walk.range(from, u16::MAX))
    };
    let prefers = Prefers::ShortWays;
    let route = ph.view.route_to_exit(who, &ways, prefers, range)?;
    let stops = |end: &Reached| ph.may_end(who, &ways, end.cell);
    Some(ph.view.first_leg(who, &route, ph.rate(who), stops))
}

/// It has left the field; if the level says so it comes back so many rounds
/// later, once.
pub fn be_gone(ph: &Ph, who: Id, flow: &mut Flow) {
    flow.emit("PH-60", Change::Fled { who });
    let back = ph.view.back_in(ph.body(who).side, ph.clock.round);
    if let Some(round) = back.filter(|_| ph.fighter(who).returns.is_none()) {
        flow.emit("PH-60", Fact::WillReturn { who, round }.event());
    }
}
