//! The background search: generates the ways of a fork and measures their odds.

use super::run::{Branch, Road};
use crate::{
    road::{RoadBattle, RunState, way},
    ui::session::thinking::Thinking,
};
use bevy::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The results of the search so far.
#[derive(Default)]
struct Found {
    fork: Vec<Branch>,
    /// Incremented with every change.
    version: u32,
    is_done: bool,
}

/// The running search.
#[derive(Resource)]
pub(super) struct Search {
    /// Stops the search when dropped.
    _thinks: Thinking<()>,
    found: Arc<Mutex<Found>>,
    seen: u32,
}

/// Number of battles that measure the odds of a way.
pub(super) const BATTLES: u32 = 300;
/// Number of battles between two updates of the odds on screen.
const SHOWN: u32 = 25;

impl Search {
    /// Starts a search. `known` are ways generated earlier; only their odds are measured.
    fn new(state: RunState, known: Vec<RoadBattle>) -> Self {
        let found = Arc::new(Mutex::new(Found::default()));
        let shared = found.clone();
        let thinks = Thinking::of(move |is_enough| search(&state, known, &shared, is_enough));
        Self {
            _thinks: thinks,
            found,
            seen: 0,
        }
    }
}

fn search(
    state: &RunState,
    known: Vec<RoadBattle>,
    found: &Mutex<Found>,
    is_enough: &(dyn Fn() -> bool + Sync),
) {
    let change = |change: &dyn Fn(&mut Found)| {
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut found);
        found.version += 1;
    };
    let settings = &state.settings;
    for nth in 0..way::count(settings, state.stop) {
        let known = known.iter().find(|way| way.nth == nth).cloned();
        let way = known.or_else(|| way::way(settings, state.stop, nth, || !is_enough()));
        if is_enough() {
            return;
        }
        if let Some(way) = way {
            change(&|found| {
                let way = way.clone();
                found.fork.push(Branch { way, odds: None });
            });
        }
    }
    change(&|found| found.is_done = true);
    let ways = {
        let found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.fork.clone()
    };
    for (n, branch) in ways.iter().enumerate() {
        way::odds(&branch.way, &state.squad, settings, BATTLES, |odds| {
            if odds.of.is_multiple_of(SHOWN) {
                change(&|found| found.fork[n].odds = Some(odds));
            }
            !is_enough()
        });
    }
}

/// Starts the search for the next fork, if the run is not over.
pub(super) fn look_ahead(road: &mut Road, commands: &mut Commands) {
    commands.remove_resource::<Search>();
    let state = road.state.clone().filter(|state| state.end.is_none());
    let Some(state) = state else {
        road.fork.clear();
        road.is_busy = false;
        return;
    };
    road.fork.retain(|branch| branch.way.stop == state.stop);
    let known: Vec<RoadBattle> = road.fork.iter().map(|branch| branch.way.clone()).collect();
    road.is_busy = known.len() < way::count(&state.settings, state.stop);
    commands.insert_resource(Search::new(state, known));
}

/// Copies new results of the search to the screen.
pub(super) fn poll(mut search: ResMut<Search>, mut road: ResMut<Road>) {
    let search = search.bypass_change_detection();
    let found = search.found.lock().unwrap_or_else(PoisonError::into_inner);
    if found.version != search.seen {
        search.seen = found.version;
        if found.fork.len() >= road.fork.len() {
            road.fork = found.fork.clone();
        }
        road.is_busy = !found.is_done;
    }
}
