//! Live levels: when the level file given on the command line changes, it is read
//! again and the battle restarts with the same seed. Problems are shown in the
//! window, and the last good level stays.

use super::{
    Options, Phase, Screen, Selection, Session,
    art::{hud::Panel, palette},
    own::Changes,
    saves::autosave::Autosave,
    session::Next,
    theme::{TextStyle, faded, text},
    widgets::{NodeExt, SpawnWith, card, panel_style, row, rule, spacer, word_button},
};
use crate::{
    files,
    levels::{self, Level},
    ron_read::Problem,
};
use bevy::{prelude::*, ui_widgets::Activate};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

pub(super) fn plugin(app: &mut App) {
    let file = app.world().get_resource::<Options>();
    let Some(path) = file.and_then(|options| options.file.clone()) else {
        return;
    };
    let mut broken = Broken::default();
    match Watched::new(&path) {
        Ok(watched) => {
            app.insert_resource(watched);
        }
        Err(why) => broken.problems.push(problem(&path, &why)),
    }
    app.insert_resource(broken).init_resource::<Renewed>();
    app.add_observer(press);
    app.add_systems(
        Update,
        (
            read.in_set(Phase::Input).run_if(resource_exists::<Watched>),
            show.in_set(Phase::Draw).run_if(resource_changed::<Broken>),
            show_restart_toast
                .in_set(Phase::Draw)
                .run_if(in_state(Screen::Battle)),
        ),
    );
}

/// A watched file.
#[derive(Resource)]
struct Watched {
    path: PathBuf,
    /// Its text when it was last read.
    text: String,
    changes: Changes,
    /// When it was first found missing.
    missing: Option<Instant>,
    /// The names of the file and, if it is a link, of the file it leads to.
    names: Arc<Mutex<BTreeSet<OsString>>>,
    watcher: RecommendedWatcher,
}

/// How long a file may be missing while it is being replaced.
const REPLACED: Duration = Duration::from_millis(1500);

impl Watched {
    fn new(path: &Path) -> Result<Self, String> {
        let message = |e: notify::Error| format!("changes can't be detected: {e}");
        let (out, changes) = Changes::channel();
        let names = Arc::<Mutex<BTreeSet<OsString>>>::default();
        let own = names.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let names = own.lock().unwrap_or_else(PoisonError::into_inner);
            let is_own = |path: &PathBuf| path.file_name().is_some_and(|n| names.contains(n));
            if event.is_ok_and(|e| !e.kind.is_access() && e.paths.iter().any(is_own)) {
                // Nobody receives this after the window is closed.
                let _ = out.send(());
            }
        });
        let mut watched = Self {
            path: path.to_owned(),
            text: String::new(),
            changes,
            missing: None,
            names,
            watcher: watcher.map_err(message)?,
        };
        watched.follow().map_err(message)?;
        watched.text = watched.read().unwrap_or_default();
        Ok(watched)
    }

    /// Watches the file and, if it is a link, the file it leads to.
    fn follow(&mut self) -> notify::Result<()> {
        let end = fs::canonicalize(&self.path);
        for path in [Some(self.path.clone()), end.ok()].into_iter().flatten() {
            let Some(name) = path.file_name() else {
                continue;
            };
            let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            names.insert(name.to_owned());
            drop(names);
            // Watch the folder, because many editors replace the file by a new one.
            let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            self.watcher.watch(folder, RecursiveMode::NonRecursive)?;
        }
        Ok(())
    }

    fn read(&self) -> io::Result<String> {
        files::read_text(&self.path, files::LEVEL_BYTES)
    }

    /// The new text of the file, if it has changed.
    fn news(&mut self) -> Option<Result<String, String>> {
        if !self.changes.is_due() {
            return None;
        }
        // The link may lead elsewhere now. If it cannot be followed, the file is
        // simply read again.
        let _ = self.follow();
        match self.read() {
            Ok(text) => {
                self.missing = None;
                if text == self.text {
                    return None;
                }
                self.text.clone_from(&text);
                Some(Ok(text))
            }
            Err(e) => {
                let since = *self.missing.get_or_insert_with(Instant::now);
                if since.elapsed() < REPLACED {
                    self.changes.wait();
                    return None;
                }
                // Counts as changed when it is back.
                self.text.clear();
                Some(Err(format!("cannot be read: {e}")))
            }
        }
    }
}

/// The problems of the file.
#[derive(Resource, Default, Debug)]
pub struct Broken {
    pub problems: Vec<Problem>,
}

