//! A cache of values derived from a board.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// A value derived from a board, cached for each state of its doors and shared by all clones of
/// the board.
#[derive(Debug)]
pub(super) struct DoorCache<T> {
    now: Arc<T>,
    /// The cached values, by the bits of the open doors.
    known: Arc<Mutex<HashMap<Vec<u64>, Arc<T>>>>,
}

/// Bodies larger than this are not cached.
pub(super) const SIZES: usize = 4;
/// The maximum number of door states in the cache.
const STATES: usize = 16;

impl<T: Default> DoorCache<T> {
    /// The value for the current state of the doors.
    pub fn get(&self) -> &T {
        &self.now
    }

    /// A handle to the value for the current state of the doors. It differs between states.
    pub fn handle(&self) -> Arc<T> {
        self.now.clone()
    }

    /// Switches to another state of the doors.
    pub fn turn(&mut self, from: &[u64], to: &[u64]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= STATES {
            known.clear();
        }
        known
            .entry(from.to_vec())
            .or_insert_with(|| self.now.clone());
        self.now = known.entry(to.to_vec()).or_default().clone();
    }
}

impl<T: Default> Default for DoorCache<T> {
    fn default() -> Self {
        Self {
            now: Arc::default(),
            known: Arc::default(),
        }
    }
}

impl<T> Clone for DoorCache<T> {
    fn clone(&self) -> Self {
        Self {
            now: self.now.clone(),
            known: self.known.clone(),
        }
    }
}
