//! Win chances under all rulesets, simulated in the background while you continue
//! editing.

use super::{state::EditorState, test_play::TestTable};
use crate::{
    control::Player,
    lab::{BattleRunner, Experiment, Series, interval::Estimate},
    levels::Level,
    rulesets,
    ui::session::thinking::Thinking,
};
use bevy::prelude::*;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Battles under each ruleset.
pub const BATTLES: u64 = 1000;
/// The range of win chances that counts as fair, in percent.
pub const FAIR: (f64, f64) = (35.0, 65.0);
/// Battles of one ruleset before the next ruleset gets a turn.
const IN_A_ROW: u64 = 8;

/// The state and the results of the simulation.
#[derive(Resource, Default)]
pub struct Simulation {
    run: Option<Run>,
    /// The results for the saved state of the level, by ruleset, shown for
    /// comparison.
    pub saved: Vec<Option<Chance>>,
}

struct Run {
    level: Arc<Level>,
    shared: Arc<Mutex<Shared>>,
    /// `None` once the player has stopped it.
    work: Option<Thinking<()>>,
}

/// Written by the simulation, read by the window.
struct Shared {
    counts: Vec<Chance>,
    took: Option<Duration>,
}

impl Run {
    fn is_running(&self) -> bool {
        self.work.is_some() && self.shared().took.is_none()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first side's wins out of the battles simulated so far.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Chance {
    /// Index into [`rulesets::ALL`].
    pub rules: usize,
    pub won: u64,
    pub of: u64,
}

impl Chance {
    pub fn estimate(self) -> Estimate {
        Estimate::proportion(self.won, self.of)
    }
}

/// The progress and results that the card shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    pub chances: Vec<Chance>,
    pub is_over: bool,
    /// Duration of the whole simulation in tenths of a second, once it is over.
    pub took: Option<u64>,
    /// The level has changed since the simulation started.
    pub is_old: bool,
    pub side: String,
}

impl Simulation {
    /// Starts a simulation of the current state, or stops the running one.
    pub(super) fn toggle(&mut self, state: &mut EditorState, table: &TestTable) {
        if let Some(run) = self.run.as_mut().filter(|run| run.is_running()) {
            run.work = None;
            return;
        }
        let Some(level) = state.good.clone() else {
            state.message = Some("Fix the errors first: nothing to simulate.".into());
            return;
        };
        self.begin(&level, table.players(&level), BATTLES);
    }

    /// Simulates `battles` battles of the level under each ruleset that the level
    /// allows.
    pub fn begin(&mut self, level: &Arc<Level>, players: Vec<Player>, battles: u64) {
        let own = level.rules.and_then(|rules| rulesets::find(rules.0));
        let all = rulesets::ALL.iter().enumerate();
        let all: Vec<_> = all
            .filter(|(_, rules)| own.is_none_or(|own| own.id == rules.id))
            .map(|(n, rules)| (n, *rules))
            .collect();
        let blank = |(n, _): &(usize, _)| Chance {
            rules: *n,
            ..Chance::default()
        };
        let shared = Arc::new(Mutex::new(Shared {
            counts: all.iter().map(blank).collect(),
            took: None,
        }));
        let (out, fought) = (shared.clone(), level.clone());
        let since = Instant::now();
        let work = Thinking::of(move |is_enough| {
            let out = || out.lock().unwrap_or_else(PoisonError::into_inner);
            let series = |rules| Series::new(&fought, rules, players.clone());
            let experiments = all.iter().map(|(_, rules)| Experiment::new(series(rules)));
            let experiments: Vec<Experiment> = experiments.collect();
            let mut benches: Vec<BattleRunner> =
                experiments.iter().map(BattleRunner::new).collect();
            let mut tallies: Vec<_> = experiments.iter().map(Experiment::blank).collect();
            for from in (0..battles).step_by(IN_A_ROW as usize) {
                for (n, bench) in benches.iter_mut().enumerate() {
                    for seed in from..(from + IN_A_ROW).min(battles) {
                        if is_enough() || bench.fight(seed, &mut tallies[n], is_enough).is_none() {
                            return;
                        }
                    }
                    let count = &mut out().counts[n];
                    (count.won, count.of) = (tallies[n].wins[0], tallies[n].battles());
                }
            }
            out().took = Some(since.elapsed());
        });
        self.run = Some(Run {
            level: level.clone(),
            shared,
            work: Some(work),
        });
    }

    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(Run::is_running)
    }

    /// The current results. `None` before the first simulation.
    pub fn standing(&self, state: &EditorState) -> Option<Standing> {
        let run = self.run.as_ref()?;
        let is_over = !run.is_running();
        let shared = run.shared();
        Some(Standing {
            chances: shared.counts.clone(),
            is_over,
            took: shared.took.map(|t| t.as_millis() as u64 / 100),
            is_old: run.level.source != *state.history.text(),
            side: run.level.sides[0].name.clone(),
        })
    }

    /// Stores the results for the saved state, so that later ones can be compared
    /// with them.
    pub(super) fn remember(&mut self, state: &EditorState) {
        let Some(run) = &self.run else { return };
        if run.is_running() || run.level.source != *state.history.saved() {
            return;
        }
        let counts = run.shared().counts.clone();
        if self.saved.len() != rulesets::ALL.len() {
            self.saved = vec![None; rulesets::ALL.len()];
        }
        for chance in counts.into_iter().filter(|c| c.of > 0) {
            self.saved[chance.rules] = Some(chance);
        }
    }
}
