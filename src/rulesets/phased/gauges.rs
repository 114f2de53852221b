//! What Phased keeps of each combatant, by name.

use super::fighter::{Clock, Fighter};
use crate::battle::{Body, Gauge, Gear, Id, Reading, Roster};
use bevy::ecs::world::World;

pub static GAUGES: [Gauge; 18] = [
    // HIGH or LOW, delays in it (PH-02, PH-16).
    gauge("group", |w, id| {
        let side = get::<Body>(w, id).side;
        let low = fighter(w, id).waits_for_low();
        let group = w.resource::<Clock>().group_of(side).name();
        Reading::Text(if low { "LOW" } else { group }.to_owned())
    }),
    // The major action of the round is spent (PH-10).
    gauge("spent", |w, id| yes(fighter(w, id).spent)),
    // Segments of minor activities before it (PH-11).
    gauge("segments", |w, id| count(fighter(w, id).segments)),
    gauge("simples", |w, id| count(fighter(w, id).simples)),
    gauge("delayed", |w, id| yes(fighter(w, id).delayed)),
    gauge("routines", |w, id| count(fighter(w, id).routines)),
    gauge("casting", |w, id| yes(fighter(w, id).casting.is_some())),
    gauge("keeping_up", |w, id| yes(fighter(w, id).upkeep.is_some())),
    gauge("at_work", |w, id| yes(fighter(w, id).work.is_some())),
    gauge("held", |w, id| yes(fighter(w, id).held > 0)),
    gauge("warded", |w, id| yes(fighter(w, id).ward.is_some())),
    gauge("listens", |w, id| yes(fighter(w, id).listens)),
    gauge("surprised", |w, id| yes(fighter(w, id).surprised)),
    gauge("hidden", |w, id| yes(fighter(w, id).hidden)),
    gauge("fleeing", |w, id| yes(fighter(w, id).fleeing)),
    gauge("bleeding", |w, id| yes(fighter(w, id).bleeding)),
    gauge("loaded", |w, id| yes(fighter(w, id).unloaded.is_empty())),
    gauge("in_hand", |w, id| {
        let names = &w.resource::<Roster>().names;
        let item = get::<Gear>(w, id).in_hand();
        Reading::Text(item.map_or("nothing", |i| names.item(i)).to_owned())
    }),
];

const fn gauge(name: &'static str, read: fn(&World, Id) -> Reading) -> Gauge {
    Gauge { name, read }
}

fn count(n: u8) -> Reading {
    Reading::Count(n.into())
}

fn yes(yes: bool) -> Reading {
    Reading::Yes(yes)
}

fn get<T: bevy::ecs::component::Component>(world: &World, id: Id) -> &T {
    let entity = world.resource::<Roster>().who[id.index()];
    world.get(entity).expect("every combatant has it")
}

fn fighter(world: &World, id: Id) -> &Fighter {
    get(world, id)
}
