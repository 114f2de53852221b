//! Memory of what has been worked out about a board.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Something worked out about a board, remembered for each state of its doors
/// and shared by all clones of the board.
#[derive(Debug)]
pub(super) struct Memo<T> {
    now: Arc<T>,
    /// By the bits of the open doors.
    known: Arc<Mutex<HashMap<Vec<u64>, Arc<T>>>>,
}

/// Nothing is remembered for bodies larger than this.
pub(super) const SIZES: usize = 4;
/// States of the doors to remember.
const STATES: usize = 16;

impl<T: Default> Memo<T> {
    /// What is known as the doors stand.
    pub fn get(&self) -> &T {
        &self.now
    }

    /// The same to keep: it is another one for another state of the doors.
    pub fn share(&self) -> Arc<T> {
        self.now.clone()
    }

    /// Turns to another state of the doors.
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

impl<T: Default> Default for Memo<T> {
    fn default() -> Self {
        Self {
            now: Arc::default(),
            known: Arc::default(),
        }
    }
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        Self {
            now: self.now.clone(),
            known: self.known.clone(),
        }
    }
}
