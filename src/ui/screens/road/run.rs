//! The run on the screen and its file, and the runs before it.

use super::RoadButton;
use crate::{
    control::recording::Recording,
    files,
    lab::trial::Tried,
    road::{Act, Outcome, Run, Settings, State, Way},
    rulesets,
    ui::{Session, home, session::any_seed},
};
use bevy::prelude::*;
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// A way of the fork with its odds, as far as they are measured.
#[derive(Clone, Debug)]
pub struct Branch {
    pub way: Way,
    pub odds: Option<Tried>,
}

/// A run that is over.
pub struct Past {
    pub path: PathBuf,
    pub state: State,
}

/// The run, and what is chosen on its screen.
#[derive(Resource)]
pub struct Road {
    /// The file of the run; none where the system has no place for it.
    pub(super) path: Option<PathBuf>,
    pub(super) run: Option<Run>,
    pub(super) state: Option<State>,
    /// Of a new run.
    pub(super) settings: Settings,
    /// As it is typed.
    pub(super) code: String,
    pub(super) fork: Vec<Branch>,
    /// Ways that are not known yet.
    pub(super) is_busy: bool,
    pub(super) picked: usize,
    /// The next press of the button gives up.
    pub(super) asks: bool,
    /// What was pressed last: it keeps the focus when the page is built anew.
    pub(super) last: Option<RoadButton>,
    /// The file could not be read.
    pub(super) problem: Option<String>,
    /// Runs that are over, the best first.
    pub(super) past: Vec<Past>,
}

impl Road {
    /// With the run of a file.
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
            picked: 0,
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
        (self.picked, self.asks) = (0, false);
    }

    /// Where the run stands, if there is one.
    pub fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// The stop that comes next, in a few words, for the title.
    pub fn line(&self) -> String {
        match self.state() {
            Some(state) if state.end.is_none() => {
                format!("stop {} of {}", state.stop + 1, state.settings.battles)
            }
            _ => String::from("eight to ten battles with one squad"),
        }
    }

    /// Does an act and writes the file.
    pub(super) fn act(&mut self, act: Act) -> Result<(), String> {
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

    /// The battle that the run stands in, as it was last saved.
    pub fn fighting(&self) -> Option<&Recording> {
        let fighting = self.run.as_ref()?.fighting.as_ref()?;
        Some(&fighting.1)
    }

    /// Whether this is the battle that the run stands in.
    pub fn is_fighting(&self, session: &Session) -> bool {
        self.fighting()
            .is_some_and(|recording| is_of(session, recording))
    }

    /// Saves the battle that the run stands in; one that is over counts.
    ///
    /// # Errors
    /// Why it cannot be saved, or does not count.
    pub fn save_battle(&mut self, recording: Recording) -> Result<(), String> {
        let Some((_, saved)) = self.run.as_mut().and_then(|run| run.fighting.as_mut()) else {
            return Ok(());
        };
        let is_over = recording
            .table
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
        self.picked = 0;
        self.act(Act::Fight {
            way,
            outcome: Outcome::of(&battle),
            battle: Box::new(recording),
        })
    }

    /// Whether this is the battle that the run fought last.
    pub fn has_fought(&self, session: &Session) -> bool {
        let last = self.run.as_ref().and_then(|run| run.battles().last());
        last.is_some_and(|(.., recording)| is_of(session, recording))
    }

    /// Puts the run away beside its file, under its code.
    pub(super) fn put_away(&mut self) -> Result<(), String> {
        let run = self.run.take();
        if let (Some(path), Some(run), Some(state)) = (&self.path, run, self.state.take()) {
            // One road may be played several times.
            let more = (2..).map(|n| format!("{}-{n}", run.road));
            let names = std::iter::once(run.road.clone()).chain(more);
            let mut all = names.map(|name| folder(path).join(format!("{name}.ron")));
            let place = all.find(|place| !place.exists()).unwrap_or_default();
            home::write(&place, &run.text()?)?;
            // What cannot be removed is written over by the next run.
            let _ = std::fs::remove_file(path);
            self.past.push(Past { path: place, state });
            sort(&mut self.past);
        }
        self.fork.clear();
        self.settings.seed = any_seed() as u32;
        Ok(())
    }
}

/// Where runs that are over are kept.
pub(super) fn folder(road: &Path) -> PathBuf {
    road.with_file_name("roads")
}

/// The best first.
fn sort(past: &mut [Past]) {
    past.sort_by_cached_key(|past| std::cmp::Reverse(super::page::past::rank(&past.state)));
}

/// The runs of a folder that are over; a file that is no run is left out.
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

/// A copy of the battle has another id: what a friend did with this code does not count.
fn is_of(session: &Session, recording: &Recording) -> bool {
    let table = recording.table.as_ref();
    session.replay().is_none() && table.is_some_and(|table| table.battle == session.game.id())
}
