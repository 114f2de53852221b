//! An AI that looks ahead thinks on a thread of its own, while the board still
//! plays what was done last.

use crate::control::strategist::{Problem, Thought};
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on, poll_once};
use std::time::{Duration, Instant};

/// How long it thinks about one decision at most.
const TIME: Duration = Duration::from_millis(250);

/// A question that an AI thinks about. When it is dropped, nobody hears of what
/// comes of it.
pub struct Thinking(Task<Thought>);

impl Thinking {
    pub fn of(problem: Problem) -> Self {
        // Where there are few cores, the board needs one of them.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let think = async move {
            let began = Instant::now();
            problem.think(cores > 2, &|| began.elapsed() >= TIME)
        };
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        Self(pool.spawn(think))
    }

    /// What it has come to; none: it still thinks, and nobody `waits`.
    pub fn done(&mut self, waits: bool) -> Option<Thought> {
        match waits {
            true => Some(block_on(&mut self.0)),
            false => block_on(poll_once(&mut self.0)),
        }
    }
}
