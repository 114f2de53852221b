//! The world as it would be if something were declared.

use crate::{
    battle::{Choice, Id, PlannedAttack, RulesetEvent, component_mut, run_system},
    rulesets::activity::{
        declared,
        events::ActivityEvent,
        plan::{self, most_parry},
        query::ActivityQuery,
        state::Actor,
    },
};
use bevy_ecs::{system::In, world::World};

/// Reads a world as if something were declared. It is as before when this returns.
pub fn supposing<T>(
    world: &mut World,
    choice: &Choice,
    look: impl FnOnce(&mut World) -> T,
) -> Option<T> {
    let who = choice.who.filter(|_| declares(choice))?;
    Some(after_all(world, who, std::slice::from_ref(choice), look))
}

/// The same for several declarations of somebody, in order.
fn after_all<T>(
    world: &mut World,
    who: Id,
    orders: &[Choice],
    look: impl FnOnce(&mut World) -> T,
) -> T {
    let before = component_mut::<Actor>(world, who).clone();
    for order in orders.iter().filter(|order| declares(order)) {
        let fact = run_system(world, fact_of, order.clone());
        fact.apply(world);
    }
    let seen = look(world);
    *component_mut::<Actor>(world, who) = before;
    seen
}

/// AC-02, AC-13, AC-23: an attack has the OB that its share of the round leaves it,
/// less what is kept for parrying and what the way to it costs.
pub fn planned(world: &mut World, plan: &PlannedAttack, look: &mut dyn FnMut(&mut World)) {
    after_all(world, plan.who, plan.orders, |world| {
        component_mut::<Actor>(world, plan.who).moved += plan.feet;
        look(world);
    });
}

/// What a declaration comes to.
pub fn fact_of(In(choice): In<Choice>, ac: ActivityQuery) -> ActivityEvent {
    plan::fact(&ac, &choice)
}

/// It is a declaration; one of any number has its number.
fn declares(choice: &Choice) -> bool {
    declared::VERBS.contains(&choice.verb)
}

/// The number that a declaration begins with: attacks and looks in full, a
/// spell unhurried, a move just as long as it takes to strike after it, half
/// the OB for a parry.
pub fn first(In(choice): In<Choice>, ac: ActivityQuery) -> Option<i32> {
    let (who, most) = (choice.who?, choice.number?);
    let verb = choice.verb;
    let in_full = [&declared::MELEE, &declared::MISSILE, &declared::CHARGE];
    if in_full.contains(&verb) || verb == &declared::PERCEIVE || verb == &declared::HASTEN {
        Some(most)
    } else if verb == &declared::PARRY {
        Some((most_parry(&ac, who) + 1) / 2)
    } else if verb == &declared::MOVE {
        let melee = ac.tables().costs.melee.0;
        let feet = ac.feet_to_strike(who, most - melee);
        Some(feet.map_or(most, |feet| ac.percent_of(who, feet)))
    } else {
        None
    }
}
