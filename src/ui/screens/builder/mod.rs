//! The battle builder: ground, squads under a budget of points, what to do, who plays;
//! a fair fight at a click, and the whole saved as a level.
//!
//! - [`draft`]: what was chosen, and the level that comes of it
//! - `page`: how it looks
//! - this file: what the buttons do, and what is tried meanwhile

pub mod draft;
mod page;

pub use draft::Draft;

use crate::{
    battle::Chance,
    lab::points,
    levels::{compose::Aim, generate::Form, own},
    ui::{
        Options, Phase, Screen, home,
        input::Key,
        modal,
        own::Own,
        session::{Ready, Session, any_seed, thinking::Thinking},
        settings::Toast,
        theme::Look,
    },
};
use bevy::{
    input_focus::InputFocus,
    prelude::*,
    text::{EditableText, RemSize, TextEditChange},
    ui_widgets::Activate,
    window::WindowResized,
};
use draft::{BUDGET, Ground, OPPONENTS, Progress, TRIAL, fair, tried};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Builder), (open, page::build).chain());
    app.add_systems(OnExit(Screen::Builder), |mut commands: Commands| {
        commands.remove_resource::<Trial>();
    });
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            poll.in_set(Phase::Think).run_if(resource_exists::<Trial>),
            tell.in_set(Phase::Draw)
                .after(page::build)
                .run_if(resource_exists::<Trial>),
            page::build.in_set(Phase::Draw).run_if(
                resource_exists_and_changed::<Draft>
                    .or_else(on_message::<WindowResized>)
                    .or_else(resource_changed::<Look>)
                    .or_else(resource_changed::<RemSize>),
            ),
        )
            .run_if(in_state(Screen::Builder)),
    );
    app.add_observer(press);
    app.add_observer(type_title);
}

/// What the buttons of the builder do.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub enum BuilderButton {
    /// From the title to the builder.
    Open,
    Form(Form),
    /// Other ground of the same form.
    Reroll,
    /// The ground of a level, by its place in [`Options::levels`].
    Map(usize),
    /// How many squads.
    Sides(usize),
    /// The squad that is filled.
    Pick(usize),
    /// One more of a kind, by its place among [`points::kinds`], in the picked squad.
    Add(usize),
    /// One less of a kind in a squad.
    Remove(usize, usize),
    Rules(usize),
    Opponent(usize),
    Aim(Aim),
    /// The points that a squad may have.
    Budget(u32),
    /// Others that make an even fight.
    Fair,
    /// Fights it a hundred times.
    Try,
    /// No more of what is being tried.
    Stop,
    Save,
    Start,
    Back,
}

/// Where the level's title is typed.
#[derive(Component)]
pub struct TitleEntry;

/// What was pressed last: it keeps the focus when the page is built anew.
#[derive(Resource, Default)]
struct Last(Option<BuilderButton>);

/// What is being tried, and how far that has come.
#[derive(Resource)]
struct Trial {
    thinks: Thinking<Option<Draft>>,
    progress: Arc<Progress>,
}

/// The words on how far it has come.
#[derive(Component)]
pub struct ProgressWords;

/// The bar below them.
#[derive(Component)]
struct ProgressBar;

fn open(mut commands: Commands, draft: Option<Res<Draft>>) {
    if draft.is_none() {
        commands.insert_resource(Draft::new(any_seed() % 1000));
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
    draft: Option<ResMut<Draft>>,
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
    // New ground may not do, nor the old for larger people or another thing to do.
    if let Ground::Made(form, seed) = draft.ground
        && draft.squads.iter().all(|squad| squad.size() > 0)
        && draft.level().is_err()
    {
        draft.take_ground(form, seed);
    }
    if had_usual_title {
        draft.title = draft.usual_title();
    }
}

/// What was chosen is changed; what was tried before is told no longer.
fn change(draft: &mut Draft, button: BuilderButton, options: &Options, commands: &mut Commands) {
    let seed = any_seed();
    let mut chance = Chance::new(seed);
    // Whoever plays the others, the trial is of the quick AI.
    let keeps_trial = matches!(button, BuilderButton::Pick(_) | BuilderButton::Opponent(_));
    if !keeps_trial {
        draft.tried = None;
        draft.is_busy = false;
        commands.remove_resource::<Trial>();
    }
    match button {
        BuilderButton::Form(form) => {
            let seed = match &draft.ground {
                Ground::Made(_, seed) => *seed,
                Ground::Of(_) => seed % 1000,
            };
            draft.ground = Ground::Made(form, seed);
        }
        BuilderButton::Reroll => {
            if let Ground::Made(form, _) = draft.ground {
                draft.ground = Ground::Made(form, seed % 1000);
            }
        }
        BuilderButton::Map(n) => {
            if let Some(level) = options.levels().get(n) {
                draft.ground = Ground::Of(level.clone());
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
                    let tried = tried(&draft, TRIAL, seed, &tells, is_enough)?;
                    let tried = Some(tried);
                    Some(Draft { tried, ..draft })
                }
            });
            commands.insert_resource(Trial { thinks, progress });
        }
        _ => {}
    }
}

/// What was tried is known.
fn poll(mut trial: ResMut<Trial>, mut draft: ResMut<Draft>, mut commands: Commands) {
    if let Some(found) = trial.bypass_change_detection().thinks.done(false) {
        commands.remove_resource::<Trial>();
        draft.is_busy = false;
        if let Some(found) = found {
            // Who plays, what is picked and how it is called may be others by now.
            draft.squads = found.squads;
            draft.tried = found.tried;
        }
    }
}

/// Says how far it has come, and once more when the page is built anew.
fn tell(
    trial: Res<Trial>,
    mut words: Query<&mut Text, With<ProgressWords>>,
    mut bars: Query<&mut Node, With<ProgressBar>>,
) {
    for mut text in &mut words {
        text.set_if_neq(Text(trial.progress.line()));
    }
    for mut bar in &mut bars {
        let width = percent(trial.progress.share() * 100.0);
        if bar.width != width {
            bar.width = width;
        }
    }
}

/// The title as it is typed: nothing else changes by it.
fn type_title(
    on: On<TextEditChange>,
    entries: Query<&EditableText, With<TitleEntry>>,
    draft: Option<ResMut<Draft>>,
) {
    if let (Ok(text), Some(mut draft)) = (entries.get(on.event_target()), draft) {
        draft.bypass_change_detection().title = text.value().to_string();
    }
}

fn start(
    draft: Res<Draft>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut toasts: MessageWriter<Toast>,
) {
    match draft.level() {
        Ok(level) => {
            let session = Session::seated(&level, draft.rules(), any_seed(), draft.seats());
            commands.insert_resource(Ready(session));
            next.set(Screen::Battle);
        }
        Err(why) => {
            toasts.write(Toast(why));
        }
    }
}

fn save(draft: Res<Draft>, own: Res<Own>, mut toasts: MessageWriter<Toast>) {
    let told = match (draft.level(), own.folder()) {
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
    toasts.write(Toast(told));
}
