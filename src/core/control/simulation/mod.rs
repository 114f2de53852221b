//! Simulates the rest of a round on forks of the battle: the results of a side's plans, what
//! makes them fail, and what enemies are likely to do. A fork holds only what the side knows
//! (`Battle::fork_seen`), so a simulation never reveals anything else.
//!
//! - this file: the situation that is simulated, and the results of many rounds
//! - `fork`: a fork in which plans are carried out, and how it is played
//! - `declaring`: what declarations lead to
//! - `round`: the result of each plan in one round
//! - `enemies`: what each enemy does in one round
//! - `missed`: why a plan failed, by what happened
//! - `casts`: spells being cast

mod casts;
mod declaring;
pub mod enemies;
mod fork;
mod missed;
mod round;

pub use casts::Casts;
pub use declaring::Suggestion;
pub use enemies::{Action, AttackKind, ENEMY_ROUNDS, Prediction};
pub use fork::{Enemies, Fork, Observed, Supposed, Supposition, play};
pub use missed::Evidence;
pub use round::Round;

use super::orders::{Order, Plan, Reason};
use crate::{
    battle::{Battle, Choice, EventKind, Id, Moment, Side, ids_of},
    grid::Cell,
};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

/// Rounds of a simulation. The standard error of a success rate is then at most 5 points.
pub const ROUNDS: u32 = 100;

/// What a side means to do in a round, in addition to the state of the battle.
#[derive(Clone, Debug, Default)]
pub struct Intentions {
    /// The plans of this round.
    pub plans: BTreeMap<Id, Plan>,
    /// Declarations without a plan, in this round and the previous one.
    pub declared: Vec<(u16, Choice)>,
    /// What enemies are assumed to do; all others act like AIs.
    pub supposed: Arc<Supposed>,
    /// The order in which units that are asked at once act. Units that are not listed come
    /// last.
    pub sequence: Vec<Id>,
}

/// The current state of a battle as one side knows it, with what the side means to do.
pub struct Situation {
    now: Fork,
    /// See [`Fork::again`].
    quick: OnceLock<Battle>,
    /// A plan that is not declared yet.
    draft: Option<Plan>,
    /// What other units declare after the draft.
    later: Vec<Choice>,
}

/// The plans being simulated, by unit.
pub type Tried = BTreeMap<Id, Plan>;

/// The results of a plan in many rounds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanOutcome {
    /// Rounds in which the plan was carried out.
    pub succeeded: u32,
    /// The seed of the first of those rounds.
    pub first: Option<u64>,
    /// Why it failed in the other rounds, most frequent first. Rounds in which a unit on guard
    /// found no enemy are left out.
    pub failures: Vec<Failures>,
    /// When it was carried out, with the number of rounds.
    pub moments: BTreeMap<Moment, u32>,
    /// Rounds in which its unit was hurt by then.
    pub hurt: u32,
    /// The enemies that hurt it, with the number of rounds, most frequent first.
    pub hurt_by: Vec<(Id, u32)>,
    /// Whether it has no target: it succeeds if the unit attacks anything.
    pub is_open: bool,
}

/// Rounds in which a plan failed for one reason.
#[derive(Clone, PartialEq, Debug)]
pub struct Failures {
    pub reason: Reason,
    /// The responsible units, with the number of rounds, most frequent first.
    pub by: Vec<(Id, u32)>,
    pub rounds: u32,
}

/// The results of plans in many rounds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Simulation {
    /// The number of rounds played.
    pub rounds: u32,
    pub plans: BTreeMap<Id, PlanOutcome>,
    /// Rounds in which a unit fell before the last plan had its result; only units that did.
    pub falls: BTreeMap<Id, u32>,
}

impl Simulation {
    /// A number of rounds in percent of all.
    pub fn percent(&self, rounds: u32) -> u32 {
        (100 * rounds + self.rounds / 2) / self.rounds.max(1)
    }

