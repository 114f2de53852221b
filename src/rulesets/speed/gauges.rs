//! What Speed keeps of each combatant, by name.

use super::{state::Fighter, tables::Condition};
use crate::battle::{Body, Gauge, Gear, Id, Names, Reading, Roster, State};
use bevy::ecs::world::World;

pub static GAUGES: [Gauge; 17] = [
    gauge("stress", |w, id| count(fighter(w, id).stress)),
    gauge("base", |w, id| count(fighter(w, id).base.unwrap_or(0))),
    // The count of what it has declared, 0 if nothing.
    gauge("count", |w, id| {
        count(fighter(w, id).declared.as_ref().map_or(0, |d| d.count))
    }),
    // Its act of this round is over with.
    gauge("acted", |w, id| Reading::Yes(fighter(w, id).acted)),
    gauge("standard_spent", |w, id| {
        Reading::Yes(fighter(w, id).standard)
    }),
    gauge("free_spent", |w, id| Reading::Yes(fighter(w, id).free)),
    gauge("reaction_spent", |w, id| {
        Reading::Yes(fighter(w, id).reaction)
    }),
    gauge("feet", |w, id| count(fighter(w, id).feet.into())),
    gauge("full_defense", |w, id| {
        Reading::Yes(fighter(w, id).full_defense)
    }),
    gauge("mana", |w, id| count(fighter(w, id).mana)),
    // The largest wound.
    gauge("worst_wound", |w, id| {
        let wounds = fighter(w, id).wounds.iter().map(|x| x.points);
        count(wounds.max().unwrap_or(0))
    }),
    // How many wounds.
    gauge("wound_count", |w, id| {
        count(fighter(w, id).wounds.len() as i32)
    }),
    // The conditions that it suffers, by the alphabet: "bleeding, slowed".
    gauge("conditions", |w, id| Reading::Text(conditions(w, id))),
    // What combat injuries have left behind, in the order in which they came.
    gauge("injuries", |w, id| {
        let all = fighter(w, id).hurts.iter().map(|h| h.told());
        Reading::Text(all.collect::<Vec<_>>().join(", "))
    }),
    gauge("fleeing", |w, id| Reading::Yes(fighter(w, id).fleeing)),
    gauge("surrendered", |w, id| {
        Reading::Yes(fighter(w, id).surrendered)
    }),
    gauge("in_hand", |w, id| {
        let roster = w.resource::<Roster>();
        let gear = w.get::<Gear>(roster.who[id.index()]);
        let names: &Names = &roster.names;
        let held = gear.and_then(Gear::in_hand);
        Reading::Text(held.map_or(String::new(), |n| names.item(n).to_owned()))
    }),
];

const fn gauge(name: &'static str, read: fn(&World, Id) -> Reading) -> Gauge {
    Gauge { name, read }
}

fn count(n: i32) -> Reading {
    Reading::Count(n)
}

fn fighter(world: &World, id: Id) -> &Fighter {
    let entity = world.resource::<Roster>().who[id.index()];
    world.get(entity).expect("every combatant is a fighter")
}

fn conditions(world: &World, id: Id) -> String {
    let f = fighter(world, id);
    let mut all: Vec<&str> = f.ailments.iter().map(|a| a.condition.name()).collect();
    let body: Option<&Body> = world.get(world.resource::<Roster>().who[id.index()]);
    let body = body.expect("every combatant has a body");
    if body.prone {
        all.push(Condition::Prone.name());
    }
    match body.state {
        State::Down if body.hp < 0 => all.push(Condition::Dying.name()),
        State::Down => all.push(Condition::Incapacitated.name()),
        State::Dead => all.push(Condition::Dead.name()),
        _ => {}
    }
    all.sort_unstable();
    all.join(", ")
}
