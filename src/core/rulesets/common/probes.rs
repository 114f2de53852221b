//! Probes that all combat systems share.

use crate::battle::{Body, Id, Inventory, Probe, ProbeValue, Roster, of_unit};
use bevy_ecs::world::World;

pub const FLEEING: Probe = Probe {
    name: "fleeing",
    read: |w, id| ProbeValue::Yes(of_unit::<Body>(w, id).flees),
};

/// The weapon held, or `nothing`.
pub const IN_HAND: Probe = Probe {
    name: "in_hand",
    read: |w, id| {
        let names = &w.resource::<Roster>().names;
        let item = of_unit::<Inventory>(w, id).in_hand();
        ProbeValue::Text(item.map_or("nothing", |i| names.item(i)).to_owned())
    },
};

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
