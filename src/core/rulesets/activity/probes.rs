//! Values that Activity stores for each unit, by name.

use super::state::Actor;
use crate::battle::{Id, Probe, has_condition_where, of_unit, ward_on};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, probe, yes};
use bevy_ecs::world::World;

pub static PROBES: [Probe; 14] = [
    probe("initiative", |w, id| count(actor(w, id).initiative)),
    // Percent of activity used this round, and the total available.
    probe("spent", |w, id| count(actor(w, id).spent)),
    probe("capacity", |w, id| count(actor(w, id).capacity)),
    // OB kept for parrying, and whether it counts now (AC-13).
    probe("parry", |w, id| count(actor(w, id).parry)),
    probe("may_parry", |w, id| {
        let a = actor(w, id);
        let held = has_condition_where(w, id, |l| l.condition.idle);
        yes(a.position().allows_parry() && !a.is_dazed() && !held)
    }),
    // Feet moved this round (AC-23).
    probe("moved", |w, id| count(actor(w, id).moved)),
    probe("power", |w, id| count(actor(w, id).power)),
    probe("bleeding", |w, id| count(actor(w, id).bleeding)),
    probe("stunned", |w, id| count(actor(w, id).stunned)),
    probe("penalty", |w, id| count(actor(w, id).penalty)),
    probe("ward", |w, id| count(ward_on(w, id))),
    probe("hidden", |w, id| yes(actor(w, id).hidden)),
    FLEEING,
    IN_HAND,
];

fn actor(world: &World, id: Id) -> &Actor {
    of_unit(world, id)
}
