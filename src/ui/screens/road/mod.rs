//! The Road screen: the map of the run, the next fork, the squad, and the setup of a new
//! run.
//!
//! - this file: keys and buttons
//! - `run`: the current run with its file, and past runs
//! - `search`: generates the ways of the next fork and measures their odds in the background
//! - `page`: layout and drawing

mod page;
mod run;
mod search;

pub use run::Road;
use run::{Branch, Past, folder, read_past};
use search::{BATTLES, Search, look_ahead, poll};

use crate::{
    road::{Difficulty, Run, RunAct, RunState, Settings, way},
    rulesets,
    ui::{
        Options, Phase, Screen, Session,
        app_command::AppCommand,
        entry::keep_typed,
        home::Home,
        input::{DOUBLE_CLICK, Key},
        modal,
        saves::autosave,
        session::{Ready, any_seed, thinking::Thinking},
        settings::Toast,
        widgets::is_nothing_pressed,
    },
};
use bevy::{
    clipboard::Clipboard,
    input_focus::InputFocus,
    prelude::*,
    ui_widgets::{Activate, ValueChange},
};

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let path = home.and_then(|home| Some(home.data.as_ref()?.join("road.ron")));
    app.insert_resource(Road::read(path));
    app.add_systems(OnEnter(Screen::Road), (open, page::build).chain());
    let changed = resource_changed::<Road>.or_else(super::is_outdated);
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
            page::build
                .in_set(Phase::Draw)
                .run_if(is_nothing_pressed.and_then(changed)),
        )
            .run_if(in_state(Screen::Road)),
    );
    app.add_observer(press);
    app.add_observer(tick);
    keep_typed::<CodeEntry, Road>(app, |road, code| road.code = code);
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub enum RoadButton {
    /// Opens the Road screen, from the title or a result.
    Open,
    /// Chooses the ruleset of a new run, by its index among all.
    Rules(usize),
    Difficulty(Difficulty),
    /// Chooses the number of battles of a new run.
    Length(u8),
    /// Draws another seed for the new run.
    Reroll,
    /// Starts the new run.
    Begin,
    /// Selects a way of the fork.
    Pick(usize),
    /// Starts the battle of a way.
    Go(usize),
    /// Continues the battle in progress.
    Resume,
    /// Uses a bandage on a unit, by its index in the squad.
    Bandage(usize),
    /// Makes a unit's choice for a new level: index in the squad, index of the choice.
    Learn(usize, usize),
    /// Copies the run's code.
    Copy,
    /// Copies the path of the run's file, or of a past run's by its index in the list.
    CopyPath(Option<usize>),
    /// Sets up a new run with the code of a past run, by its index in the list.
    Again(usize),
    /// Gives up the run; the first press asks for confirmation.
    GiveUp,
    /// Moves the finished run to the past runs and shows the setup of a new one.
    NewRun,
    Back,
}

/// The checkbox for [`Settings::keeps_dead`].
#[derive(Component)]
pub struct KeepDeadBox;

/// The text field for a run code.
#[derive(Component)]
pub struct CodeEntry;

/// The past runs, while they are being read in the background.
#[derive(Resource)]
struct Reading(Thinking<Vec<Past>>);

fn open(
    mut road: ResMut<Road>,
    time: Res<Time<Real>>,
    mut commands: Commands,
    mut toasts: MessageWriter<Toast>,
) {
    (road.asks, road.opened) = (false, time.elapsed());
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

/// Takes over the past runs once they have been read.
fn take_past(mut reading: ResMut<Reading>, mut road: ResMut<Road>, mut commands: Commands) {
    if let Some(past) = reading.bypass_change_detection().0.done(false) {
        commands.remove_resource::<Reading>();
        // Avoid a rebuild of the page while the player types a code.
        if !past.is_empty() || !road.past.is_empty() {
            road.past = past;
        }
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
            _ => RoadButton::Go(road.marked()),
        };
        commands.run_system_cached_with(act, what);
    }
    if is_typing {
        return;
    }
    for n in 0..road.fork.len() {
        if keys.just_pressed(Key::Member(n as u8)) {
            road.picked = Some(n);
        }
    }
}

fn tick(on: On<ValueChange<bool>>, boxes: Query<(), With<KeepDeadBox>>, mut road: ResMut<Road>) {
    if boxes.contains(on.source) {
        road.settings.keeps_dead = on.value;
    }
}

