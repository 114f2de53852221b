//! What takes long is thought about on a thread of its own, while the board
//! still plays what was done last.

use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on, poll_once};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Something that is thought about. When this is dropped, the thinking stops,
/// and nobody hears of what came of it.
pub struct Thinking<T> {
    task: Task<T>,
    is_dropped: Arc<AtomicBool>,
}

impl<T: Send + 'static> Thinking<T> {
    /// `think` is given what says whether it is enough: nobody waits for it any
    /// more.
    pub fn of(think: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send + 'static) -> Self {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let dropped = is_dropped.clone();
        let think = async move { think(&|| dropped.load(Ordering::Relaxed)) };
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        Self {
            task: pool.spawn(think),
            is_dropped,
        }
    }

    /// What it has come to; none: it still thinks, and nobody `waits`.
    pub fn done(&mut self, waits: bool) -> Option<T> {
        match waits {
            true => Some(block_on(&mut self.task)),
            false => block_on(poll_once(&mut self.task)),
        }
    }
}

impl<T> Drop for Thinking<T> {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }
}
