//! The values that scenarios and tools can read for each unit under Phased, by name.

use super::state::{Clock, Fighter};
use crate::battle::{Body, Id, Probe, ProbeValue, has_condition_where, of_unit};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, probe, yes};
use bevy_ecs::world::World;

fn fighter(world: &World, id: Id) -> &Fighter {
    of_unit(world, id)
}

pub static PROBES: [Probe; 18] = [
    // HIGH or LOW, including the unit's own delay (PH-02, PH-16).
    probe("group", |w, id| {
        let side = of_unit::<Body>(w, id).side;
        let low = fighter(w, id).waits_for_low();
        let group = w.resource::<Clock>().group_of(side).name();
        ProbeValue::Text(if low { "LOW" } else { group }.to_owned())
    }),
    // The major action of the round is spent (PH-10).
    probe("spent", |w, id| yes(fighter(w, id).spent)),
    // Segments of minor activities done before the major action (PH-11).
    probe("segments", |w, id| count(fighter(w, id).segments)),
    probe("simples", |w, id| count(fighter(w, id).simples)),
    probe("delayed", |w, id| yes(fighter(w, id).passed_up.delayed)),
    probe("routines", |w, id| count(fighter(w, id).routines)),
    probe("casting", |w, id| yes(fighter(w, id).casting.is_some())),
    probe("keeping_up", |w, id| yes(fighter(w, id).upkeep.is_some())),
    probe("at_work", |w, id| yes(fighter(w, id).work.is_some())),
    probe("held", |w, id| {
        yes(has_condition_where(w, id, |l| l.condition.idle))
    }),
    probe("warded", |w, id| {
        yes(has_condition_where(w, id, |l| l.defense > 0))
    }),
    probe("listens", |w, id| yes(fighter(w, id).listens)),
    probe("surprised", |w, id| yes(fighter(w, id).surprised)),
    probe("hidden", |w, id| yes(fighter(w, id).hidden)),
    FLEEING,
    probe("bleeding", |w, id| yes(fighter(w, id).bleeding)),
    probe("loaded", |w, id| yes(fighter(w, id).unloaded.is_empty())),
    IN_HAND,
];
