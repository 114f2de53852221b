//! The battle builder: map, squads within a points limit, objective, controllers. It
//! finds a fair fight on request, and saves the battle as a level.
//!
//! - [`draft`]: the choices, and the level made from them
//! - `page`: the layout
//! - this file: what the buttons do, and the test battles in the background

pub mod draft;
mod page;

pub use draft::BattleDraft;

use crate::{
    battle::Chance,
    lab::points,
    levels::{compose::Aim, generate::Form, own},
    ui::{
        Options, Phase, Screen,
        entry::keep_typed,
        home,
        input::Key,
        modal,
        own::Own,
        session::{Ready, Session, any_seed, thinking::Thinking},
        settings::Toast,
        widgets::set_part,
    },
};
use bevy::{input_focus::InputFocus, prelude::*, ui_widgets::Activate};
use draft::{BUDGET, FULL_TEST, MapSource, OPPONENTS, Progress, fair, run_test};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Builder), (open, page::build).chain());
    app.add_systems(OnExit(Screen::Builder), |mut commands: Commands| {
        commands.remove_resource::<RunningTest>();
    });
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            poll.in_set(Phase::Think)
                .run_if(resource_exists::<RunningTest>),
            show_progress
                .in_set(Phase::Draw)
                .after(page::build)
                .run_if(resource_exists::<RunningTest>),
            page::build
                .in_set(Phase::Draw)
                .run_if(resource_exists_and_changed::<BattleDraft>.or_else(super::is_outdated)),
        )
            .run_if(in_state(Screen::Builder)),
    );
    app.add_observer(press);
    keep_typed::<TitleEntry, BattleDraft>(app, |draft, title| draft.title = title);
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub enum BuilderButton {
    /// Open the builder from the title screen.
    Open,
    Form(Form),
    /// Generate another map of the same form.
    Reroll,
    /// Use the map of a level, by its index in [`Options::levels`].
    Map(usize),
    /// Set the number of squads.
    Sides(usize),
    /// Select the squad that new units join.
    Pick(usize),
    /// Add a unit of a kind, by its index in [`points::kinds`], to the selected
    /// squad.
    Add(usize),
    /// Remove a unit of a kind from a squad.
    Remove(usize, usize),
    Rules(usize),
    Opponent(usize),
    Aim(Aim),
    /// Set the points limit of a squad.
    Budget(u32),
    /// Search for other squads that make a fair fight.
    Fair,
    /// Run 100 test battles.
    Try,
    /// Stop the running test.
    Stop,
    Save,
    Start,
    Back,
}

/// The text field for the level's title.
#[derive(Component)]
pub struct TitleEntry;

/// The button pressed last. It keeps the focus when the page is rebuilt.
#[derive(Resource, Default)]
struct Last(Option<BuilderButton>);

/// The running test and its progress.
#[derive(Resource)]
struct RunningTest {
    thinks: Thinking<Option<BattleDraft>>,
    progress: Arc<Progress>,
}

/// The text that shows the progress.
#[derive(Component)]
pub struct ProgressWords;

/// The bar below it.
#[derive(Component)]
struct ProgressBar;

fn open(mut commands: Commands, draft: Option<Res<BattleDraft>>) {
    if draft.is_none() {
        commands.insert_resource(BattleDraft::new(any_seed() % 1000));
    }
    commands.insert_resource(Last::default());
}

fn keys(
    keys: Res<ButtonInput<Key>>,
    focus: Res<InputFocus>,
    entries: Query<(), With<TitleEntry>>,
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    let is_typing = focus.get().is_some_and(|it| entries.contains(it));
    if keys.just_pressed(Key::Back) {
        next.set(Screen::Title);
    } else if keys.just_pressed(Key::Confirm) && (is_typing || focus.get().is_none()) {
        commands.run_system_cached(start);
    }
}

fn press(
    on: On<Activate>,
    buttons: Query<&BuilderButton>,
    options: Res<Options>,
    draft: Option<ResMut<BattleDraft>>,
    last: Option<ResMut<Last>>,
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    let Ok(&button) = buttons.get(on.entity) else {
        return;
    };
    match button {
        BuilderButton::Open => return next.set(Screen::Builder),
        BuilderButton::Back => return next.set(Screen::Title),
        BuilderButton::Start => return commands.run_system_cached(start),
        BuilderButton::Save => return commands.run_system_cached(save),
        _ => {}
    }
    let (Some(mut draft), Some(mut last)) = (draft, last) else {
        return;
    };
    last.0 = Some(button);
    let had_usual_title = draft.title == draft.usual_title();
    change(&mut draft, button, &options, &mut commands);
    // A generated map may not fit the changed squads or objective: generate another.
    if let MapSource::Made(form, seed) = draft.ground
        && draft.squads.iter().all(|squad| squad.size() > 0)
        && draft.level().is_err()
    {
        draft.take_ground(form, seed);
    }
    if had_usual_title {
        draft.title = draft.usual_title();
    }
}

