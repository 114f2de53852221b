//! The probes of Skirmish: values per unit that scenarios can read by name.

use super::state::{Alertness, Fighter, GrappleState, Stance};
use crate::battle::{Id, Inventory, Probe, ProbeValue, Roster, has_condition_where, of_unit};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, held, probe, yes};
use bevy_ecs::world::World;

pub static PROBES: [Probe; 24] = [
    // Main and Move actions left this round (SK-04).
    probe("main", |w, id| count(fighter(w, id).mains)),
    probe("move", |w, id| count(fighter(w, id).moves)),
    // Free actions taken this turn.
    probe("free", |w, id| count(fighter(w, id).frees)),
    probe("done", |w, id| yes(fighter(w, id).done)),
    probe("defending", |w, id| yes(fighter(w, id).defending)),
    probe("disengaged", |w, id| yes(fighter(w, id).disengaged != 0)),
    probe("charged", |w, id| yes(fighter(w, id).charged)),
    // Whether the shield has stopped a Shock this round (SK-42).
    probe("shield_spent", |w, id| yes(fighter(w, id).shield_spent)),
    FLEEING,
    // Whether the unit is mortally injured and not stabilised (SK-61).
    probe("dying", |w, id| yes(fighter(w, id).dying.is_some())),
    // Whether the unit is holding an action (SK-26).
    probe("holding", |w, id| yes(stance(w, id).holding)),
    // Whether another unit screens it (SK-15).
    probe("screened", |w, id| yes(stance(w, id).screened_by != 0)),
    // Whether it belongs to a swarm that has not attacked yet (SK-13).
    probe("swarming", |w, id| {
        yes(stance(w, id).swarm.is_some_and(|s| !s.struck))
    }),
    // Whether it is surprised in the free round (SK-03).
    probe("surprised", |w, id| yes(stance(w, id).surprised)),
    // Whether other sides do not know where it is (SK-03).
    probe("hidden", |w, id| yes(stance(w, id).hidden)),
    // Whether a spell raises its AC, and whether one keeps it helpless (SK-70).
    probe("warded", |w, id| {
        yes(has_condition_where(w, id, |l| l.defense > 0))
    }),
    probe("helpless", |w, id| {
        yes(has_condition_where(w, id, |l| l.condition.idle))
    }),
    // Weapons held (SK-21).
    IN_HAND,
    probe("off_hand", |w, id| held(w, id, Inventory::off_hand)),
    // Whether the weapon in hand is loaded (SK-22).
    probe("loaded", |w, id| {
        let item = of_unit::<Inventory>(w, id).in_hand();
        let empty = |i| fighter(w, id).unloaded.contains(&i);
        yes(!item.is_some_and(empty))
    }),
    // The unit that it holds (SK-51).
    probe("holds", |w, id| {
        let grip = of_unit::<GrappleState>(w, id);
        let names = &w.resource::<Roster>().names;
        let held = grip.holds.map_or("nobody", |who| names.key(who));
        ProbeValue::Text(held.to_owned())
    }),
    // How many units hold it (SK-51).
    probe("held", |w, id| {
        count(of_unit::<GrappleState>(w, id).held_by.count_ones() as i32)
    }),
    // Whether it is unaware (SK-56).
    probe("unaware", |w, id| yes(of_unit::<Alertness>(w, id).unaware)),
    // Rounds that it has stalked its victim, at most 10 (SK-56).
    probe("stalked", |w, id| {
        let stalk = of_unit::<Alertness>(w, id).stalk;
        count(stalk.map_or(0, |stalk| stalk.near.max(stalk.aimed)))
    }),
];

fn fighter(world: &World, id: Id) -> &Fighter {
    of_unit(world, id)
}

fn stance(world: &World, id: Id) -> &Stance {
    of_unit(world, id)
}
