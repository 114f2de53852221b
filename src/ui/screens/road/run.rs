//! The current run with its file, and past runs.

use super::RoadButton;
use crate::{
    control::recording::Recording,
    files,
    lab::win_rate::WinRate,
    road::{BattleOutcome, RoadBattle, Run, RunAct, RunState, Settings},
    rulesets,
    ui::{Session, home, session::any_seed},
};
use bevy::prelude::*;
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

/// A way of the fork with the odds measured so far.
#[derive(Clone, Debug)]
pub struct Branch {
    pub way: RoadBattle,
    pub odds: Option<WinRate>,
}

/// A finished run that was moved to the past runs.
pub struct Past {
    pub path: PathBuf,
    pub state: RunState,
}

/// The current run, and the state of its screen.
#[derive(Resource)]
pub struct Road {
    /// The run file. `None` if the system provides no folder.
    pub(super) path: Option<PathBuf>,
    pub(super) run: Option<Run>,
    pub(super) state: Option<RunState>,
    /// The settings chosen for a new run.
    pub(super) settings: Settings,
    /// The run code typed so far.
    pub(super) code: String,
    pub(super) fork: Vec<Branch>,
    /// Some ways of the fork are still being generated.
    pub(super) is_busy: bool,
    /// Index of the way that the player selected.
    pub(super) picked: Option<usize>,
    /// When the page was opened, since the start of the game.
    pub(super) opened: Duration,
    /// Giving up waits for confirmation: the next press ends the run.
    pub(super) asks: bool,
    /// The last pressed button, which keeps the focus when the page is rebuilt.
    pub(super) last: Option<RoadButton>,
    /// Why the run file could not be read, for the player.
    pub(super) problem: Option<String>,
    /// Past runs, best first.
    pub(super) past: Vec<Past>,
}

impl Road {
    /// Loads the run from its file. A file that cannot be read is set aside.
    pub(super) fn read(path: Option<PathBuf>) -> Self {
        let seed = any_seed() as u32;
        let mut road = Self {
            path,
            run: None,
            state: None,
            settings: Settings::new(seed, rulesets::ALL[0]),
            code: String::new(),
            fork: vec![],
            is_busy: false,
            picked: None,
            opened: Duration::ZERO,
            asks: false,
            last: None,
            problem: None,
            past: vec![],
        };
        let Some(path) = road.path.clone() else {
            return road;
        };
        let read = match files::read_text(&path, files::RECORDING_BYTES) {
            Ok(text) => Run::read(&path.display().to_string(), &text),
            Err(e) if e.kind() == ErrorKind::NotFound => return road,
            Err(e) => Err(format!("{}: {e}", path.display())),
        };
        match read {
            Ok(run) => road.set(run),
            Err(why) => {
                let aside = files::set_aside(&path);
                let kept = aside.map_or(String::new(), |aside| {
                    format!(" It is kept as {}.", aside.display())
                });
                road.problem = Some(format!("The run cannot be read. {why}.{kept}"));
            }
        }
        road
    }

    pub(super) fn set(&mut self, run: Run) {
        self.state = run.state().ok();
        self.run = self.state.is_some().then_some(run);
        self.fork.clear();
        (self.picked, self.asks) = (None, false);
    }

    /// The state of the run, if there is one.
    pub fn state(&self) -> Option<&RunState> {
        self.state.as_ref()
    }

    /// The next stop in a few words, for the title screen.
    pub fn line(&self) -> String {
        match self.state() {
            Some(state) if state.end.is_none() => {
                format!("Stop {} of {}", state.stop + 1, state.settings.battles)
            }
            _ => String::from("Eight to ten battles with one squad"),
        }
    }

    /// Index of the way that Enter takes: the selected one, otherwise the one with the best
    /// measured odds.
    pub(super) fn marked(&self) -> usize {
        let share = |branch: &Branch| branch.odds.map_or(0.0, |odds| odds.share());
        let better = |best: usize, n: usize| match share(&self.fork[n]) > share(&self.fork[best]) {
            true => n,
            false => best,
        };
        let safest = || (0..self.fork.len()).reduce(better);
        self.picked.or_else(safest).unwrap_or(0)
    }

