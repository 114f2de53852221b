//! The state of all combatants, one value of a type for each, by id.

use super::{Body, Id, Side};
use bevy_ecs::{change_detection::Res, resource::Resource, world::World};

/// A value for each combatant, in id order. Rulesets insert one for each part of a combatant's
/// state when they are installed. A list by id takes a tenth of the time of components that are
/// looked up by entity, and is copied to a fork as a whole.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct PerCombatant<T: Send + Sync + 'static>(Vec<T>);

/// Read access to one part of the state of all combatants.
pub type Each<'w, T> = Res<'w, PerCombatant<T>>;

impl<T: Send + Sync + 'static> FromIterator<T> for PerCombatant<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl<T: Send + Sync + 'static> PerCombatant<T> {
    /// # Panics
    /// If there is no such combatant.
    #[inline]
    pub fn of(&self, id: Id) -> &T {
        &self.0[id.index()]
    }
}

/// One part of the state of all combatants, by id, from a bare world.
///
/// # Panics
/// If the world has no such state.
pub fn all_units<T: Send + Sync + 'static>(world: &World) -> &[T] {
    &world.resource::<PerCombatant<T>>().0
}

/// Write access to one part of the state of all combatants, for `apply` only.
///
/// # Panics
/// If the world has no such state.
pub fn all_units_mut<T: Send + Sync + 'static>(world: &mut World) -> &mut [T] {
    &mut world.resource_mut::<PerCombatant<T>>().into_inner().0
}

/// One part of a combatant's state, from a bare world, for probes and tools.
///
/// # Panics
/// If the world has no such state or no such combatant.
pub fn of_unit<T: Send + Sync + 'static>(world: &World, id: Id) -> &T {
    &all_units(world)[id.index()]
}

/// Write access to one part of a combatant's state, for `apply` only.
///
/// # Panics
/// If the world has no such state or no such combatant.
pub fn of_unit_mut<T: Send + Sync + 'static>(world: &mut World, id: Id) -> &mut T {
    &mut all_units_mut(world)[id.index()]
}

/// Copies one part of the state of all combatants to another world of the same setup.
pub fn copy_all_units<T: Send + Sync + Clone + 'static>(from: &World, to: &mut World) {
    all_units_mut::<T>(to).clone_from_slice(all_units(from));
}

/// All combatants of a side, in id order, from a bare world.
pub fn members(world: &World, side: Side) -> Vec<Id> {
    let all = all_units::<Body>(world).iter().enumerate();
    let own = all.filter(|(_, body)| body.side == side);
    own.map(|(n, _)| Id(n as u16)).collect()
}
