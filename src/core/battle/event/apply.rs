//! How events change a world.

use super::{Event, EventTable};
use crate::{
    battle::{
        Body, Ground, Id, Inventory, Item, ItemPlace, Progress, all_units, all_units_mut,
        of_unit_mut,
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
    if event.what.is_progress() {
        world.resource_mut::<Progress>().is_moving = true;
    }
    event.what.apply(world);
}

pub(super) fn body<'w>(world: &'w mut World, who: &Id) -> &'w mut Body {
    of_unit_mut::<Body>(world, *who)
}

/// Moves a unit by one step.
pub(super) fn step(world: &mut World, who: Id, to: Cell) {
    let bodies = all_units_mut::<Body>(world);
    assert!(bodies[who.index()].is_up(), "{who:?} moves while down");
    assert!(
        is_free(bodies, who, to, true),
        "{who:?} moves onto an enemy at {to}"
    );
    bodies[who.index()].at = to;
}

/// Puts a unit that was not on the board onto a free cell. `how` it comes, for the panic message.
pub(super) fn place(world: &mut World, who: Id, at: Cell, how: &str) {
    assert!(
        is_free(all_units(world), who, at, false),
        "{who:?} {how} under another unit at {at}"
    );
    body(world, &who).at = at;
}

/// An item leaves a unit and lies on the ground.
pub(super) fn let_fall(world: &mut World, who: Id, item: Item, from: ItemPlace, at: Cell) {
    of_unit_mut::<Inventory>(world, who).lose(who, item, from);
    world.resource_mut::<Ground>().0.push((at, item));
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
