//! The Road: the map of a run with the next fork, the squad, and the way to a new run.
//!
//! - this file: the run and its file, what the buttons do, and the odds, which are
//!   measured in the background
//! - `page`: how it looks

mod page;

use crate::{
    control::recording::Recording,
    files,
    lab::trial::Tried,
    road::{Act, Difficulty, Outcome, Run, Settings, State, Way, way},
    rulesets,
    ui::{
        Options, Phase, Screen, Session,
        app_command::AppCommand,
        home::{self, Home},
        input::Key,
        modal,
        saves::autosave,
        session::{Ready, any_seed, thinking::Thinking},
        settings::Toast,
        theme::Look,
    },
};
use bevy::{
    clipboard::Clipboard,
    input_focus::InputFocus,
    prelude::*,
    text::{EditableText, RemSize, TextEditChange},
    ui_widgets::{Activate, ValueChange},
    window::WindowResized,
};
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let path = home.and_then(|home| Some(home.data.as_ref()?.join("road.ron")));
    app.insert_resource(Road::read(path));
    app.add_systems(OnEnter(Screen::Road), (open, page::build).chain());
    app.add_systems(OnExit(Screen::Road), |mut commands: Commands| {
        commands.remove_resource::<Search>();
    });
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            poll.in_set(Phase::Think).run_if(resource_exists::<Search>),
            take_past
                .in_set(Phase::Think)
                .run_if(resource_exists::<Reading>),
            page::build.in_set(Phase::Draw).run_if(
                resource_changed::<Road>
                    .or_else(on_message::<WindowResized>)
                    .or_else(resource_changed::<Look>)
                    .or_else(resource_changed::<RemSize>),
            ),
        )
            .run_if(in_state(Screen::Road)),
    );
    app.add_observer(press);
    app.add_observer(tick);
    app.add_observer(type_code);
}

/// What the buttons of the Road do.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub enum RoadButton {
    /// To the Road, from the title or a result.
    Open,
    /// The ruleset of a new run, by its place among all.
    Rules(usize),
    Difficulty(Difficulty),
    /// Another new road.
    Reroll,
    /// Begins the new run.
    Begin,
    /// Marks a way of the fork.
    Pick(usize),
    /// Fights a way.
    Go(usize),
    /// Continues the battle that was left.
    Resume,
    /// A bandage for a unit, by its place in the squad.
    Bandage(usize),
    /// A unit's choice for a new level.
    Learn(usize, usize),
    /// Copies the run's code.
    Copy,
    /// Copies where the file of the run is, or of one that is over, by its place in the list.
    CopyPath(Option<usize>),
    /// The road of a run that is over, by its place in the list.
    Again(usize),
    /// Asks, and then ends the run.
    GiveUp,
    /// Puts the run away.
    NewRun,
    Back,
}

/// The box that says whether units that die come back.
#[derive(Component)]
pub struct KeepDeadBox;

/// Where the code of a friend's run is typed.
#[derive(Component)]
pub struct CodeEntry;

/// A way of the fork with its odds, as far as they are measured.
#[derive(Clone, Debug)]
struct Branch {
    way: Way,
    odds: Option<Tried>,
}

/// A run that is over.
struct Past {
    path: PathBuf,
    state: State,
}

/// The run, and what is chosen on its screen.
#[derive(Resource)]
pub struct Road {
    /// The file of the run; none where the system has no place for it.
    path: Option<PathBuf>,
    run: Option<Run>,
    state: Option<State>,
    /// Of a new run.
    settings: Settings,
    /// As it is typed.
    code: String,
    fork: Vec<Branch>,
    /// Ways that are not known yet.
    is_busy: bool,
    picked: usize,
    /// The next press of the button gives up.
    asks: bool,
    /// What was pressed last: it keeps the focus when the page is built anew.
    last: Option<RoadButton>,
    /// The file could not be read.
    problem: Option<String>,
    /// Runs that are over, the best first.
    past: Vec<Past>,
}

