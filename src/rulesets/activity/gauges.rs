//! What Activity keeps of each combatant, by name.

use super::state::Actor;
use crate::battle::{Gauge, Gear, Id, Reading, Roster};
use bevy::ecs::world::World;

macro_rules! gauge {
    ($name:literal, $of:expr) => {
        Gauge {
            name: $name,
            read: |world, id| {
                let of: fn(&Actor) -> Reading = $of;
                of(actor(world, id))
            },
        }
    };
}

pub static GAUGES: [Gauge; 13] = [
    gauge!("initiative", |a| Reading::Count(a.initiative)),
    // Percent of activity used this round, and what there is of it.
    gauge!("spent", |a| Reading::Count(a.spent)),
    gauge!("capacity", |a| Reading::Count(a.capacity)),
    // OB kept for parrying, and whether it counts now (AC-13).
    gauge!("parry", |a| Reading::Count(a.parry)),
    gauge!("may_parry", |a| Reading::Yes(a.may_parry())),
    // Feet moved this round (AC-23).
    gauge!("moved", |a| Reading::Count(a.moved.into())),
    gauge!("power", |a| Reading::Count(a.power)),
    gauge!("bleeding", |a| Reading::Count(a.bleeding)),
    gauge!("stunned", |a| Reading::Count(a.stunned)),
    gauge!("penalty", |a| Reading::Count(a.penalty)),
    gauge!("ward", |a| Reading::Count(a.ward())),
    gauge!("fleeing", |a| Reading::Yes(a.fleeing)),
    Gauge {
        name: "in_hand",
        read: |world, id| {
            let roster = world.resource::<Roster>();
            let gear = world.get::<Gear>(roster.who[id.index()]);
            let item = gear.and_then(Gear::in_hand);
            Reading::Text(item.map_or("nothing", |i| roster.names.item(i)).to_owned())
        },
    },
];

fn actor(world: &World, id: Id) -> &Actor {
    let entity = world.resource::<Roster>().who[id.index()];
    world.get(entity).expect("every combatant is an actor")
}
