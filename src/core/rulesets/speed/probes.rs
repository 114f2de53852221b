//! Values that Speed stores for each unit, by name.

use super::{numbers::Condition, state::Fighter};
use crate::battle::{Body, Id, Probe, ProbeValue, State, component};
use crate::rulesets::common::probes::{FLEEING, IN_HAND, count, probe, yes};
use bevy_ecs::world::World;

pub static PROBES: [Probe; 17] = [
    probe("stress", |w, id| count(component::<Fighter>(w, id).stress)),
    probe("base", |w, id| {
        count(component::<Fighter>(w, id).base.unwrap_or(0))
    }),
    // The count of the unit's declaration, 0 if there is none.
    probe("count", |w, id| {
        count(
            component::<Fighter>(w, id)
                .declared
                .as_ref()
                .map_or(0, |d| d.count),
        )
    }),
    // Whether the unit's action of this round is over.
    probe("acted", |w, id| yes(component::<Fighter>(w, id).acted)),
    probe("standard_spent", |w, id| {
        yes(component::<Fighter>(w, id).standard)
    }),
    probe("free_spent", |w, id| yes(component::<Fighter>(w, id).free)),
    probe("reaction_spent", |w, id| {
        yes(component::<Fighter>(w, id).reaction)
    }),
    probe("feet", |w, id| count(component::<Fighter>(w, id).feet)),
    probe("full_defense", |w, id| {
        yes(component::<Fighter>(w, id).full_defense)
    }),
    probe("mana", |w, id| count(component::<Fighter>(w, id).mana)),
    // Points of the largest wound.
    probe("worst_wound", |w, id| {
        let wounds = component::<Fighter>(w, id).wounds.iter().map(|x| x.points);
        count(wounds.max().unwrap_or(0))
    }),
    // The number of wounds.
    probe("wound_count", |w, id| {
        count(component::<Fighter>(w, id).wounds.len() as i32)
    }),
    // The unit's conditions, sorted by name: "bleeding, slowed".
    probe("conditions", |w, id| ProbeValue::Text(conditions(w, id))),
    // Effects of combat injuries, oldest first.
    probe("injuries", |w, id| {
        let all = component::<Fighter>(w, id)
            .hurts
            .iter()
            .map(|h| h.log_text());
        ProbeValue::Text(all.collect::<Vec<_>>().join(", "))
    }),
    FLEEING,
    probe("surrendered", |w, id| {
        yes(component::<Fighter>(w, id).surrendered)
    }),
    IN_HAND,
];

fn conditions(world: &World, id: Id) -> String {
    let f = component::<Fighter>(world, id);
    let mut all: Vec<&str> = f.ailments.iter().map(|a| a.condition.name()).collect();
    let body = component::<Body>(world, id);
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
