//! What takes long is thought about on a thread of its own, while the board
//! still plays what was done last.

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

/// Threads of its own: the map is drawn on those of the game, and must not wait. Where
/// there are few cores, what is drawn goes first.
static POOL: LazyLock<TaskPool> = LazyLock::new(|| {
    threads("thinking")
        .on_thread_spawn(|| {
            // It thinks on just the same where that is not allowed.
            let _ = set_current_thread_priority(low());
        })
        .build()
});
/// What takes less than the blink of an eye need not wait for what takes longer.
static SOON: LazyLock<TaskPool> = LazyLock::new(|| threads("foreseeing").build());

fn threads(name: &str) -> TaskPoolBuilder {
    TaskPoolBuilder::new()
        .num_threads(2)
        .thread_name(name.to_owned())
}

/// Below the usual, which is 50 of 99: on Linux a niceness of 9.
fn low() -> ThreadPriority {
    const LOW: u8 = 25;
    ThreadPriority::Crossplatform(LOW.try_into().expect("it is less than 100"))
}

/// How long a frame waits for what [`Thinking::soon`] finds out: in the game not at all, and
/// that is shown in the next frame, or in a large battle some frames later. Tests wait.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct FrameWait(pub Duration);

/// How long an AI has thought since another side decided something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Patience {
    side: Option<Side>,
    spent: Duration,
}

impl Patience {
    /// At most for one decision.
    pub const DECISION: Duration = Duration::from_millis(250);
    /// At most for all decisions of a side in a row.
    pub const TURN: Duration = Duration::from_millis(500);

    /// How long a side may think about its next decision: what is left is divided
    /// among those who may still act.
    pub fn allows(self, side: Side, actors: usize) -> Duration {
        let spent = match self.side == Some(side) {
            true => self.spent,
            false => Duration::ZERO,
        };
        let left = Self::TURN.saturating_sub(spent);
        (left / actors.max(1) as u32).min(Self::DECISION)
    }

    /// A side has decided, having thought for so long.
    pub fn decided(&mut self, side: Side, thought: Duration) {
        if self.side != Some(side) {
            (self.side, self.spent) = (Some(side), Duration::ZERO);
        }
        self.spent += thought;
    }
}

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
        Self::on(&POOL, think)
    }

    /// The same for what is known in a moment: it does not wait for anything else.
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

    /// What it has come to; none: it still thinks, and nobody `waits`.
    pub fn done(&mut self, waits: bool) -> Option<T> {
        match waits {
            true => Some(block_on(&mut self.task)),
            false => block_on(poll_once(&mut self.task)),
        }
    }

    /// The same, waiting no longer than so.
    pub fn done_within(&mut self, patience: Duration) -> Option<T> {
        let began = Instant::now();
        loop {
            let found = self.done(false);
            if found.is_some() || began.elapsed() >= patience {
                return found;
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// How long what is asked stays the same before that is thought about, in seconds: it
/// takes a core.
const PAUSE: f32 = 0.12;

/// Thinks about what is asked as soon as that has stayed the same for a while, once.
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
    /// What came of it, once that is known; some seconds have passed since this was
    /// last called. Where nothing or something else is asked now, the thinking stops.
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
