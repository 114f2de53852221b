//! The strategist: an AI that simulates a few choices many times, and takes the one with the
//! best results for its side.
//!
//! It simulates on a [fork](Battle::fork_known) of what its side knows: secret choices and
//! declarations of others are replaced by guesses, hidden units are absent, and the dice are
//! its own. So it never knows more than its side does.
//!
//! - this file: the AI, and how it rated its last decision
//! - `candidates`: the choices worth simulating
//! - `search`: how playouts are divided among them
//! - `playout`: one choice played on, and its result

mod candidates;
mod playout;
mod search;

use super::{Controller, surrender::surrenders};
use crate::battle::{Battle, Choice, DiceBox, Replica, Ruleset, Setup, Side};
use bevy_ecs::world::World;
pub use candidates::{best_of_kinds, promising_choices, varied_choices};
pub use playout::{play_rounds, play_to_the_end, quick_result};
pub use search::{error, mean, rate};

/// How long the strategist may think about one decision.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The most playouts, over all candidates.
    pub playouts: u32,
    /// Whether to use all cores of the current thread pool.
    pub parallel: bool,
    /// Asked now and then whether to stop.
    pub enough: &'a (dyn Fn() -> bool + Sync),
}

/// How the strategist rated a decision: the candidates, best first.
pub type Thought = Vec<Candidate>;

/// A choice that was considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub choice: Choice,
    /// The mean result of the side: 1 won, 0 lost.
    pub value: f32,
    /// The standard error of `value`.
    pub error: f32,
    pub playouts: u32,
}

pub struct Strategist {
    known: Replica,
    playouts: u32,
    seed: u64,
    thought: Option<Thought>,
}

impl Strategist {
    /// Playouts per decision by default.
    pub const PLAYOUTS: u32 = 768;

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
            thought: None,
        }
    }

    /// How it rated its last decision. `None` if there was nothing to choose.
    pub fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// The open decision as a problem, which can be solved on another thread.
    pub fn ponder(&mut self, battle: &mut Battle) -> OpenDecision {
        self.thought = None;
        OpenDecision::of(battle, &mut self.known, self.playouts, self.seed)
    }

    /// The answer, given the finished thought.
    pub fn conclude(&mut self, battle: &mut Battle, mut thought: Thought) -> Choice {
        if let Some(surrender) = surrenders(battle, &mut self.known) {
            return surrender;
        }
        // The best candidate may be illegal because of something that the side does not know
        // of.
        let best = thought
            .iter()
            .position(|one| battle.check(&one.choice).is_ok());
        let Some(best) = best else {
            return battle.quick_answer(Some(&mut self.known));
        };
        thought[..=best].rotate_right(1);
        let choice = thought[0].choice.clone();
        self.thought = (thought.len() > 1).then_some(thought);
        choice
    }
}

/// A decision to think about, detached from the battle.
pub struct OpenDecision {
    base: Battle,
    /// Choices to consider in addition to the most promising ones.
    also: Vec<Choice>,
    seed: u64,
    playouts: u32,
}

impl OpenDecision {
    /// The open decision, by what a side knows. `seed` is that of the side's controller. Each
    /// decision has its own dice, which are the same whenever it is thought about.
    pub fn of(battle: &Battle, known: &mut Replica, playouts: u32, seed: u64) -> Self {
        let seed = seed.wrapping_add((battle.answers().len() as u64 + 1) << 20);
        Self {
            base: battle.fork_known(known, DiceBox::seeded(seed)),
            also: vec![],
            seed,
            playouts,
        }
    }

    /// Also considers this choice, if it is legal by what the side knows.
    pub fn with(mut self, choice: Choice) -> Self {
        self.also.push(choice);
        self
    }

    /// The fork in which the decision is simulated.
    pub fn base(&mut self) -> &mut Battle {
        &mut self.base
    }

    /// Thinks until all playouts are used or `enough` returns true, on all cores of the current
    /// thread pool or on one.
    pub fn think(mut self, parallel: bool, enough: &(dyn Fn() -> bool + Sync)) -> Thought {
        let budget = Budget {
            playouts: self.playouts,
            parallel,
            enough,
        };
        let mut candidates = promising_choices(&mut self.base, self.playouts);
        for choice in self.also {
            if !candidates.contains(&choice) && self.base.check(&choice).is_ok() {
                candidates.push(choice);
            }
        }
        rate(&self.base, candidates, self.seed, budget)
    }
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
