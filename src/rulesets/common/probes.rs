//! What every combat system keeps of each combatant, by name.

use crate::battle::{Body, Id, Inventory, Probe, ProbeValue, Roster};
use bevy::ecs::{component::Component, world::World};

pub const FLEEING: Probe = Probe {
    name: "fleeing",
    read: |w, id| ProbeValue::Yes(part::<Body>(w, id).is_some_and(|body| body.flees)),
};

/// The weapon held; `nothing` if none is.
pub const IN_HAND: Probe = Probe {
    name: "in_hand",
    read: |w, id| {
        let names = &w.resource::<Roster>().names;
        let item = part::<Inventory>(w, id).and_then(Inventory::in_hand);
        ProbeValue::Text(item.map_or("nothing", |i| names.item(i)).to_owned())
    },
};

fn part<T: Component>(world: &World, id: Id) -> Option<&T> {
    world.get(world.resource::<Roster>().who[id.index()])
}