    /// Percent of rounds in which a plan succeeds. `None` if it was not simulated.
    pub fn success_rate(&self, who: Id) -> Option<u32> {
        let outcome = self.plans.get(&who)?;
        Some(self.percent(outcome.succeeded))
    }
}

impl Situation {
    /// The open decision as a side knows it, with a plan that is not declared yet and what other
    /// units declare after it. `None` if no decision is open.
    pub fn new(
        battle: &Battle,
        side: Side,
        intentions: Intentions,
        draft: Option<Plan>,
        later: Vec<Choice>,
    ) -> Option<Self> {
        battle.asked()?;
        Some(Self {
            now: Fork::new(battle, side, intentions),
            quick: OnceLock::new(),
            draft,
            later,
        })
    }

    /// Another fork of this state, before the draft is declared.
    pub fn fork(&self, enemies: Enemies) -> Fork {
        self.now.again(enemies, &self.quick)
    }

    /// Whether the side means to do anything beyond the state of the battle.
    pub fn has_intentions(&self) -> bool {
        self.now.has_intentions()
    }

    /// The side's result with the dice of a seed, when its units follow their plans in this round
    /// and the quick AI plays all else to the end: 1 won, 0 lost. The draft is ignored.
    pub fn play_to_the_end(&self, seed: u64) -> f32 {
        // With odd seeds the easy AI would play the enemies.
        self.fork(Enemies::Seeded(seed << 1)).play_to_the_end()
    }

    /// All plans that can be simulated: declared ones, spells being cast and the draft. The
    /// destination of a move is the cell it would reach in this round without interference.
    pub fn plans(&self) -> Tried {
        let planning = self.now.rules().planning;
        let is_plan = |draft: &&Plan| draft.has_purpose() || draft.is_work(planning);
        let drafted = self.draft.iter().filter(is_plan);
        let drafted = drafted.map(|draft| (draft.who, draft.clone()));
        let mut plans = self.fork(Enemies::Passive).open_plans();
        plans.extend(drafted);
        let is_going = |plan: &Plan| plan.is_move() && plan.order.cell().is_some();
        if !plans.values().any(is_going) {
            return plans;
        }
        let ends = self.expected_ends();
        plans.retain(|who, plan| match (is_going(plan), ends.get(who)) {
            (false, _) => true,
            (true, Some(&to)) => {
                plan.order = Order::Move { to };
                true
            }
            // A move that is expected to fail is simulated, so that it gets a reason; a unit that
            // is there already has nothing to do.
            (true, None) => plan.order.cell() != Some(self.now.body(*who).at),
        });
        plans
    }

    /// The cells that moving units reach in this round without interference.
    fn expected_ends(&self) -> BTreeMap<Id, Cell> {
        let mut ends = BTreeMap::new();
        self.expect(&|| false, &mut |_, observed| {
            if let Observed::Event(event) = observed
                && let EventKind::Moved { who, to, .. } = event.what
            {
                ends.insert(who, to);
            }
        });
        ends
    }

    /// Plays the round without interference and with average dice. Returns the fork at its end,
    /// or `None` if cancelled.
    pub fn expect(
        &self,
        cancelled: &dyn Fn() -> bool,
        observe: &mut dyn FnMut(&mut Fork, Observed),
    ) -> Option<Fork> {
        let mut fork = self.fork(Enemies::Passive).for_one_round();
        let round = fork.round();
        self.declare(&mut fork, observe);
        let mut observe = |fork: &mut Fork, observed: Observed| {
            observe(fork, observed);
            true
        };
        play(&mut fork, round, cancelled, &mut observe).then_some(fork)
    }

    /// Declares the draft. The last declaration starts the round.
    fn declare(&self, fork: &mut Fork, observe: &mut dyn FnMut(&mut Fork, Observed)) {
        let Some(draft) = &self.draft else { return };
        for choice in draft.declared.iter().chain(&self.later) {
            if !fork.declare(choice, observe) {
                break;
            }
        }
        if draft.is_aimed {
            fork.intend(draft.clone());
        }
    }

