//! Fast access to one component of all units, by id.

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

/// Read access to a component of all units. All units have the same components and were spawned
/// in id order, so they are the rows of one table (`lie_in_order`), and the id is the index. This
/// takes a tenth of the time of looking up an entity by query.
pub struct Each<'w, 's, T> {
    all: &'w [T],
    state: PhantomData<&'s T>,
}

impl<'w, T> Each<'w, '_, T> {
    /// # Panics
    /// If there is no such unit.
    #[inline]
    pub fn of(&self, id: Id) -> &'w T {
        &self.all[id.index()]
    }
}

/// Where to find the column that an [`Each`] reads.
pub struct Column<T: Component> {
    /// Declares the access.
    query: QueryState<&'static T>,
    component: ComponentId,
    /// The table in which the units were last found.
    table: Option<TableId>,
}

impl<T: Component> Column<T> {
    /// # Safety
    /// Nothing may write the component while the returned slice is alive.
    unsafe fn read<'w>(&mut self, world: UnsafeWorldCell<'w>) -> &'w [T] {
        // SAFETY: only the column is read, which the caller allows.
        let tables = unsafe { &world.storages().tables };
        let holds = |table: &Table| !table.is_empty() && table.has_column(self.component);
        let known = self.table.and_then(|id| tables.get(id));
        let Some(table) = known.filter(|table| holds(table)) else {
            // Adding a component moves all units to another table.
            let mut ids = (0..tables.len()).map(TableId::from_usize);
            let found = ids.find(|&id| tables.get(id).is_some_and(holds));
            self.table = found;
            return match found {
                // SAFETY: the caller of this function gives the same guarantee.
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

// SAFETY: the query declares read access to the same component.
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
            // SAFETY: the caller guarantees the access that was declared.
            all: unsafe { state.read(world) },
            state: PhantomData,
        })
    }
}

// SAFETY: it only reads.
unsafe impl<T: Component> ReadOnlySystemParam for Each<'_, '_, T> {}

/// A component of all units, by id, from a bare world.
///
/// # Panics
/// If a unit does not have the component.
pub fn all_units<T: Component>(world: &World) -> &[T] {
    let cells = column::<T>(world);
    // SAFETY: nothing writes the column while the world is borrowed.
    unsafe { &*(std::ptr::from_ref(cells) as *const [T]) }
}

/// Write access to a component of all units, by id, for `apply` only. Bevy's change detection
/// does not see these writes; nothing uses it here.
pub fn all_units_mut<T: Component<Mutability = Mutable>>(world: &mut World) -> &mut [T] {
    let cells = std::ptr::from_ref(column::<T>(world));
    // SAFETY: the world is borrowed mutably, so this is the only access to the column, and the
    // data of an `UnsafeCell` can be written.
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

/// Whether the units of a world are the rows of one table, in id order. Rulesets must therefore
/// add their components to all units when they are installed.
pub fn lie_in_order(world: &World) -> bool {
    let who = &world.resource::<Roster>().who;
    let place = |n: usize| {
        let at = world.entity(who[n]).location();
        (at.table_id, at.table_row.index())
    };
    (0..who.len()).all(|n| place(n) == (place(0).0, n))
}
