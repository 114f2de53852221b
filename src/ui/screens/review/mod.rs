//! The review of a battle on one page: the win probability order by order, the most
//! costly orders with better ones, how accurate each side was, and luck separated
//! from skill. The page fills in while the analysis continues in the background.
//!
//! - this file: the page, the background work, keys and buttons
//! - `curve`: the win probability over the battle
//! - `moment`: a mistake on the board, and the orders that were compared
//! - `cards`: mistakes, accuracy, luck and skill
//! - `puzzle`: a mistake to solve as a puzzle

mod cards;
pub mod curve;
mod moment;
mod puzzle;

pub use puzzle::{Puzzle, PuzzleCard};

use super::{PageRoot, new_page};
use crate::{
    battle::Side,
    control::{
        recording::Recording,
        review::{Review, ReviewedDecision, headline},
    },
    ui::{
        Phase, Screen, Session,
        app_command::{AppCommand, GameCommand, PuzzleCommand, ReplayCommand, ReviewCommand},
        art::{hud::Panel, palette},
        hud::SmallPictures,
        input::Key,
        modal,
        redraw::KeepRedrawing,
        room::Room,
        session::{Reading, thinking::Thinking},
        theme::{self, TextStyle, body_text, faded, strong_text, text},
        widgets::{
            NodeExt, SpawnWith, column, message_button, panel_button, rigid, row, spacer,
            wrapping_row,
        },
    },
    words::{self, count},
};
use bevy::{ecs::system::SystemParam, input_focus::InputFocus, prelude::*, ui_widgets::ScrollArea};
use std::sync::{Arc, Mutex, PoisonError};

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(puzzle::plugin);
    app.add_systems(OnEnter(Screen::Review), (set_up, build).chain());
    app.add_systems(Update, open.in_set(Phase::Commands));
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            choose.in_set(Phase::Commands),
            take_in.in_set(Phase::Think),
            build
                .in_set(Phase::Draw)
                .run_if(resource_exists_and_changed::<ReviewState>.or_else(super::is_outdated)),
        )
            .run_if(in_state(Screen::Review)),
    );
}

/// The least time between two redraws of an unfinished review, in seconds.
const BETWEEN: f32 = 0.6;

/// The reviewed battle and the results so far. It outlives the screen, so that the
/// analysis is still there when the player returns from a puzzle.
#[derive(Resource)]
pub struct ReviewState {
    recording: Recording,
    /// The id of the battle, and the number of answers it had.
    of: (String, usize),
    /// The side under review.
    pub side: Side,
    found: Arc<Mutex<Option<Review>>>,
    /// What the win chance bar showed in the battle, if it was just played.
    readings: Option<Vec<Reading>>,
    /// The background work. `None` once it is finished or if it is impossible.
    work: Option<Thinking<bool>>,
    pub review: Review,
    is_done: bool,
    /// The index of the mistake on the board.
    pub chosen: usize,
    /// Where Escape leads: to the result or the replay that the review was opened from.
    way_back: AppCommand,
    drawn_at: f32,
}

impl ReviewState {
    /// The largest mistakes, as indices of decisions.
    pub fn mistakes(&self) -> Vec<usize> {
        self.review.mistakes(self.side)
    }

    /// The mistake on the board.
    pub fn decision(&self) -> Option<&ReviewedDecision> {
        let mistakes = self.mistakes();
        let chosen = mistakes.get(self.chosen).or(mistakes.last())?;
        self.review.decisions.get(*chosen)
    }

    /// Shows the next mistake; after the last comes the first.
    fn show_next(&mut self) {
        self.chosen = (self.chosen + 1) % self.mistakes().len().max(1);
    }

