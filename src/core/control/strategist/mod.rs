//! An opponent that looks ahead: it plays the battle on from each of a few
//! choices, many times, and takes the one from which its side does best.
//!
//! It looks at a [fork](Battle::fork_known) of what its side knows: what others
//! have said or declared under seal is redrawn there, who is hidden is not
//! there, and the dice are its own. So it can know no more than its side does.
//!
//! - this file: the opponent, and what it made of its last decision
//! - `candidates`: the choices that are worth a look
//! - `search`: which of them gets how many playouts
//! - `playout`: one of them played on, and what came of it

mod candidates;
mod playout;
mod search;

use super::{Controller, surrender::surrenders};
use crate::battle::{Battle, Choice, DiceBox, Replica, Ruleset, Setup, Side};
use bevy_ecs::world::World;
pub use candidates::{best_of_kinds, of as worth_a_look};
pub use playout::{Pool, play_rounds, play_to_the_end, to_the_end};
pub use search::{error, mean};
use std::sync::Arc;

/// How long it may think about one decision.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Battles played on at most, over all candidates.
    pub playouts: u32,
    /// On all cores of the pool of threads that it is called in.
    pub parallel: bool,
    /// Asked now and then: whether it is time to choose.
    pub enough: &'a (dyn Fn() -> bool + Sync),
}

/// What it makes of a decision.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What it weighed up, the best first.
    pub candidates: Vec<Candidate>,
}

/// A choice that was looked at.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub choice: Choice,
    /// How the side did on average: 1 won, 0 lost.
    pub value: f32,
    /// The standard error of that.
    pub error: f32,
    pub playouts: u32,
    /// What the quick AI would choose.
    pub is_quick: bool,
}

pub struct Strategist {
    known: Replica,
    playouts: u32,
    seed: u64,
    pool: Arc<Pool>,
    thought: Option<Thought>,
}

impl Strategist {
    /// Playouts for a decision, where nothing else is said.
    pub const PLAYOUTS: u32 = 192;

    pub fn new(
        setup: &Setup,
        rules: &'static Ruleset,
        side: Side,
        playouts: u32,
        seed: u64,
    ) -> Self {
        Self {
            known: Replica::new(setup, rules, Some(side)),
            playouts,
            seed,
            pool: Arc::default(),
            thought: None,
        }
    }

    /// What it made of its last decision; none when there was nothing to
    /// choose.
    pub fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// The open question, to be thought about wherever there is time.
    pub fn ponder(&mut self, battle: &mut Battle) -> Problem {
        self.thought = None;
        let pool = self.pool.clone();
        Problem::within(pool, battle, &mut self.known, self.playouts, self.seed)
    }

    /// The battles that it plays on in, when it does not think.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// What it answers, having thought.
    pub fn conclude(&mut self, battle: &mut Battle, mut thought: Thought) -> Choice {
        if let Some(surrender) = surrenders(battle, &mut self.known) {
            return surrender;
        }
        // What nobody knows of may be in the way.
        let mut candidates = thought.candidates.iter();
        let best = candidates.position(|one| battle.check(&one.choice).is_ok());
        let Some(best) = best else {
            return battle.quick_answer(Some(&mut self.known));
        };
        thought.candidates[..=best].rotate_right(1);
        let choice = thought.candidates[0].choice.clone();
        self.thought = (thought.candidates.len() > 1).then_some(thought);
        choice
    }
}

/// A question to think about, apart from the battle.
pub struct Problem {
    base: Battle,
    /// Looked at besides what looks best.
    also: Vec<Choice>,
    seed: u64,
    playouts: u32,
    pool: Arc<Pool>,
}

impl Problem {
    /// The open question, by what a side knows. `seed` is that of the side's
    /// seat: each decision has dice of its own, the same whenever it is thought
    /// about.
    pub fn of(battle: &Battle, known: &mut Replica, playouts: u32, seed: u64) -> Self {
        Self::within(Arc::default(), battle, known, playouts, seed)
    }

    fn within(
        pool: Arc<Pool>,
        battle: &Battle,
        known: &mut Replica,
        playouts: u32,
        seed: u64,
    ) -> Self {
        let seed = seed.wrapping_add((battle.answers().len() as u64 + 1) << 20);
        Self {
            base: pool.take_known(battle, known, DiceBox::seeded(seed)),
            also: vec![],
            seed,
            playouts,
            pool,
        }
    }

    /// Looks at this choice as well, if its side knows of nothing in its way.
    pub fn with(mut self, choice: Choice) -> Self {
        self.also.push(choice);
        self
    }

    /// The fork that it is thought about in.
    pub fn base(&mut self) -> &mut Battle {
        &mut self.base
    }

    /// Until it has had all its playouts, or it is enough. On all cores of the
    /// pool of threads that this is called in, or on one.
    pub fn think(mut self, parallel: bool, enough: &(dyn Fn() -> bool + Sync)) -> Thought {
        let budget = Budget {
            playouts: self.playouts,
            parallel,
            enough,
        };
        let mut candidates = candidates::of(&mut self.base);
        for choice in self.also {
            if !candidates.contains(&choice) && self.base.check(&choice).is_ok() {
                candidates.push(choice);
            }
        }
        let thought = weigh(&mut self.base, candidates, self.seed, budget, &self.pool);
        self.pool.give(self.base);
        thought
    }
}

/// What to make of the question that stands in a fork of what a side knows.
pub fn think(base: &mut Battle, seed: u64, budget: Budget, pool: &Pool) -> Thought {
    let candidates = candidates::of(base);
    weigh(base, candidates, seed, budget, pool)
}

fn weigh(
    base: &mut Battle,
    candidates: Vec<Choice>,
    seed: u64,
    budget: Budget,
    pool: &Pool,
) -> Thought {
    if candidates.len() < 2 {
        let only = |choice| Candidate {
            choice,
            value: 0.0,
            error: 0.0,
            playouts: 0,
            is_quick: true,
        };
        return Thought {
            candidates: candidates.into_iter().map(only).collect(),
        };
    }
    let side = base.asked().expect("a question stands").side;
    search::search(base, side, candidates, seed, budget, pool)
}

impl Controller for Strategist {
    fn restart(&mut self, pristine: &World, seed: u64) {
        self.known.restart(pristine);
        (self.seed, self.thought) = (seed, None);
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        if let Some(surrender) = surrenders(battle, &mut self.known) {
            self.thought = None;
            return surrender;
        }
        let thought = self.ponder(battle).think(false, &|| false);
        self.conclude(battle, thought)
    }

    fn looks_ahead(&mut self) -> Option<&mut Strategist> {
        Some(self)
    }
}