fn press(
    on: On<Activate>,
    buttons: Query<&RoadButton>,
    (road, time): (Res<Road>, Res<Time<Real>>),
    mut commands: Commands,
) {
    let Ok(&what) = buttons.get(on.entity) else {
        return;
    };
    // The second click of a double click on the button that led here.
    let is_late = what == RoadButton::Back && time.elapsed() < road.opened + DOUBLE_CLICK;
    if !is_late {
        commands.run_system_cached_with(act, what);
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
    // Copies a text, the run's `what`.
    let copy = |text: String, what: &str, copied: String| {
        let is_copied = clipboard.is_some_and(|mut c| c.set_text(text.clone()).is_ok());
        toasts.write(Toast(match is_copied {
            true => copied,
            false => format!("No clipboard: the {what} is {text}."),
        }));
    };
    let mut done = Ok(());
    match what {
        RoadButton::Open => next.set(Screen::Road),
        RoadButton::Back => next.set(Screen::Title),
        RoadButton::Rules(n) => road.settings.rules = rulesets::ALL[n],
        RoadButton::Difficulty(difficulty) => {
            road.settings.difficulty = difficulty;
            // A lost squad would end a story early; the box below can be cleared.
            road.settings.keeps_dead = difficulty == Difficulty::Story;
        }
        RoadButton::Length(battles) => road.settings.battles = battles,
        RoadButton::Reroll => road.settings.seed = any_seed() as u32,
        RoadButton::Begin => done = begin(&mut road, &mut commands),
        RoadButton::Pick(n) => road.picked = Some(n),
        RoadButton::Go(n) => match go(&mut road, n, &options) {
            Ok(Some(session)) => {
                commands.queue(|world: &mut World| autosave::show(world, session));
            }
            Ok(None) => {}
            Err(why) => done = Err(why),
        },
        RoadButton::Resume => match road.fighting().map(Session::load) {
            Some(Ok(session)) => {
                commands.insert_resource(Ready(session));
                next.set(Screen::Battle);
            }
            None => {}
            Some(Err(broken)) => {
                let title = String::from("This battle can't be continued");
                app_commands.write(AppCommand::Tell(title, broken.why));
                // The battle cannot be continued, so the player can choose a way again.
                if let Some(run) = &mut road.run {
                    run.fighting = None;
                }
            }
        },
        RoadButton::Bandage(n) => {
            done = change(&mut road, &mut commands, |state| {
                let who = state.squad.get(n)?.kind.clone();
                Some(RunAct::Bandage { who })
            })
        }
        RoadButton::Learn(n, nth) => {
            done = change(&mut road, &mut commands, |state| {
                let member = state.squad.get(n)?;
                let gain = member.choices().into_iter().nth(nth)?;
                let who = member.kind.clone();
                Some(RunAct::Learn { who, gain })
            })
        }
        RoadButton::Copy => {
            let code = road.run.as_ref().map(|run| run.road.clone());
            let code = code.unwrap_or_else(|| road.settings.code());
            let words = format!("{code} copied. A friend can enter it to play this road.");
            copy(code, "code", words);
        }
        RoadButton::CopyPath(n) => {
            let past = n.and_then(|n| road.past.get(n)).map(|past| &past.path);
            let path = past.or(road.path.as_ref()).map(|path| path.display());
            let path = path.map_or(String::new(), |path| path.to_string());
            let words = format!("Copied: {path}. The file holds the whole run.");
            copy(path, "file", words);
        }
        RoadButton::Again(n) => {
            if let Some(past) = road.past.get(n) {
                road.settings = past.state.settings;
                road.code.clear();
            }
        }
        RoadButton::GiveUp if !road.asks => road.asks = true,
        RoadButton::GiveUp => done = change(&mut road, &mut commands, |_| Some(RunAct::GiveUp)),
        RoadButton::NewRun => done = road.put_away(),
    }
    if let Err(why) = done {
        toasts.write(Toast(crate::battle::capitalised(&why)));
    }
}

/// Continues the run's battle in progress.
pub fn resume(commands: &mut Commands) {
    commands.run_system_cached_with(act, RoadButton::Resume);
}

/// Starts a run with the typed code, or with the chosen settings if there is none.
///
/// # Errors
/// If the code is wrong or the file cannot be written.
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

/// Applies the act that `act` derives from the state, if any, and measures the odds again.
fn change(
    road: &mut Road,
    commands: &mut Commands,
    act: impl FnOnce(&RunState) -> Option<RunAct>,
) -> Result<(), String> {
    let Some(act) = road.state().and_then(act) else {
        return Ok(());
    };
    let done = road.act(act);
    road.fork.iter_mut().for_each(|branch| branch.odds = None);
    look_ahead(road, commands);
    done
}

/// Starts the battle of a way and saves the run. `None` if the way is still being searched.
fn go(road: &mut Road, n: usize, options: &Options) -> Result<Option<Session>, String> {
    let Some((state, branch)) = road.state().zip(road.fork.get(n)) else {
        return Ok(None);
    };
    let (settings, way) = (state.settings, branch.way.clone());
    let level = way::level(&way, &state.squad, &settings)?;
    let controllers = options.controllers(&level);
    let session = Session::with_controllers(&level, settings.rules, way.seed, controllers);
    if let Some(run) = &mut road.run {
        run.fighting = Some((way, session.recording("")));
    }
    road.write()?;
    Ok(Some(session))
}
