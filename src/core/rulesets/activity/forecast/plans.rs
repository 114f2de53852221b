//! The world as if something were declared.

use crate::battle::{Choice, EventTable, Id, PlannedAttack, of_unit, of_unit_mut};
use crate::rulesets::activity::{
    Activity, declared,
    plan::{self, most_parry},
    query::ActivityQuery,
    state::Actor,
};
use crate::rulesets::common::ask;
use bevy_ecs::{system::In, world::World};

/// Runs `read` on the world as if the choice were declared, then restores the world. `None` if
/// the choice is not a declaration.
pub fn supposing<T>(
    world: &mut World,
    choice: &Choice,
    read: impl FnOnce(&mut World) -> T,
) -> Option<T> {
    let who = choice.who.filter(|_| declares(choice))?;
    Some(after_all(world, who, std::slice::from_ref(choice), read))
}

/// Runs `read` as if several declarations of a unit were made in this order, then restores the
/// world.
fn after_all<T>(
    world: &mut World,
    who: Id,
    orders: &[Choice],
    read: impl FnOnce(&mut World) -> T,
) -> T {
    let before = of_unit::<Actor>(world, who).clone();
    for order in orders.iter().filter(|order| declares(order)) {
        let fact = ask::<Activity, _, _>(world, |ac, order| plan::fact(ac, &order), order.clone());
        fact.apply(world);
    }
    let seen = read(world);
    *of_unit_mut::<Actor>(world, who) = before;
    seen
}

/// Runs `read` with the OB that the plan leaves an attack: reduced by its share of the round,
/// the OB kept for parrying and the feet moved before it (AC-02, AC-13, AC-23).
pub fn planned(world: &mut World, plan: &PlannedAttack, read: &mut dyn FnMut(&mut World)) {
    after_all(world, plan.who, plan.orders, |world| {
        of_unit_mut::<Actor>(world, plan.who).moved += plan.feet;
        read(world);
    });
}

fn declares(choice: &Choice) -> bool {
    declared::VERBS.contains(&choice.verb)
}

/// The default number of a declaration: attacks and perception get their full share, spells
/// their full time, a move only the feet needed to reach an attack position, a parry half of
/// the possible OB.
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
