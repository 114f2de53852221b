//! Probes that all combat systems share.

use crate::battle::{Body, Id, Inventory, Item, Probe, ProbeValue, Roster, of_unit};
use bevy_ecs::world::World;

pub const FLEEING: Probe = probe("fleeing", |w, id| yes(of_unit::<Body>(w, id).flees));

/// The weapon held, or `nothing`.
pub const IN_HAND: Probe = probe("in_hand", |w, id| held(w, id, Inventory::in_hand));

/// The name of one of a unit's items, or `nothing`.
pub fn held(world: &World, id: Id, which: fn(&Inventory) -> Option<Item>) -> ProbeValue {
    let names = &world.resource::<Roster>().names;
    let item = which(of_unit::<Inventory>(world, id));
    ProbeValue::Text(item.map_or("nothing", |i| names.item(i)).to_owned())
}

pub const fn probe(name: &'static str, read: fn(&World, Id) -> ProbeValue) -> Probe {
    Probe { name, read }
}

pub fn yes(yes: bool) -> ProbeValue {
    ProbeValue::Yes(yes)
}

pub fn count(n: impl Into<i32>) -> ProbeValue {
    ProbeValue::Count(n.into())
}

/// A text probe; `nothing` if there is none.
pub fn text(of: Option<String>) -> ProbeValue {
    ProbeValue::Text(of.unwrap_or_else(|| String::from("nothing")))
}
