//! Values that Speed stores for each unit, by name.

use super::{numbers::SpeedCondition, state::Fighter};
use crate::battle::{Id, Probe, ProbeValue, of_unit};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, probe, yes};
use bevy_ecs::world::World;

pub static PROBES: [Probe; 17] = [
    probe("stress", |w, id| count(fighter(w, id).stress)),
    probe("base", |w, id| count(fighter(w, id).base.unwrap_or(0))),
    // The count of the unit's declaration, 0 if there is none.
    probe("count", |w, id| {
        count(fighter(w, id).declared.as_ref().map_or(0, |d| d.count))
    }),
    // Whether the unit's action of this round is over.
    probe("acted", |w, id| yes(fighter(w, id).acted)),
    probe("standard_spent", |w, id| yes(fighter(w, id).standard)),
    probe("free_spent", |w, id| yes(fighter(w, id).free)),
    probe("reaction_spent", |w, id| yes(fighter(w, id).reaction)),
    probe("feet", |w, id| count(fighter(w, id).feet)),
    probe("full_defense", |w, id| yes(fighter(w, id).full_defense)),
    probe("mana", |w, id| count(fighter(w, id).mana)),
    // Points of the largest wound.
    probe("worst_wound", |w, id| {
        let wounds = fighter(w, id).wounds.iter().map(|x| x.points);
        count(wounds.max().unwrap_or(0))
    }),
    // The number of wounds.
    probe("wound_count", |w, id| {
        count(fighter(w, id).wounds.len() as i32)
    }),
    // The unit's conditions, sorted by name: "bleeding, slowed".
    probe("conditions", |w, id| ProbeValue::Text(conditions(w, id))),
    // Effects of combat injuries, oldest first.
    probe("injuries", |w, id| {
        let all = fighter(w, id).hurts.iter().map(|h| h.log_text());
        ProbeValue::Text(all.collect::<Vec<_>>().join(", "))
    }),
    FLEEING,
    probe("surrendered", |w, id| yes(fighter(w, id).surrendered)),
    IN_HAND,
];

fn fighter(world: &World, id: Id) -> &Fighter {
    of_unit(world, id)
}

fn conditions(world: &World, id: Id) -> String {
    let all = fighter(world, id)
        .conditions(of_unit(world, id))
        .into_iter();
    let mut all: Vec<&str> = all.map(SpeedCondition::name).collect();
    all.sort_unstable();
    all.join(", ")
}