    /// Whether the analysis is finished.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}

/// Opens the review of the battle just played or the replay just watched.
fn open(
    mut app_commands: MessageReader<AppCommand>,
    session: Option<Res<Session>>,
    state: Option<ResMut<ReviewState>>,
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    let opens = |it: &AppCommand| *it == AppCommand::Review(ReviewCommand::Open);
    let (true, Some(session)) = (app_commands.read().any(opens), session) else {
        return;
    };
    let way_back = match **screen {
        Screen::Result => AppCommand::Review(ReviewCommand::ShowResult),
        _ => AppCommand::Replay(ReplayCommand::Show(session.shown().events)),
    };
    let readings = session.result_readings();
    let of = (session.game.id().to_owned(), session.game.answered());
    match state.filter(|state| state.of == of) {
        Some(mut state) => {
            state.way_back = way_back;
            state.readings = readings;
        }
        None => {
            let side = session.player();
            let found = Arc::<Mutex<Option<Review>>>::default();
            let shared = found.clone();
            let on_progress = move |review| {
                *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(review);
            };
            commands.insert_resource(ReviewState {
                recording: session.recording(""),
                of,
                side,
                found,
                readings,
                work: Some(session.game.review_orders(side, on_progress)),
                review: Review::default(),
                is_done: false,
                chosen: 0,
                way_back,
                drawn_at: 0.0,
            });
        }
    }
    next.set(Screen::Review);
}

/// Loads the battle as a replay, so that any of its moments can be shown.
fn set_up(world: &mut World) {
    let Some(state) = world.get_resource::<ReviewState>() else {
        return;
    };
    let readings = state.readings.clone();
    // This version of the program recorded the battle, so loading it works.
    if let Ok(session) = Session::load(&state.recording) {
        world.insert_resource(session.into_replay().with_result(readings));
    }
}

/// Takes over new results of the background work.
fn take_in(mut state: ResMut<ReviewState>, time: Res<Time<Real>>) {
    let now = time.elapsed_secs();
    let state_now = state.bypass_change_detection();
    let Some(work) = &mut state_now.work else {
        return;
    };
    let done = work.done(false);
    if done.is_none() && now - state_now.drawn_at < BETWEEN {
        return;
    }
    let found = state_now
        .found
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    if found.is_none() && done.is_none() {
        return;
    }
    if let Some(review) = found {
        state_now.review = review;
    }
    if done.is_some() {
        state_now.work = None;
        state_now.is_done = true;
    }
    state_now.drawn_at = now;
    state.set_changed();
}

fn choose(mut app_commands: MessageReader<AppCommand>, mut state: ResMut<ReviewState>) {
    for app_command in app_commands.read() {
        let AppCommand::Review(command) = app_command else {
            continue;
        };
        match command {
            // They change the screen.
            ReviewCommand::Open | ReviewCommand::ShowResult => {}
            ReviewCommand::ShowMistake(n) => state.chosen = *n,
            ReviewCommand::NextMistake => state.show_next(),
        }
    }
}

fn keys(
    keys: Res<ButtonInput<Key>>,
    letters: Res<ButtonInput<KeyCode>>,
    focus: Res<InputFocus>,
    state: Res<ReviewState>,
    mut out: MessageWriter<AppCommand>,
) {
    if keys.just_pressed(Key::Back) {
        out.write(state.way_back.clone());
    } else if keys.just_pressed(Key::Confirm) && focus.get().is_none() {
        out.write(AppCommand::Game(GameCommand::Again { same_dice: false }));
    } else if letters.just_pressed(KeyCode::KeyT) {
        out.write(AppCommand::Puzzle(PuzzleCommand::Try));
    } else if letters.just_pressed(KeyCode::KeyN) {
        out.write(AppCommand::Review(ReviewCommand::NextMistake));
    } else if letters.just_pressed(KeyCode::KeyW) {
        out.write(AppCommand::Replay(ReplayCommand::Watch(0)));
    }
}

/// The system parameters that the parts of the page need.
#[derive(SystemParam)]
struct Maker<'w, 's> {
    session: ResMut<'w, Session>,
    state: Res<'w, ReviewState>,
    icons: SmallPictures<'w>,
    room: Room<'w, 's>,
}

fn build(mut commands: Commands, old: Query<Entity, With<PageRoot>>, mut maker: Maker) {
    let event = maker.state.decision().map(|one| one.event);
    let event = event.unwrap_or_else(|| maker.session.game.length());
    maker.session.bypass_change_detection().seek(event);
    let sheet = super::sheet(&mut maker.icons);
    let (is_narrow, left, right) = super::page_columns(&maker.room, 0.63);
    // The height that remains for the two columns.
    let high = maker.room.size().y - 80.0 - 118.0 * maker.room.text();
    let review = ("Review page", Screen::Review);
    let mut page = new_page(&mut commands, old, review, sheet);
    if !maker.state.is_done {
        page.insert(KeepRedrawing);
    }
    page.with_children(|page| {
        page.group(row(12.0), |head| heading(head, &maker));
        let body = super::page_body(is_narrow);
        page.spawn_with((body, ScrollArea), |body| {
            let part = |width: f32| Node {
                width: px(width),
                flex_shrink: 0.0,
                align_self: AlignSelf::FlexStart,
                ..column(theme::GAP)
            };
            body.group(part(left), |column| {
                curve::card(column, &mut maker, (left, high));
                moment::card(column, &mut maker, (left, high));
            });
            body.group(part(right), |column| {
                cards::mistakes(column, &mut maker);
                cards::accuracy(column, &mut maker);
                cards::luck(column, &mut maker);
            });
        });
        page.spawn_with(super::page_foot(), |foot| foot_row(foot, &maker));
    });
}

/// The outcome, and how much of it was due to orders and how much to dice.
fn heading(head: &mut ChildSpawnerCommands, maker: &Maker) {
    let (session, state) = (&maker.session, &maker.state);
    let (game, names) = (&session.game, session.game.names());
    let you = game.humans() == 1 && game.is_human(state.side);
    let end = state.review.end.get(state.side.index()).copied();
    let rounds = state.review.rounds;
    let (verdict, ink) = match end {
        _ if !game.is_over() => (String::from("Not over."), palette::INK),
        Some(1.0) => (format!("Won in {}.", words::round(rounds)), palette::TEAL),
        Some(0.0) => (
            format!("Lost in {}.", words::round(rounds)),
            palette::DANGER,
        ),
        Some(_) => (format!("A draw in {}.", words::round(rounds)), palette::INK),
        None => (String::new(), palette::INK),
    };
    let story = match state.review.decisions.is_empty() {
        _ if !state.is_done => {
            let percent = (state.review.progress * 100.0).floor();
            format!("Reviewing\u{2026} {percent}%")
        }
        true => String::from("There was nothing to decide."),
        false => headline(&state.review, names, state.side, you),
    };
    head.group(column(2.0), |column| {
        let title = format!("Review: {}", game.level().title);
        column.spawn(text(title, TextStyle::Title, palette::INK));
        column.group(wrapping_row(6.0, 0.0), |line| {
            line.spawn(text(verdict, TextStyle::Strong, ink));
            line.spawn(body_text(story));
        });
    });
    head.spawn(spacer());
    head.group(rigid(column(2.0).align(AlignItems::End)), |column| {
        column.spawn(strong_text(game.rules().id.to_string()));
        let orders = count(state.review.decisions.len(), "order");
        let status = match state.is_done {
            true => format!("{} · {orders} checked", count(rounds.into(), "round")),
            false => format!("{orders} so far"),
        };
        column.spawn(faded(status));
    });
}

fn foot_row(foot: &mut ChildSpawnerCommands, maker: &Maker) {
    let state = &maker.state;
    if state.decision().is_some() {
        let again = ("Try this moment again (T)", Panel::ButtonPrimary);
        panel_button(foot, again, AppCommand::Puzzle(PuzzleCommand::Try));
        if state.mistakes().len() > 1 {
            let next = AppCommand::Review(ReviewCommand::NextMistake);
            message_button(foot, "Next mistake (N)", next);
        }
    }
    let watch = AppCommand::Replay(ReplayCommand::Watch(0));
    message_button(foot, "Watch it all (W)", watch);
    let words = "You start again at that moment, with unlimited tries.";
    if state.decision().is_some() {
        foot.spawn(faded(words));
    }
    foot.spawn(spacer());
    message_button(foot, "Back (Esc)", state.way_back.clone());
    let again = AppCommand::Game(GameCommand::Again { same_dice: false });
    message_button(foot, "Play again (Enter)", again);
}
