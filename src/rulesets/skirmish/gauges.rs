//! What Skirmish keeps of each combatant, by name.

use super::{
    alarm::Watch, fighter::Fighter, grapple::Grip, loads::Loads, magic::Magic, stance::Stance,
};
use crate::{
    battle::{Gauge, Gear, Id, Item, Reading, Roster},
    content::Effect,
};
use bevy::ecs::{component::Component, world::World};

pub static GAUGES: [Gauge; 24] = [
    // Actions left this round (SK-04).
    gauge("main", |w, id| count(fighter(w, id).mains)),
    gauge("move", |w, id| count(fighter(w, id).moves)),
    // Free actions taken this turn.
    gauge("free", |w, id| count(fighter(w, id).frees)),
    gauge("done", |w, id| Reading::Yes(fighter(w, id).done)),
    gauge("defending", |w, id| Reading::Yes(fighter(w, id).defending)),
    gauge("disengaged", |w, id| {
        Reading::Yes(fighter(w, id).disengaged != 0)
    }),
    gauge("charged", |w, id| Reading::Yes(fighter(w, id).charged)),
    // The shield has ignored its Shock of the round (SK-42).
    gauge("shield_spent", |w, id| {
        Reading::Yes(fighter(w, id).shield_spent)
    }),
    gauge("fleeing", |w, id| Reading::Yes(fighter(w, id).fleeing)),
    // Mortally injured and not stabilised (SK-61).
    gauge("dying", |w, id| {
        Reading::Yes(fighter(w, id).dying.is_some())
    }),
    // Keeps the rest of its turn for later (SK-26).
    gauge("holding", |w, id| {
        Reading::Yes(part::<Stance>(w, id).holding)
    }),
    // Somebody screens it (SK-15).
    gauge("screened", |w, id| {
        Reading::Yes(part::<Stance>(w, id).screened_by != 0)
    }),
    // Is of a swarm that nobody has struck for (SK-13).
    gauge("swarming", |w, id| {
        Reading::Yes(part::<Stance>(w, id).swarm.is_some_and(|s| !s.struck))
    }),
    // Caught unaware, in the free round (SK-03).
    gauge("surprised", |w, id| {
        Reading::Yes(part::<Stance>(w, id).surprised)
    }),
    // The other sides do not know where it is (SK-03).
    gauge("hidden", |w, id| Reading::Yes(part::<Stance>(w, id).hidden)),
    // A spell raises its AC, or keeps it helpless (SK-70).
    gauge("warded", |w, id| {
        Reading::Yes(lies(w, id, |e| matches!(e, Effect::Ward { .. })))
    }),
    gauge("helpless", |w, id| {
        Reading::Yes(lies(w, id, |e| matches!(e, Effect::Hold { .. })))
    }),
    // Weapons held (SK-21).
    gauge("in_hand", |w, id| held(w, id, Gear::in_hand)),
    gauge("off_hand", |w, id| held(w, id, Gear::off_hand)),
    // What is in hand can be shot (SK-22).
    gauge("loaded", |w, id| {
        let entity = w.resource::<Roster>().who[id.index()];
        let item = w.get::<Gear>(entity).and_then(Gear::in_hand);
        let empty = |i| w.get::<Loads>(entity).is_some_and(|l| l.empty.contains(&i));
        Reading::Yes(!item.is_some_and(empty))
    }),
    // Whom it holds (SK-51).
    gauge("holds", |w, id| {
        let grip = part::<Grip>(w, id);
        let names = &w.resource::<Roster>().names;
        let held = grip.holds.map_or("nobody", |who| names.key(who));
        Reading::Text(held.to_owned())
    }),
    // How many hold it (SK-51).
    gauge("held", |w, id| {
        Reading::Count(part::<Grip>(w, id).held_by.count_ones() as i32)
    }),
    // Suspects nothing (SK-56).
    gauge("unaware", |w, id| {
        Reading::Yes(part::<Watch>(w, id).unaware)
    }),
    // Rounds for which it has stalked somebody, at most a minute (SK-56).
    gauge("stalked", |w, id| {
        let stalk = part::<Watch>(w, id).stalk;
        count(stalk.map_or(0, |stalk| stalk.near.max(stalk.aimed)))
    }),
];

const fn gauge(name: &'static str, read: fn(&World, Id) -> Reading) -> Gauge {
    Gauge { name, read }
}

fn count(n: u8) -> Reading {
    Reading::Count(n.into())
}

fn held(world: &World, id: Id, which: fn(&Gear) -> Option<Item>) -> Reading {
    let roster = world.resource::<Roster>();
    let item = world.get::<Gear>(roster.who[id.index()]).and_then(which);
    Reading::Text(item.map_or("nothing", |i| roster.names.item(i)).to_owned())
}

/// Whether a spell with such an effect lies on somebody.
fn lies(world: &World, id: Id, wanted: fn(Effect) -> bool) -> bool {
    let roster = world.resource::<Roster>();
    let magic = world.get::<Magic>(roster.who[id.index()]);
    let mut lasting = magic.iter().flat_map(|m| &m.lasting);
    lasting.any(|l| wanted(roster.stock.spell(l.spell).effect))
}

fn fighter(world: &World, id: Id) -> &Fighter {
    part(world, id)
}

fn part<T: Component>(world: &World, id: Id) -> &T {
    let entity = world.resource::<Roster>().who[id.index()];
    world.get(entity).expect("every combatant has it")
}
