//! What Segments keeps of each combatant, by name.

use super::{
    facts::told,
    fighter::{Clock, Fear, fighter},
};
use crate::battle::{Gauge, Gear, Id, Reading, Roster};
use bevy::ecs::world::World;

pub static GAUGES: [Gauge; 11] = [
    // The segment in which it acts next; 0: no more in this round.
    gauge("due", |w, id| Reading::Count(fighter(w, id).due.into())),
    gauge("surprised", |w, id| {
        Reading::Count(fighter(w, id).surprised.into())
    }),
    gauge("declared", |w, id| {
        let names = &w.resource::<Roster>().names;
        let intent = fighter(w, id).intent;
        text(intent.map(|i| told(i, names)))
    }),
    gauge("casting", |w, id| {
        let names = &w.resource::<Roster>().names;
        let casting = fighter(w, id).casting;
        text(casting.map(|c| names.spell(c.spell).to_owned()))
    }),
    // Stands with a spear set against a charge (SE-51).
    gauge("set", |w, id| Reading::Yes(fighter(w, id).is_set())),
    gauge("charged", |w, id| {
        let round = w.resource::<Clock>().round;
        Reading::Yes(fighter(w, id).charged == Some(round))
    }),
    gauge("routines", |w, id| {
        Reading::Count(fighter(w, id).routines.into())
    }),
    gauge("helpless", |w, id| {
        let now = w.resource::<Clock>().now();
        Reading::Yes(fighter(w, id).held_until.is_some_and(|u| u > now))
    }),
    gauge("fleeing", |w, id| {
        Reading::Yes(fighter(w, id).fear == Fear::Flees)
    }),
    gauge("bleeding", |w, id| Reading::Yes(fighter(w, id).bleeding)),
    gauge("in_hand", |w, id| {
        let roster = w.resource::<Roster>();
        let gear = w.get::<Gear>(roster.who[id.index()]);
        let item = gear.and_then(Gear::in_hand);
        text(item.map(|i| roster.names.item(i).to_owned()))
    }),
];

const fn gauge(name: &'static str, read: fn(&World, Id) -> Reading) -> Gauge {
    Gauge { name, read }
}

fn text(of: Option<String>) -> Reading {
    Reading::Text(of.unwrap_or_else(|| String::from("nothing")))
}
