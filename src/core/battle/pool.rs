//! Worlds that are used again. Overwriting the state of a world costs a hundredth of building one
//! with its systems, and its caches stay.

use bevy_ecs::world::World;
use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
};

/// Worlds of one setup and ruleset that nobody uses, shared by a battle and its forks.
#[derive(Clone, Default)]
pub(super) struct WorldPool(Arc<Mutex<Vec<World>>>);

impl WorldPool {
    /// A world in any state; a new one if none is free.
    pub fn take(&self, new: impl FnOnce() -> World) -> PooledWorld {
        // The lock is released before a world is built.
        let free = self.lock().pop();
        PooledWorld {
            world: Some(free.unwrap_or_else(new)),
            pool: self.clone(),
        }
    }

    /// The number of worlds that nobody uses.
    pub fn free(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<World>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A world that goes back to its pool when it is dropped.
pub struct PooledWorld {
    /// `None` only while it is dropped.
    world: Option<World>,
    pool: WorldPool,
}

impl PooledWorld {
    pub(super) fn pool(&self) -> &WorldPool {
        &self.pool
    }
}

impl Deref for PooledWorld {
    type Target = World;

    fn deref(&self) -> &World {
        self.world.as_ref().expect("it is not dropped")
    }
}

impl DerefMut for PooledWorld {
    fn deref_mut(&mut self) -> &mut World {
        self.world.as_mut().expect("it is not dropped")
    }
}

impl Drop for PooledWorld {
    fn drop(&mut self) {
        let world = self.world.take();
        self.pool.lock().extend(world);
    }
}