    /// Applies an act and writes the file.
    pub(super) fn act(&mut self, act: RunAct) -> Result<(), String> {
        if let Some(run) = &mut self.run {
            self.state = Some(run.act(act)?);
        }
        self.write()
    }

    pub(super) fn write(&self) -> Result<(), String> {
        let (Some(path), Some(run)) = (&self.path, &self.run) else {
            return Ok(());
        };
        home::write(path, &run.text()?)
    }

    /// The battle in progress, as last saved.
    pub fn fighting(&self) -> Option<&Recording> {
        let fighting = self.run.as_ref()?.fighting.as_ref()?;
        Some(&fighting.1)
    }

    /// Whether this session is the run's battle in progress.
    pub fn is_fighting(&self, session: &Session) -> bool {
        self.fighting()
            .is_some_and(|recording| is_of(session, recording))
    }

    /// Saves the battle in progress. A finished battle is added to the run as an act.
    ///
    /// # Errors
    /// If the file cannot be written, or a finished battle cannot be replayed or does not
    /// belong to the run's stop and squad.
    pub fn save_battle(&mut self, recording: Recording) -> Result<(), String> {
        let Some((_, saved)) = self.run.as_mut().and_then(|run| run.fighting.as_mut()) else {
            return Ok(());
        };
        let is_over = recording
            .save_info
            .as_ref()
            .is_some_and(|t| t.verdict.is_some());
        if !is_over {
            *saved = recording;
            return self.write();
        }
        let battle = recording.run(None).map_err(|broken| broken.why)?;
        let Some((way, _)) = self.run.as_mut().and_then(|run| run.fighting.take()) else {
            return Ok(());
        };
        self.fork.clear();
        self.picked = None;
        self.act(RunAct::Fight {
            way,
            outcome: BattleOutcome::of(&battle),
            battle: Box::new(recording),
        })
    }

    /// Whether this session is the run's last finished battle.
    pub fn has_fought(&self, session: &Session) -> bool {
        let last = self.run.as_ref().and_then(|run| run.battles().last());
        last.is_some_and(|(.., recording)| is_of(session, recording))
    }

    /// Moves the run to the folder of past runs, with its code as file name.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn put_away(&mut self) -> Result<(), String> {
        let run = self.run.take();
        if let (Some(path), Some(run), Some(state)) = (&self.path, run, self.state.take()) {
            // The same code can be played several times.
            let more = (2..).map(|n| format!("{}-{n}", run.road));
            let names = std::iter::once(run.road.clone()).chain(more);
            let mut all = names.map(|name| folder(path).join(format!("{name}.ron")));
            let place = all.find(|place| !place.exists()).unwrap_or_default();
            home::write(&place, &run.text()?)?;
            // If this fails, the next run overwrites the file.
            let _ = std::fs::remove_file(path);
            self.past.push(Past { path: place, state });
            sort(&mut self.past);
        }
        self.fork.clear();
        self.settings.seed = any_seed() as u32;
        Ok(())
    }
}

/// The folder of past runs; `road` is the path of the current run's file.
pub(super) fn folder(road: &Path) -> PathBuf {
    road.with_file_name("roads")
}

/// Sorts past runs, best first.
fn sort(past: &mut [Past]) {
    past.sort_by_cached_key(|past| std::cmp::Reverse(super::page::past::rank(&past.state)));
}

/// Reads the past runs of a folder. Skips files that are not finished runs.
pub(super) fn read_past(folder: &Path) -> Vec<Past> {
    let files = std::fs::read_dir(folder).into_iter().flatten();
    let read = |path: PathBuf| {
        let text = files::read_text(&path, files::RECORDING_BYTES).ok()?;
        let run = Run::read(&path.display().to_string(), &text).ok()?;
        let state = run.state().ok().filter(|state| state.end.is_some())?;
        Some(Past { path, state })
    };
    let mut all: Vec<Past> = files
        .flatten()
        .filter_map(|file| read(file.path()))
        .collect();
    sort(&mut all);
    all
}

/// Whether a session is the battle of a recording. Replays and copies do not count; a copy
/// has another id.
fn is_of(session: &Session, recording: &Recording) -> bool {
    let save_info = recording.save_info.as_ref();
    session.replay().is_none()
        && save_info.is_some_and(|save_info| save_info.battle == session.game.id())
}
