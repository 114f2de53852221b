//! One component of every combatant, by their numbers.

use super::{Id, Roster};
use bevy::ecs::{
    change_detection::Tick,
    component::Component,
    query::{FilteredAccessSet, QueryState},
    system::{Query, ReadOnlySystemParam, SystemMeta, SystemParam, SystemParamValidationError},
    world::{World, unsafe_world_cell::UnsafeWorldCell},
};
use std::marker::PhantomData;

/// Read access to a component of every combatant. All of them have the same
/// components and were made in the order of their numbers, so they lie in one
/// table, row by row ([`lie_in_order`]): a number is all it takes to find one,
/// at a tenth of what a query takes to look up an entity.
pub struct Each<'w, 's, T> {
    all: &'w [T],
    /// It is read by a query, whose state it borrows.
    state: PhantomData<&'s T>,
}

impl<'w, T> Each<'w, '_, T> {
    /// # Panics
    /// When there is no such combatant.
    pub fn of(&self, id: Id) -> &'w T {
        &self.all[id.index()]
    }
}

// SAFETY: all is handed on to the query for the same component, which tells
// what it reads; nothing is taken from the world but by that query.
unsafe impl<T: Component> SystemParam for Each<'_, '_, T> {
    type State = QueryState<&'static T>;
    type Item<'w, 's> = Each<'w, 's, T>;

    fn init_state(world: &mut World) -> Self::State {
        Query::<&'static T>::init_state(world)
    }

    fn init_access(
        state: &Self::State,
        meta: &mut SystemMeta,
        accesses: &mut FilteredAccessSet,
        world: &mut World,
    ) {
        Query::<&'static T>::init_access(state, meta, accesses, world);
    }

    unsafe fn get_param<'w, 's>(
        state: &'s mut Self::State,
        meta: &SystemMeta,
        world: UnsafeWorldCell<'w>,
        now: Tick,
    ) -> Result<Self::Item<'w, 's>, SystemParamValidationError> {
        // SAFETY: the caller promises what the query wants to be promised.
        let query = unsafe { Query::<&'static T>::get_param(state, meta, world, now)? };
        let mut tables = query.contiguous_iter_inner().into_iter().flatten();
        Ok(Each {
            all: tables.find(|all| !all.is_empty()).unwrap_or_default(),
            state: PhantomData,
        })
    }
}

// SAFETY: the query reads only.
unsafe impl<T: Component> ReadOnlySystemParam for Each<'_, '_, T> {}

/// Whether the combatants of a world lie in one table in the order of their
/// numbers. Whatever a ruleset keeps of them it puts in when it is installed.
pub fn lie_in_order(world: &World) -> bool {
    let who = &world.resource::<Roster>().who;
    let place = |n: usize| {
        let at = world.entity(who[n]).location();
        (at.table_id, at.table_row.index())
    };
    (0..who.len()).all(|n| place(n) == (place(0).0, n))
}
