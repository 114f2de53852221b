//! Your own levels in the window: watches their folders, so that changed, new and
//! deleted levels show on the title screen immediately.

use super::{Options, Screen, home::Home};
use crate::levels::{Level, own::OwnLevels};
use bevy::prelude::*;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    time::{Duration, Instant},
};

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>().and_then(Home::levels);
    let options = app.world().get_resource::<Options>();
    let given = options.and_then(|options| options.levels_folder.clone());
    let mut folders: Vec<PathBuf> = vec![];
    for folder in home.into_iter().chain(given) {
        // Create the folder so that the player finds it and it can be watched.
        if let Err(e) = fs::create_dir_all(&folder) {
            warn!("can't create {}: {e}", folder.display());
        }
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let (out, changes) = Changes::channel();
    let watcher = watcher(&folders, out)
        .inspect_err(|e| warn!("changed levels can't be detected: {e}"))
        .ok();
    app.insert_resource(Watched {
        changes,
        _watcher: watcher,
    });
    app.insert_resource(Own(OwnLevels::of(folders)));
    app.add_systems(Startup, put_own_levels);
    app.add_systems(OnEnter(Screen::Title), refresh);
    app.add_systems(First, watch.run_if(in_state(Screen::Title)));
}

/// Your own levels, including those with errors.
#[derive(Resource)]
pub struct Own(pub OwnLevels);

impl Own {
    /// The picture that came with a level, as a PNG file.
    pub fn picture(&self, level: &Arc<Level>) -> Option<&Arc<[u8]>> {
        self.0.holder(level)?.found.as_ref().ok()?.picture.as_ref()
    }

    /// The folder for new levels: the first one.
    pub fn folder(&self) -> Option<&Path> {
        self.0.folders().first().map(PathBuf::as_path)
    }
}

/// The watched folders.
#[derive(Resource)]
struct Watched {
    changes: Changes,
    _watcher: Option<RecommendedWatcher>,
}

/// The changes of watched files, as their watcher sends them.
pub(super) struct Changes {
    touched: Mutex<Receiver<()>>,
    /// When to read the files again. Delayed, because files are written in several steps.
    due: Option<Instant>,
}

/// How long to wait after a change.
const SETTLES: Duration = Duration::from_millis(120);

impl Changes {
    pub(super) fn channel() -> (Sender<()>, Self) {
        let (out, touched) = channel();
        let touched = Mutex::new(touched);
        (out, Self { touched, due: None })
    }

    /// Whether to read the files now, said once for each change.
    pub(super) fn is_due(&mut self) -> bool {
        let touched = self.touched.get_mut();
        if touched.is_ok_and(|touched| touched.try_iter().count() > 0) {
            self.wait();
        }
        let is_due = self.due.is_some_and(|due| Instant::now() >= due);
        self.due = self.due.filter(|_| !is_due);
        is_due
    }

    /// The files are due a little later, as after a change.
    pub(super) fn wait(&mut self) {
        self.due = Some(Instant::now() + SETTLES);
    }
}

fn watcher(folders: &[PathBuf], out: Sender<()>) -> notify::Result<RecommendedWatcher> {
    let heard = move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // Nobody receives this after the window is closed.
            let _ = out.send(());
        }
    };
    // A link in a folder may lead to a whole disk.
    let config = notify::Config::default().with_follow_symlinks(false);
    let mut watcher = RecommendedWatcher::new(heard, config)?;
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        // The folder itself may be a link.
        let folder = fs::canonicalize(folder)?;
        watcher.watch(&folder, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}

fn watch(mut watched: ResMut<Watched>, mut commands: Commands) {
    if watched.bypass_change_detection().changes.is_due() {
        commands.run_system_cached(refresh);
    }
}

fn refresh(mut own: ResMut<Own>, options: ResMut<Options>) {
    own.0.refresh();
    put_own_levels(own.into(), options);
}

fn put_own_levels(own: Res<Own>, mut options: ResMut<Options>) {
    options.own = own.0.levels().cloned().collect();
}
