//! What Segments keeps of each combatant, by name.

use super::{
    events::log_text,
    state::{Clock, fighter},
};
use crate::battle::{Probe, Roster, lies_on};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, probe, text, yes};

pub static GAUGES: [Probe; 11] = [
    // The segment in which it acts next; 0: no more in this round.
    probe("due", |w, id| count(fighter(w, id).due)),
    probe("surprised", |w, id| count(fighter(w, id).surprised)),
    probe("declared", |w, id| {
        let names = &w.resource::<Roster>().names;
        let intent = fighter(w, id).intent;
        text(intent.map(|i| log_text(i, names)))
    }),
    probe("casting", |w, id| {
        let names = &w.resource::<Roster>().names;
        let casting = fighter(w, id).casting;
        text(casting.map(|c| names.spell(c.spell).to_owned()))
    }),
    // Stands with a spear set against a charge (SE-51).
    probe("set", |w, id| yes(fighter(w, id).is_set())),
    probe("charged", |w, id| {
        let round = w.resource::<Clock>().round;
        yes(fighter(w, id).charged == Some(round))
    }),
    probe("routines", |w, id| count(fighter(w, id).routines)),
    probe("helpless", |w, id| {
        yes(lies_on(w, id, |l| l.condition.idle))
    }),
    FLEEING,
    probe("bleeding", |w, id| yes(fighter(w, id).bleeding)),
    IN_HAND,
];
