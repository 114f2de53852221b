//! What Segments keeps of each combatant, by name.

use super::{
    events::log_text,
    state::{Clock, fighter},
};
use crate::battle::{Id, Probe, ProbeValue, Roster, lies_on};
use crate::rulesets::common::probes::{FLEEING, IN_HAND};
use bevy::ecs::world::World;

pub static GAUGES: [Probe; 11] = [
    // The segment in which it acts next; 0: no more in this round.
    probe("due", |w, id| ProbeValue::Count(fighter(w, id).due.into())),
    probe("surprised", |w, id| {
        ProbeValue::Count(fighter(w, id).surprised.into())
    }),
    probe("declared", |w, id| {
        let names = &w.resource::<Roster>().names;
        let intent = fighter(w, id).intent;
        text(intent.map(|i| log_text(i, names)))
    }),
    probe("casting", |w, id| {
        let names = &w.resource::<Roster>().names;
        let casting = fighter(w, id).casting;
        text(casting.map(|c| names.spell(c.spell).to_owned()))
    }),
    // Stands with a spear set against a charge (SE-51).
    probe("set", |w, id| ProbeValue::Yes(fighter(w, id).is_set())),
    probe("charged", |w, id| {
        let round = w.resource::<Clock>().round;
        ProbeValue::Yes(fighter(w, id).charged == Some(round))
    }),
    probe("routines", |w, id| {
        ProbeValue::Count(fighter(w, id).routines.into())
    }),
    probe("helpless", |w, id| {
        ProbeValue::Yes(lies_on(w, id, |l| l.condition.idle))
    }),
    FLEEING,
    probe("bleeding", |w, id| ProbeValue::Yes(fighter(w, id).bleeding)),
    IN_HAND,
];

const fn probe(name: &'static str, read: fn(&World, Id) -> ProbeValue) -> Probe {
    Probe { name, read }
}

fn text(of: Option<String>) -> ProbeValue {
    ProbeValue::Text(of.unwrap_or_else(|| String::from("nothing")))
}
