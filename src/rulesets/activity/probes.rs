//! What Activity keeps of each combatant, by name.

use super::state::Actor;
use crate::battle::{Id, Probe, ProbeValue, Roster, lies_on, ward_on};
use crate::rulesets::common::probes::{FLEEING, IN_HAND};
use bevy::ecs::world::World;

macro_rules! probe {
    ($name:literal, $of:expr) => {
        Probe {
            name: $name,
            read: |world, id| {
                let of: fn(&Actor) -> ProbeValue = $of;
                of(actor(world, id))
            },
        }
    };
}

pub static GAUGES: [Probe; 13] = [
    probe!("initiative", |a| ProbeValue::Count(a.initiative)),
    // Percent of activity used this round, and what there is of it.
    probe!("spent", |a| ProbeValue::Count(a.spent)),
    probe!("capacity", |a| ProbeValue::Count(a.capacity)),
    // OB kept for parrying, and whether it counts now (AC-13).
    probe!("parry", |a| ProbeValue::Count(a.parry)),
    Probe {
        name: "may_parry",
        read: |w, id| {
            let a = actor(w, id);
            let held = lies_on(w, id, |l| l.condition.idle);
            ProbeValue::Yes(a.is_fencing() && !a.is_dazed() && !held)
        },
    },
    // Feet moved this round (AC-23).
    probe!("moved", |a| ProbeValue::Count(a.moved.into())),
    probe!("power", |a| ProbeValue::Count(a.power)),
    probe!("bleeding", |a| ProbeValue::Count(a.bleeding)),
    probe!("stunned", |a| ProbeValue::Count(a.stunned)),
    probe!("penalty", |a| ProbeValue::Count(a.penalty)),
    Probe {
        name: "ward",
        read: |w, id| ProbeValue::Count(ward_on(w, id)),
    },
    FLEEING,
    IN_HAND,
];

fn actor(world: &World, id: Id) -> &Actor {
    let entity = world.resource::<Roster>().who[id.index()];
    world.get(entity).expect("every combatant is an actor")
}