/// The battle has restarted and the message has not been shown yet.
#[derive(Resource, Default)]
struct Renewed(bool);

fn problem(path: &Path, what: &str) -> Problem {
    Problem {
        file: path.display().to_string(),
        line: 1,
        col: 1,
        what: what.into(),
        help: String::new(),
        fix: None,
    }
}

fn read(
    mut watched: ResMut<Watched>,
    mut broken: ResMut<Broken>,
    mut options: ResMut<Options>,
    session: Option<Res<Session>>,
    screen: Res<State<Screen>>,
    mut renewed: ResMut<Renewed>,
    mut autosave: ResMut<Autosave>,
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    let Some(news) = watched.bypass_change_detection().news() else {
        return;
    };
    let read = match news {
        Ok(text) => levels::check_file(&watched.path.display().to_string(), &text),
        Err(why) => Err(vec![problem(&watched.path, &why)]),
    };
    let level = match read {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => {
            broken.problems = problems;
            return;
        }
    };
    if !broken.problems.is_empty() {
        broken.problems.clear();
    }
    options.level = Some(level.clone());
    match (screen.get(), session) {
        (Screen::Battle, Some(session)) if session.game.level().id == level.id => {
            commands.insert_resource(again(&session, level));
            renewed.0 = true;
            autosave.reuse_slot();
            next.set(Screen::Battle);
        }
        // Refresh the list of levels.
        (Screen::Title, _) => next.set(Screen::Title),
        _ => {}
    }
}

/// The same battle on the current version of the level.
fn again(session: &Session, level: Arc<Level>) -> Next {
    Next {
        rules: level.rules.is_none().then(|| session.game.rules()),
        seed: session.game.seed(),
        level: level.with_handicaps(&session.game.level().handicaps()),
    }
}

/// Shows a toast after the battle has restarted, because the restart resets the
/// selection and its toast.
fn show_restart_toast(
    mut renewed: ResMut<Renewed>,
    options: Res<Options>,
    session: Option<Res<Session>>,
    mut selection: ResMut<Selection>,
) {
    let has_begun = |level: &Arc<Level>| {
        session.is_some_and(|s| Arc::ptr_eq(&s.game.level().source, &level.source))
    };
    if renewed.0 && options.level.as_ref().is_some_and(has_begun) {
        renewed.0 = false;
        selection.show_toast("The level has changed: the battle restarts with the same seed.");
    }
}

/// The card with the problems.
#[derive(Component)]
pub struct BrokenCard;

/// The button that closes the card until the next change.
#[derive(Component)]
pub struct CloseBroken;

fn press(on: On<Activate>, buttons: Query<(), With<CloseBroken>>, mut broken: ResMut<Broken>) {
    if buttons.contains(on.entity) {
        broken.problems.clear();
    }
}

/// The most problems that are shown.
const MAX: usize = 6;

fn show(broken: Res<Broken>, old: Query<Entity, With<BrokenCard>>, mut commands: Commands) {
    old.iter().for_each(|card| commands.entity(card).despawn());
    let Some(first) = broken.problems.first() else {
        return;
    };
    let node = Node {
        position_type: PositionType::Absolute,
        left: px(24),
        bottom: px(24),
        width: px(620),
        max_width: percent(90),
        row_gap: px(3),
        ..card()
    };
    let place = (BrokenCard, GlobalZIndex(45), node);
    let mut whole = commands.spawn((place, panel_style(Panel::CardActive)));
    whole.with_children(|card| {
        let head = match broken.problems.len() {
            1 => format!("{} has an error", first.file),
            n => format!("{} has {n} errors", first.file),
        };
        card.spawn(text(head, TextStyle::Strong, palette::DANGER));
        card.spawn(rule());
        for problem in broken.problems.iter().take(MAX) {
            let mut words = format!("{}:{}: {}", problem.line, problem.col, problem.what);
            if !problem.help.is_empty() {
                words += &format!("; {}", problem.help);
            }
            card.spawn(text(words, TextStyle::Body, palette::INK));
        }
        let more = broken.problems.len().saturating_sub(MAX);
        if more > 0 {
            card.spawn(faded(format!("and {more} more")));
        }
        let foot = row(8.0).margin_top(6.0);
        card.spawn_with(foot, |foot| {
            let words = "The level is unchanged. Fix the file and it reloads.";
            let shrinks = Node::default();
            foot.spawn((shrinks, children![faded(words)]));
            foot.spawn(spacer());
            foot.spawn((word_button("Close", Panel::Button), CloseBroken));
        });
    });
}