    /// Tries the plans in many rounds: round n, counted from 1, uses the dice of `seed` plus n.
    /// `None` if cancelled.
    pub fn simulate(
        &self,
        (seed, rounds): (u64, u32),
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Simulation> {
        let mut found = Simulation {
            rounds,
            ..Simulation::default()
        };
        let planning = self.now.rules().planning;
        let plans = self.plans();
        for seed in seeds(seed, rounds).filter(|_| !plans.is_empty()) {
            let round = self.round(&plans, seed, cancelled, &mut |_, _| ())?;
            for (who, came) in round.came {
                let outcome = found.plans.entry(who).or_default();
                outcome.is_open = plans.get(&who).is_some_and(|plan| plan.is_open(planning));
                match came {
                    Ok(()) => outcome.succeed(seed, round.moments.get(&who)),
                    Err(None) => {}
                    Err(Some(reason)) => outcome.fail(reason),
                }
                outcome.note_hurt(round.hurt.get(&who).copied().unwrap_or(0));
            }
            for who in ids_of(round.fell) {
                *found.falls.entry(who).or_default() += 1;
            }
        }
        for outcome in found.plans.values_mut() {
            outcome.sort();
        }
        Some(found)
    }
}

/// The seeds of the dice of simulated rounds.
fn seeds(seed: u64, rounds: u32) -> impl Iterator<Item = u64> {
    (1..=rounds).map(move |n| seed.wrapping_add(u64::from(n)))
}

impl PlanOutcome {
    /// When it is carried out most often, with the number of rounds.
    pub fn likeliest(&self) -> Option<(&Moment, u32)> {
        let most = self.moments.iter().max_by_key(|(_, rounds)| **rounds);
        most.map(|(moment, rounds)| (moment, *rounds))
    }

    /// Rounds in which it had nothing left to do.
    pub fn unneeded(&self) -> u32 {
        let unneeded = self.failures.iter().filter(|f| f.reason.is_unneeded());
        unneeded.map(|failures| failures.rounds).sum()
    }

    fn succeed(&mut self, seed: u64, moment: Option<&Moment>) {
        self.succeeded += 1;
        self.first.get_or_insert(seed);
        if let Some(moment) = moment {
            *self.moments.entry(moment.clone()).or_default() += 1;
        }
    }

    /// Counts a failure. Failures with the same reason are grouped, whichever unit is
    /// responsible and however far away the target was.
    fn fail(&mut self, reason: Reason) {
        let by = reason.by();
        let general = reason.general();
        let known = self.failures.iter_mut().find(|f| f.reason == general);
        let failures = match known {
            Some(known) => known,
            None => {
                self.failures.push(Failures {
                    reason: general,
                    by: vec![],
                    rounds: 0,
                });
                self.failures.last_mut().expect("it was added")
            }
        };
        failures.rounds += 1;
        count(&mut failures.by, by);
    }

    /// Counts a round in which enemies hurt the plan's unit; `by` is a bit set.
    fn note_hurt(&mut self, by: u64) {
        self.hurt += u32::from(by != 0);
        for enemy in ids_of(by) {
            count(&mut self.hurt_by, Some(enemy));
        }
    }

    fn sort(&mut self) {
        self.failures.sort_by_key(|f| Reverse(f.rounds));
        for failures in &mut self.failures {
            failures.by.sort_by_key(|by| (Reverse(by.1), by.0));
        }
        self.hurt_by.sort_by_key(|by| (Reverse(by.1), by.0));
    }
}

/// Adds one to the count of a unit.
fn count(all: &mut Vec<(Id, u32)>, who: Option<Id>) {
    let Some(who) = who else { return };
    match all.iter_mut().find(|known| known.0 == who) {
        Some(known) => known.1 += 1,
        None => all.push((who, 1)),
    }
}
