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

pub const fn probe(name: &'static str, read: fn(&World, Id) -> ProbeValue) -> Probe {
    Probe { name, read }
}

pub fn yes(yes: bool) -> ProbeValue {
    ProbeValue::Yes(yes)
}

pub fn count(n: impl Into<i32>) -> ProbeValue {
    ProbeValue::Count(n.into())
}

/// A word, or `nothing`.
pub fn text(of: Option<String>) -> ProbeValue {
    ProbeValue::Text(of.unwrap_or_else(|| String::from("nothing")))
}

/// What a battle keeps of somebody.
///
/// # Panics
/// When the ruleset keeps nothing of the kind.
pub fn kept<T: Component>(world: &World, id: Id) -> &T {
    part(world, id).expect("every combatant has it")
}

fn part<T: Component>(world: &World, id: Id) -> Option<&T> {
    world.get(world.resource::<Roster>().who[id.index()])
}