impl Road {
    /// With the run of a file.
    fn read(path: Option<PathBuf>) -> Self {
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

    fn set(&mut self, run: Run) {
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
    fn act(&mut self, act: Act) -> Result<(), String> {
        if let Some(run) = &mut self.run {
            self.state = Some(run.act(act)?);
        }
        self.write()
    }

    fn write(&self) -> Result<(), String> {
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
    fn put_away(&mut self) -> Result<(), String> {
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
fn folder(road: &Path) -> PathBuf {
    road.with_file_name("roads")
}

/// The best first.
fn sort(past: &mut [Past]) {
    past.sort_by_cached_key(|past| std::cmp::Reverse(page::past::rank(&past.state)));
}

/// The runs of a folder that are over; a file that is no run is left out.
fn read_past(folder: &Path) -> Vec<Past> {
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

/// The runs that are over, as they are read in the background.
#[derive(Resource)]
struct Reading(Thinking<Vec<Past>>);

/// A copy of the battle has another id: what a friend did with this code does not count.
fn is_of(session: &Session, recording: &Recording) -> bool {
    let table = recording.table.as_ref();
    session.replay().is_none() && table.is_some_and(|table| table.battle == session.game.id())
}

/// The ways of the fork, as they are found.
#[derive(Default)]
struct Found {
    fork: Vec<Branch>,
    /// Counts up with every change.
    version: u32,
    is_done: bool,
}

/// The search for the ways of a fork, and the measuring of their odds.
#[derive(Resource)]
struct Search {
    /// Dropped, it stops.
    _thinks: Thinking<()>,
    found: Arc<Mutex<Found>>,
    seen: u32,
}

/// Battles by which odds are measured, and after how many they are shown anew.
const BATTLES: u32 = 300;
const SHOWN: u32 = 25;

impl Search {
    /// `known` are ways that were found before.
    fn new(state: State, known: Vec<Way>) -> Self {
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
    state: &State,
    known: Vec<Way>,
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

fn open(mut road: ResMut<Road>, mut commands: Commands, mut toasts: MessageWriter<Toast>) {
    road.asks = false;
    if let Some(problem) = road.problem.take() {
        toasts.write(Toast(problem));
    }
    if let Some(path) = &road.path {
        let folder = folder(path);
        let reading = Thinking::of(move |_| read_past(&folder));
        commands.insert_resource(Reading(reading));
    }
    look_ahead(&mut road, &mut commands);
}

/// The runs that are over are known.
fn take_past(mut reading: ResMut<Reading>, mut road: ResMut<Road>, mut commands: Commands) {
    if let Some(past) = reading.bypass_change_detection().0.done(false) {
        commands.remove_resource::<Reading>();
        road.past = past;
    }
}

/// Begins to search for the ways of the next fork, and to measure their odds.
fn look_ahead(road: &mut Road, commands: &mut Commands) {
    commands.remove_resource::<Search>();
    let state = road.state.clone().filter(|state| state.end.is_none());
    let Some(state) = state else {
        road.fork.clear();
        road.is_busy = false;
        return;
    };
    road.fork.retain(|branch| branch.way.stop == state.stop);
    let known: Vec<Way> = road.fork.iter().map(|branch| branch.way.clone()).collect();
    road.is_busy = known.len() < way::count(&state.settings, state.stop);
    commands.insert_resource(Search::new(state, known));
}

/// More is known of the fork.
fn poll(mut search: ResMut<Search>, mut road: ResMut<Road>) {
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

fn keys(
    keys: Res<ButtonInput<Key>>,
    focus: Res<InputFocus>,
    entries: Query<(), With<CodeEntry>>,
    mut road: ResMut<Road>,
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    let is_typing = focus.get().is_some_and(|it| entries.contains(it));
    if keys.just_pressed(Key::Back) {
        return next.set(Screen::Title);
    }
    if keys.just_pressed(Key::Confirm) && (is_typing || focus.get().is_none()) {
        let what = match (&road.run, road.state().and_then(|state| state.end)) {
            (None, _) => RoadButton::Begin,
            (Some(_), Some(_)) => RoadButton::NewRun,
            (Some(run), None) if run.fighting.is_some() => RoadButton::Resume,
            _ => RoadButton::Go(road.picked),
        };
        commands.run_system_cached_with(act, what);
    }
    if is_typing {
        return;
    }
    for n in 0..road.fork.len() {
        if keys.just_pressed(Key::Member(n as u8)) {
            road.picked = n;
        }
    }
}

fn tick(on: On<ValueChange<bool>>, boxes: Query<(), With<KeepDeadBox>>, mut road: ResMut<Road>) {
    if boxes.contains(on.source) {
        road.settings.keeps_dead = on.value;
    }
}

fn press(on: On<Activate>, buttons: Query<&RoadButton>, mut commands: Commands) {
    if let Ok(&what) = buttons.get(on.entity) {
        commands.run_system_cached_with(act, what);
    }
}

/// The code as it is typed. Nothing is built anew.
fn type_code(
    on: On<TextEditChange>,
    entries: Query<&EditableText, With<CodeEntry>>,
    mut road: ResMut<Road>,
) {
    if let Ok(text) = entries.get(on.event_target()) {
        road.bypass_change_detection().code = text.value().to_string();
    }
}

fn act(
    In(what): In<RoadButton>,
    (mut road, options): (ResMut<Road>, Res<Options>),
    clipboard: Option<ResMut<Clipboard>>,
    mut next: ResMut<NextState<Screen>>,
    mut toasts: MessageWriter<Toast>,
    mut app_commands: MessageWriter<AppCommand>,
    mut commands: Commands,
) {
    road.last = Some(what);
    if what != RoadButton::GiveUp {
        road.asks = false;
    }
    let done = match what {
        RoadButton::Open => {
            next.set(Screen::Road);
            Ok(())
        }
        RoadButton::Back => {
            next.set(Screen::Title);
            Ok(())
        }
        RoadButton::Rules(n) => {
            road.settings.rules = rulesets::ALL[n];
            Ok(())
        }
        RoadButton::Difficulty(difficulty) => {
            road.settings.difficulty = difficulty;
            Ok(())
        }
        RoadButton::Reroll => {
            road.settings.seed = any_seed() as u32;
            Ok(())
        }
        RoadButton::Begin => begin(&mut road, &mut commands),
        RoadButton::Pick(n) => {
            road.picked = n;
            Ok(())
        }
        RoadButton::Go(n) => match go(&mut road, n, &options) {
            Ok(Some(session)) => {
                commands.queue(|world: &mut World| autosave::show(world, session));
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(why) => Err(why),
        },
        RoadButton::Resume => match left_battle(&road) {
            Ok(Some(session)) => {
                commands.insert_resource(Ready(session));
                next.set(Screen::Battle);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(why) => {
                let title = String::from("This battle can't be continued");
                app_commands.write(AppCommand::Tell(title, why));
                // The way is fought again from its start.
                if let Some(run) = &mut road.run {
                    run.fighting = None;
                }
                Ok(())
            }
        },
        RoadButton::Bandage(n) => change(&mut road, &mut commands, |state| {
            let who = state.squad.get(n)?.kind.clone();
            Some(Act::Bandage { who })
        }),
        RoadButton::Learn(n, nth) => change(&mut road, &mut commands, |state| {
            let member = state.squad.get(n)?;
            let gain = member.choices().into_iter().nth(nth)?;
            let who = member.kind.clone();
            Some(Act::Learn { who, gain })
        }),
        RoadButton::Copy => {
            let code = road.run.as_ref().map(|run| run.road.clone());
            let code = code.unwrap_or_else(|| road.settings.code());
            let done = clipboard.is_some_and(|mut c| c.set_text(code.clone()).is_ok());
            toasts.write(Toast(match done {
                true => format!("{code} copied. A friend can enter it to play this road."),
                false => format!("No clipboard: the code is {code}."),
            }));
            Ok(())
        }
        RoadButton::CopyPath(n) => {
            let past = n
                .and_then(|n| road.past.get(n))
                .map(|past| past.path.clone());
            let path = past.or_else(|| road.path.clone()).unwrap_or_default();
            let path = path.display().to_string();
            let done = clipboard.is_some_and(|mut c| c.set_text(path.clone()).is_ok());
            toasts.write(Toast(match done {
                true => format!("Copied: {path}. The file holds the whole run."),
                false => format!("No clipboard: the file is {path}."),
            }));
            Ok(())
        }
        RoadButton::Again(n) => {
            if let Some(past) = road.past.get(n) {
                road.settings = past.state.settings;
                road.code.clear();
            }
            Ok(())
        }
        RoadButton::GiveUp if !road.asks => {
            road.asks = true;
            Ok(())
        }
        RoadButton::GiveUp => change(&mut road, &mut commands, |_| Some(Act::GiveUp)),
        RoadButton::NewRun => road.put_away(),
    };
    if let Err(why) = done {
        toasts.write(Toast(crate::battle::capitalised(&why)));
    }
}

/// Continues the battle that the run stands in.
pub fn resume(commands: &mut Commands) {
    commands.run_system_cached_with(act, RoadButton::Resume);
}

/// Begins the run that is set up, or that of a code that was typed.
fn begin(road: &mut Road, commands: &mut Commands) -> Result<(), String> {
    let settings = match road.code.trim() {
        "" => road.settings,
        code => Settings::of_code(code)?,
    };
    road.code.clear();
    road.set(Run::new(&settings));
    look_ahead(road, commands);
    road.write()
}

/// Does what follows from the state, if anything does.
fn change(
    road: &mut Road,
    commands: &mut Commands,
    act: impl FnOnce(&State) -> Option<Act>,
) -> Result<(), String> {
    let Some(act) = road.state().and_then(act) else {
        return Ok(());
    };
    let done = road.act(act);
    road.fork.iter_mut().for_each(|branch| branch.odds = None);
    look_ahead(road, commands);
    done
}

/// The battle of a way. `None`: it is not known yet.
fn go(road: &mut Road, n: usize, options: &Options) -> Result<Option<Session>, String> {
    let Some((state, branch)) = road.state().zip(road.fork.get(n)) else {
        return Ok(None);
    };
    let (settings, way) = (state.settings, branch.way.clone());
    let level = way::level(&way, &state.squad, &settings)?;
    let seats = options.seats(&level);
    let session = Session::seated(&level, settings.rules, way.seed, seats);
    if let Some(run) = &mut road.run {
        run.fighting = Some((way, session.recording("")));
    }
    road.write()?;
    Ok(Some(session))
}

/// The battle that was left.
fn left_battle(road: &Road) -> Result<Option<Session>, String> {
    let loaded = road.fighting().map(Session::load);
    loaded.transpose().map_err(|broken| broken.why)
}
