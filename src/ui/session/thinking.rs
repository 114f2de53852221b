//! Background computations, which run while the board is still animating.

use crate::battle::Side;
use bevy::{
    ecs::resource::Resource,
    tasks::{Task, TaskPool, TaskPoolBuilder, block_on, poll_once},
};
use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use thread_priority::{ThreadPriority, set_current_thread_priority};

/// Separate threads: drawing the map uses the game's own pool and must not wait. Drawing has
/// priority on few cores.
static POOL: LazyLock<TaskPool> = LazyLock::new(|| {
    threads("thinking")
        .on_thread_spawn(|| {
            // It works just as well without permission to lower the priority.
            let _ = set_current_thread_priority(low());
        })
        .build()
});
/// A pool for short computations, which must not wait for long ones.
static SOON: LazyLock<TaskPool> = LazyLock::new(|| threads("foreseeing").build());

fn threads(name: &str) -> TaskPoolBuilder {
    let threads = TaskPoolBuilder::new().num_threads(2);
    threads.thread_name(name.to_owned())
}

/// Below the default, which is 50 of 99; a niceness of 9 on Linux.
fn low() -> ThreadPriority {
    const LOW: u8 = 25;
    ThreadPriority::Crossplatform(LOW.try_into().expect("it is less than 100"))
}

/// Whether a computation may use several threads: on few cores, drawing needs one of them.
pub fn has_many_cores() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 2)
}

/// How long a frame waits for a [`Thinking::soon`]. Zero in the game, where results appear a frame
/// or more later. Tests wait.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct FrameWait(pub Duration);

/// How long an AI has thought since another side decided something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThinkingTime {
    side: Option<Side>,
    spent: Duration,
}

impl ThinkingTime {
    /// Limit for one decision.
    pub const DECISION: Duration = Duration::from_millis(250);
    /// Limit for all decisions of a side in a row.
    pub const TURN: Duration = Duration::from_millis(500);

    /// Thinking time for the side's next decision: what is left is shared among the units that can
    /// still act.
    pub fn allows(self, side: Side, actors: usize) -> Duration {
        let spent = match self.side == Some(side) {
            true => self.spent,
            false => Duration::ZERO,
        };
        let left = Self::TURN.saturating_sub(spent);
        (left / actors.max(1) as u32).min(Self::DECISION)
    }

    /// Records a decision of a side and its thinking time.
    pub fn decided(&mut self, side: Side, thought: Duration) {
        if self.side != Some(side) {
            (self.side, self.spent) = (Some(side), Duration::ZERO);
        }
        self.spent += thought;
    }
}

/// A background computation. Dropping it stops it and discards its result.
pub struct Thinking<T> {
    task: Task<T>,
    is_dropped: Arc<AtomicBool>,
}

impl<T: Send + 'static> Thinking<T> {
    /// Starts a long computation. `think` gets a function that returns true once the result is no
    /// longer needed.
    pub fn of(think: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send + 'static) -> Self {
        Self::on(&POOL, think)
    }

    /// Starts a short computation, which does not wait for long ones.
    pub fn soon(think: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send + 'static) -> Self {
        Self::on(&SOON, think)
    }

    fn on(
        pool: &TaskPool,
        think: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send + 'static,
    ) -> Self {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let dropped = is_dropped.clone();
        let think = async move { think(&|| dropped.load(Ordering::Relaxed)) };
        Self {
            task: pool.spawn(think),
            is_dropped,
        }
    }

    /// The result; `None` if it is not ready, unless `waits`.
    pub fn done(&mut self, waits: bool) -> Option<T> {
        match waits {
            true => Some(block_on(&mut self.task)),
            false => block_on(poll_once(&mut self.task)),
        }
    }

    /// The result, waiting at most `limit`; `None` if it is not ready by then.
    pub fn done_within(&mut self, limit: Duration) -> Option<T> {
        let began = Instant::now();
        loop {
            let found = self.done(false);
            if found.is_some() || began.elapsed() >= limit {
                return found;
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// Seconds for which the input must stay unchanged before a computation starts, because it takes a
/// core.
const PAUSE: f32 = 0.08;

/// Computes a result once for an input, as soon as the input stays unchanged for a while.
pub struct Pondering<Asked, T> {
    asked: Option<Asked>,
    rests: f32,
    thinks: Option<Thinking<T>>,
    is_done: bool,
}

impl<Asked, T> Default for Pondering<Asked, T> {
    fn default() -> Self {
        Self {
            asked: None,
            rests: 0.0,
            thinks: None,
            is_done: false,
        }
    }
}

impl<Asked: PartialEq, T: Send + 'static> Pondering<Asked, T> {
    /// The result, once it is known; returned only once. `passed` is the seconds since the last
    /// call. A changed input stops the computation.
    pub fn of(
        &mut self,
        asked: Option<Asked>,
        passed: f32,
        begin: impl FnOnce() -> Option<Thinking<T>>,
    ) -> Option<T> {
        if self.asked != asked {
            *self = Self {
                asked,
                ..Self::default()
            };
        }
        if self.asked.is_none() || self.is_done {
            return None;
        }
        self.rests += passed;
        if self.thinks.is_none() && self.rests >= PAUSE {
            self.thinks = begin();
            self.is_done = self.thinks.is_none();
        }
        let found = self.thinks.as_mut()?.done(false);
        self.is_done = found.is_some();
        found
    }
}

impl<T> Drop for Thinking<T> {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }
}
