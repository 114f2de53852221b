//! Win chances under all rulesets, simulated in the background while you continue
//! editing.

use super::{state::EditorState, test_play::TestTable};
use crate::{
    control::Player,
    lab::{BattleRunner, Experiment, Series, interval::Estimate},
    levels::{Control, Level},
    rulesets,
};
use bevy::prelude::*;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
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
    text: Arc<str>,
    shared: Arc<Shared>,
}

/// Written by the simulation thread, read by the window.
struct Shared {
    counts: Mutex<Vec<Chance>>,
    took: Mutex<Option<Duration>>,
    stops: AtomicBool,
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

/// The controllers of a simulation: `own` for the player's sides, `other` for the
/// AI's.
pub(super) fn players(level: &Level, own: Player, other: Player) -> Vec<Player> {
    let player = |control| match control {
        Control::Player => own,
        Control::Ai => other,
    };
    let sides = level.sides.iter();
    sides.map(|side| player(side.control)).collect()
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
        if self.is_running() {
            self.stop();
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
        self.stop();
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
        let shared = Arc::new(Shared {
            counts: Mutex::new(all.iter().map(blank).collect()),
            took: Mutex::default(),
            stops: AtomicBool::new(false),
        });
        let (out, fought) = (shared.clone(), level.clone());
        let since = Instant::now();
        let fight = move || {
            let series = |rules| Series::new(&fought, rules, players.clone());
            let experiments = all.iter().map(|(_, rules)| Experiment::new(series(rules)));
            let experiments: Vec<Experiment> = experiments.collect();
            let mut benches: Vec<BattleRunner> =
                experiments.iter().map(BattleRunner::new).collect();
            let mut tallies: Vec<_> = experiments.iter().map(Experiment::blank).collect();
            let stops = || out.stops.load(Ordering::Relaxed);
            let mut seed = 0;
            while seed < battles {
                let to = (seed + IN_A_ROW).min(battles);
                for (n, bench) in benches.iter_mut().enumerate() {
                    for seed in seed..to {
                        if stops() || bench.fight(seed, &mut tallies[n], stops).is_none() {
                            return;
                        }
                    }
                    let mut counts = out.counts.lock().unwrap_or_else(PoisonError::into_inner);
                    counts[n].won = tallies[n].wins[0];
                    counts[n].of = tallies[n].battles();
                }
                seed = to;
            }
            let mut took = out.took.lock().unwrap_or_else(PoisonError::into_inner);
            *took = Some(since.elapsed());
        };
        let name = String::from("simulation");
        let spawned = std::thread::Builder::new().name(name).spawn(fight);
        if spawned.is_ok() {
            self.run = Some(Run {
                text: level.source.clone(),
                level: level.clone(),
                shared,
            });
        }
    }

    fn stop(&mut self) {
        if let Some(run) = &self.run {
            run.shared.stops.store(true, Ordering::Relaxed);
        }
    }

    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| {
            let took = run.shared.took.lock();
            let is_over = took.is_ok_and(|took| took.is_some());
            !is_over && !run.shared.stops.load(Ordering::Relaxed)
        })
    }

    /// The current results. `None` before the first simulation.
    pub fn standing(&self, state: &EditorState) -> Option<Standing> {
        let run = self.run.as_ref()?;
        let counts = run.shared.counts.lock();
        let took = run.shared.took.lock().ok().and_then(|took| *took);
        Some(Standing {
            chances: counts.unwrap_or_else(PoisonError::into_inner).clone(),
            is_over: !self.is_running(),
            took: took.map(|t| t.as_millis() as u64 / 100),
            is_old: run.text != *state.history.text(),
            side: run.level.sides[0].name.clone(),
        })
    }

    /// Stores the results for the saved state, so that later ones can be compared
    /// with them.
    pub(super) fn remember(&mut self, state: &EditorState) {
        let Some(run) = &self.run else { return };
        if self.is_running() || run.text != *state.history.saved() {
            return;
        }
        let counts = run.shared.counts.lock();
        let counts = counts.unwrap_or_else(PoisonError::into_inner).clone();
        if self.saved.len() != rulesets::ALL.len() {
            self.saved = vec![None; rulesets::ALL.len()];
        }
        for chance in counts.into_iter().filter(|c| c.of > 0) {
            self.saved[chance.rules] = Some(chance);
        }
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        self.stop();
    }
}