/// Applies a button to the choices and drops the result of earlier tests.
fn change(
    draft: &mut BattleDraft,
    button: BuilderButton,
    options: &Options,
    commands: &mut Commands,
) {
    let seed = any_seed();
    let mut chance = Chance::new(seed);
    // Tests always use the quick AI, so these choices do not change the result.
    let keeps_result = matches!(button, BuilderButton::Pick(_) | BuilderButton::Opponent(_));
    if !keeps_result {
        draft.win_rate = None;
        draft.is_busy = false;
        commands.remove_resource::<RunningTest>();
    }
    match button {
        BuilderButton::Form(form) => {
            let seed = match &draft.ground {
                MapSource::Made(_, seed) => *seed,
                MapSource::Of(_) => seed % 1000,
            };
            draft.ground = MapSource::Made(form, seed);
        }
        BuilderButton::Reroll => {
            if let MapSource::Made(form, _) = draft.ground {
                draft.ground = MapSource::Made(form, seed % 1000);
            }
        }
        BuilderButton::Map(n) => {
            if let Some(level) = options.levels().get(n) {
                draft.ground = MapSource::Of(level.clone());
                let most = draft.most_squads();
                if draft.squads.len() > most {
                    draft.set_sides(most, &mut chance);
                }
            }
        }
        BuilderButton::Sides(sides) => draft.set_sides(sides, &mut chance),
        BuilderButton::Pick(squad) => draft.picked = squad,
        BuilderButton::Add(kind) => {
            if let Some(kind) = points::kinds().get(kind) {
                draft.add(kind);
            }
        }
        BuilderButton::Remove(squad, kind) => {
            draft.picked = squad;
            if let Some(kind) = points::kinds().get(kind) {
                draft.remove(squad, kind);
            }
        }
        BuilderButton::Rules(n) => draft.rules = n,
        BuilderButton::Opponent(n) => draft.opponent = n.min(OPPONENTS.len() - 1),
        BuilderButton::Aim(aim) => draft.aim = aim,
        BuilderButton::Budget(budget) => draft.budget = budget.clamp(BUDGET.0, BUDGET.1),
        BuilderButton::Fair | BuilderButton::Try => {
            draft.is_busy = true;
            let seed = options.seed.unwrap_or(seed);
            let draft = draft.clone();
            let progress = Arc::new(Progress::default());
            let tells = progress.clone();
            let thinks = Thinking::of(move |is_enough| match button {
                BuilderButton::Fair => fair(draft, seed, &tells, is_enough),
                _ => {
                    let win_rate = run_test(&draft, FULL_TEST, seed, &tells, is_enough)?;
                    let win_rate = Some(win_rate);
                    Some(BattleDraft { win_rate, ..draft })
                }
            });
            commands.insert_resource(RunningTest { thinks, progress });
        }
        _ => {}
    }
}

/// Takes over the result of a finished test.
fn poll(mut running: ResMut<RunningTest>, mut draft: ResMut<BattleDraft>, mut commands: Commands) {
    if let Some(found) = running.bypass_change_detection().thinks.done(false) {
        commands.remove_resource::<RunningTest>();
        draft.is_busy = false;
        if let Some(found) = found {
            // Keep the rest: the player may have changed it meanwhile.
            draft.squads = found.squads;
            draft.win_rate = found.win_rate;
        }
    }
}

/// Updates the progress. It also runs after the page is rebuilt.
fn show_progress(
    running: Res<RunningTest>,
    mut words: Query<&mut Text, With<ProgressWords>>,
    mut bars: Query<&mut Node, With<ProgressBar>>,
) {
    for mut text in &mut words {
        text.set_if_neq(Text(running.progress.line()));
    }
    for mut bar in &mut bars {
        let width = percent(running.progress.share() * 100.0);
        set_part(&mut bar, |bar| &mut bar.width, width);
    }
}

fn start(
    draft: Res<BattleDraft>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut toasts: MessageWriter<Toast>,
) {
    match draft.level() {
        Ok(level) => {
            let session =
                Session::with_controllers(&level, draft.rules(), any_seed(), draft.controllers());
            commands.insert_resource(Ready(session));
            next.set(Screen::Battle);
        }
        Err(why) => {
            toasts.write(Toast(why));
        }
    }
}

fn save(draft: Res<BattleDraft>, own: Res<Own>, mut toasts: MessageWriter<Toast>) {
    let message = match (draft.level(), own.folder()) {
        (Err(why), _) => why,
        (Ok(_), None) => String::from("There is no level folder on this system."),
        (Ok(level), Some(folder)) => {
            let path = own::place_for(folder, &level.title);
            match home::write(&path, &level.source) {
                Ok(()) => format!(
                    "{} is now in your levels, as {}",
                    level.title,
                    path.display()
                ),
                Err(why) => why,
            }
        }
    };
    toasts.write(Toast(message));
}
