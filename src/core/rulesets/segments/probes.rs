//! The values that scenarios and tools can read for each unit under Segments, by name.

use super::{
    events::describe_intent,
    state::{Clock, Fighter},
};
use crate::battle::{Id, Probe, Roster, has_condition_where, of_unit};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, probe, text, yes};
use bevy_ecs::world::World;

fn fighter(world: &World, id: Id) -> &Fighter {
    of_unit(world, id)
}

pub static PROBES: [Probe; 11] = [
    // The segment in which the unit acts next; 0: not again this round.
    probe("due", |w, id| count(fighter(w, id).due)),
    probe("surprised", |w, id| count(fighter(w, id).surprised)),
    probe("declared", |w, id| {
        let names = &w.resource::<Roster>().names;
        let intent = fighter(w, id).intent;
        text(intent.map(|i| describe_intent(i, names)))
    }),
    probe("casting", |w, id| {
        let names = &w.resource::<Roster>().names;
        let casting = fighter(w, id).casting;
        text(casting.map(|c| names.spell(c.spell).to_owned()))
    }),
    // The unit has a spear set against a charge (SE-51).
    probe("set", |w, id| yes(fighter(w, id).is_set())),
    probe("charged", |w, id| {
        yes(fighter(w, id).charged == Some(w.resource::<Clock>().round))
    }),
    probe("routines", |w, id| count(fighter(w, id).routines)),
    probe("helpless", |w, id| {
        yes(has_condition_where(w, id, |l| l.condition.idle))
    }),
    FLEEING,
    probe("bleeding", |w, id| yes(fighter(w, id).bleeding)),
    IN_HAND,
];
