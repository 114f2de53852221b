//! Those whose morale broke make for an exit (PH-60), and leave by it.

use super::{Phased, events::PhasedEvent, ph::Ph};
use crate::{
    battle::{Escape, EscapeLeg, EventKind, Id, Prefers, Rule},
    rulesets::common::leave::Leaves,
};

/// How it goes on towards an exit: clear of foes if it can, then the shortest
/// way. `None`: there is no way to any exit.
pub fn way_out(ph: &Ph, who: Id) -> Option<EscapeLeg> {
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

impl Leaves for Phased {
    const LEFT: Rule = "PH-60";

    fn has_returned(ph: &Ph, who: Id) -> bool {
        ph.fighter(who).returns.is_some()
    }

    fn will_return(who: Id, round: u16) -> EventKind {
        PhasedEvent::WillReturn { who, round }.event()
    }
}
