//! How each event changes a world.

use super::{Event, EventKind};
use crate::{
    battle::{
        Body, Conditions, Ground, Id, Inventory, Map, PendingAttacks, Place, Progress, State,
        all_units, all_units_mut, of_unit_mut,
    },
    grid::{Cell, Space},
};
use bevy_ecs::world::World;

/// Changes a world by one event.
///
/// # Panics
/// If the event contradicts the world (a unit moves onto an enemy, or falls while it is down): a
/// step emitted an event without checking it.
pub fn apply(world: &mut World, event: &Event) {
    fn body<'w>(world: &'w mut World, id: &Id) -> &'w mut Body {
        of_unit_mut::<Body>(world, *id)
    }
    if event.what.is_progress() {
        world.resource_mut::<Progress>().is_moving = true;
    }
    match &event.what {
        EventKind::Moved { who, to, .. } => {
            let bodies = all_units_mut::<Body>(world);
            assert!(bodies[who.index()].is_up(), "{who:?} moves while down");
            assert!(
                is_free(bodies, *who, *to, true),
                "{who:?} moves onto an enemy at {to}"
            );
            bodies[who.index()].at = *to;
        }
        EventKind::AttackRolled { shot } => {
            world.resource_mut::<PendingAttacks>().launch(shot.clone());
            world.resource_mut::<Progress>().is_contested = true;
        }
        EventKind::Rerolled { serial, roll, .. } => {
            world.resource_mut::<PendingAttacks>().reroll(*serial, roll);
        }
        EventKind::AttackSettled { serial, .. } => {
            world.resource_mut::<PendingAttacks>().land(*serial)
        }
        EventKind::Damaged { who, points, .. } => body(world, who).hp -= points,
        EventKind::Healed { who, points } => {
            let b = body(world, who);
            b.hp = (b.hp + points).min(b.max_hp);
        }
        EventKind::ConditionBegan { who, lasting, .. } => {
            of_unit_mut::<Conditions>(world, *who).begin(lasting);
        }
        EventKind::ConditionEnded { who, lasting } => {
            of_unit_mut::<Conditions>(world, *who).end(lasting);
        }
        EventKind::Fell { who } => {
            let b = body(world, who);
            assert!(b.is_up(), "{who:?} falls while down");
            b.state = State::Down;
        }
        EventKind::Revived { who, at, hp } => {
            assert!(
                is_free(all_units(world), *who, *at, false),
                "{who:?} comes to under somebody at {at}"
            );
            let b = body(world, who);
            assert!(b.state == State::Down, "{who:?} comes to without a fall");
            (b.state, b.at, b.hp, b.prone) = (State::Up, *at, *hp, true);
        }
        EventKind::Died { who } => body(world, who).state = State::Dead,
        EventKind::Prone { who, prone } => body(world, who).prone = *prone,
        EventKind::Shifted {
            who,
            item,
            from,
            to,
        } => of_unit_mut::<Inventory>(world, *who).shift(*who, *item, *from, *to),
        EventKind::Dropped {
            who,
            item,
            from,
            at,
        }
        | EventKind::Landed {
            who,
            item,
            from,
            at,
        } => {
            of_unit_mut::<Inventory>(world, *who).lose(*who, *item, *from);
            world.resource_mut::<Ground>().0.push((*at, *item));
        }
        EventKind::PickedUp { who, item, at } => {
            let mut ground = world.resource_mut::<Ground>();
            let lies = ground.0.iter().position(|thing| *thing == (*at, *item));
            ground.0.remove(lies.expect("it lies there"));
            let gear = of_unit_mut::<Inventory>(world, *who);
            gear.items.insert(0, (*item, Place::Hand));
        }
        EventKind::ShieldDropped { who } => of_unit_mut::<Inventory>(world, *who).shield = false,
        EventKind::DoorMoved { cell, open, .. } => {
            world.resource_mut::<Map>().0.set_door(*cell, *open);
        }
        EventKind::Entered { who, at } => {
            assert!(
                is_free(all_units(world), *who, *at, false),
                "{who:?} enters onto somebody at {at}"
            );
            let b = body(world, who);
            (b.state, b.at) = (State::Up, *at);
        }
        EventKind::Fled { who } => body(world, who).state = State::Fled,
        EventKind::Flees { who } => body(world, who).flees = true,
        EventKind::FightsOn { who } | EventKind::Rallied { who } => body(world, who).flees = false,
        EventKind::WillReturn { who, round } => {
            let b = body(world, who);
            (b.state, b.returns) = (State::Waiting, Some(*round));
        }
        EventKind::Shaken { side, shaken } => {
            world.resource_mut::<Progress>().shaken[side.index()] = *shaken;
        }
        EventKind::Reached { objective, who, .. } => {
            world.resource_mut::<Progress>().reached[*objective] |= who;
        }
        EventKind::Held {
            objective, rounds, ..
        } => {
            world.resource_mut::<Progress>().held[*objective] = *rounds;
        }
        EventKind::ObjectiveLost { objective, .. } => {
            world.resource_mut::<Progress>().lost[*objective] = true;
        }
        EventKind::Idle {
            rounds, nearest, ..
        } => {
            let mut progress = world.resource_mut::<Progress>();
            (progress.idle, progress.nearest) = (*rounds, nearest.clone());
        }
        EventKind::Surrendered { side } => {
            world.resource_mut::<Progress>().surrendering |= 1 << side.0;
        }
        EventKind::RoundEnded => world.resource_mut::<Progress>().end_round(),
        EventKind::Ruleset(own) => own.apply(world),
        EventKind::RoundBegan { .. }
        | EventKind::Handicap { .. }
        | EventKind::TurnBegan { .. }
        | EventKind::Acted { .. }
        | EventKind::Caught { .. }
        | EventKind::Stopped { .. }
        | EventKind::Stuck { .. }
        | EventKind::BrokenOff { .. }
        | EventKind::Checked(_) => {}
        // Attacks that are still pending no longer matter.
        EventKind::Over { .. } => world.resource_mut::<PendingAttacks>().clear(),
    }
}

/// Whether no other unit is in the way of `who` at `to`. On its way through, a unit can pass its
/// allies (GR-03).
fn is_free(all: &[Body], who: Id, to: Cell, past_allies: bool) -> bool {
    let mine = &all[who.index()];
    let space = Space::new(to, mine.size);
    let clash =
        |b: &Body| b.is_up() && b.space().overlaps(space) && !(past_allies && b.side == mine.side);
    let mut others = all.iter().enumerate().filter(|(n, _)| *n != who.index());
    !others.any(|(_, other)| clash(other))
}
