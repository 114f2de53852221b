//! One component of every combatant, by their numbers.

use super::{Id, Roster};
use bevy_ecs::{
    change_detection::Tick,
    component::{Component, ComponentId, Mutable},
    query::{FilteredAccessSet, QueryState},
    storage::{Table, TableId},
    system::{Query, ReadOnlySystemParam, SystemMeta, SystemParam, SystemParamValidationError},
    world::{World, unsafe_world_cell::UnsafeWorldCell},
};
use std::{cell::UnsafeCell, marker::PhantomData};

/// Read access to a component of every combatant. All of them have the same
/// components and were made in the order of their numbers, so they lie in one
/// table, row by row (`lie_in_order`): a number is all it takes to find one,
/// at a tenth of what a query takes to look up an entity.
pub struct Each<'w, 's, T> {
    all: &'w [T],
    state: PhantomData<&'s T>,
}

impl<'w, T> Each<'w, '_, T> {
    /// # Panics
    /// When there is no such combatant.
    #[inline]
    pub fn of(&self, id: Id) -> &'w T {
        &self.all[id.index()]
    }
}

/// Where the column is that an [`Each`] reads.
pub struct Column<T: Component> {
    /// It tells what is read.
    query: QueryState<&'static T>,
    component: ComponentId,
    /// The table that the combatants lay in when it was last looked.
    table: Option<TableId>,
}

impl<T: Component> Column<T> {
    /// # Safety
    /// Nothing may write the component as long as what is returned lives.
    unsafe fn read<'w>(&mut self, world: UnsafeWorldCell<'w>) -> &'w [T] {
        // SAFETY: nothing but the column is looked at, which may be read.
        let tables = unsafe { &world.storages().tables };
        let holds = |table: &Table| !table.is_empty() && table.has_column(self.component);
        let known = self.table.and_then(|id| tables.get(id));
        let Some(table) = known.filter(|table| holds(table)) else {
            // A component more moves all of them to another table.
            let mut ids = (0..tables.len()).map(TableId::from_usize);
            let found = ids.find(|&id| tables.get(id).is_some_and(holds));
            self.table = found;
            return match found {
                // SAFETY: as promised to this call.
                Some(_) => unsafe { self.read(world) },
                None => &[],
            };
        };
        // SAFETY: the column holds this component, and nothing writes it.
        unsafe {
            let cells = table.get_data_slice_for::<T>(self.component);
            let cells: &'w [UnsafeCell<T>] = cells.unwrap_or_default();
            &*(std::ptr::from_ref(cells) as *const [T])
        }
    }
}

// SAFETY: what is read is told by the query for the same component.
unsafe impl<T: Component> SystemParam for Each<'_, '_, T> {
    type State = Column<T>;
    type Item<'w, 's> = Each<'w, 's, T>;

    fn init_state(world: &mut World) -> Self::State {
        Column {
            query: Query::<&'static T>::init_state(world),
            component: world.register_component::<T>(),
            table: None,
        }
    }

    fn init_access(
        state: &Self::State,
        meta: &mut SystemMeta,
        accesses: &mut FilteredAccessSet,
        world: &mut World,
    ) {
        Query::<&'static T>::init_access(&state.query, meta, accesses, world);
    }

    unsafe fn get_param<'w, 's>(
        state: &'s mut Self::State,
        _: &SystemMeta,
        world: UnsafeWorldCell<'w>,
        _: Tick,
    ) -> Result<Self::Item<'w, 's>, SystemParamValidationError> {
        Ok(Each {
            // SAFETY: the caller promises that what was told may be read.
            all: unsafe { state.read(world) },
            state: PhantomData,
        })
    }
}

// SAFETY: it reads only.
unsafe impl<T: Component> ReadOnlySystemParam for Each<'_, '_, T> {}

/// A component of every combatant by their numbers, from a bare world.
///
/// # Panics
/// When a combatant lacks it.
pub fn everybody<T: Component>(world: &World) -> &[T] {
    let cells = column::<T>(world);
    // SAFETY: nothing writes the column while the world is borrowed.
    unsafe { &*(std::ptr::from_ref(cells) as *const [T]) }
}

/// The same to write, for `apply` only. It does not show as a change in bevy's
/// sense, which nobody asks for.
pub fn everybody_mut<T: Component<Mutability = Mutable>>(world: &mut World) -> &mut [T] {
    let cells = std::ptr::from_ref(column::<T>(world));
    // SAFETY: nothing else reads or writes the column while the world is borrowed,
    // and what lies in an `UnsafeCell` may be written.
    unsafe { std::slice::from_raw_parts_mut(UnsafeCell::raw_get(cells.cast()), cells.len()) }
}

fn column<T: Component>(world: &World) -> &[UnsafeCell<T>] {
    let who = &world.resource::<Roster>().who;
    let Some(&first) = who.first() else {
        return &[];
    };
    let table = world.entity(first).location().table_id;
    let table = world.storages().tables.get(table);
    let component = world.component_id::<T>();
    // SAFETY: the column holds this component.
    let cells = table
        .zip(component)
        .and_then(|(table, component)| unsafe { table.get_data_slice_for::<T>(component) });
    cells.expect("every combatant has it")
}

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
