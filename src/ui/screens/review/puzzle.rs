//! A moment of a reviewed battle as a puzzle: find an order within 2% win chance of the
//! best one. The number of tries is unlimited.

use super::ReviewState;
use crate::{
    battle::Choice,
    control::review::{Estimate, better, said},
    ui::{
        Phase, Screen, Selection, Session,
        app_command::{AppCommand, PuzzleCommand, Replies, ReviewCommand},
        art::hud::Panel,
        modal::spawn_modal,
        redraw::KeepRedrawing,
        saves::autosave,
        session::thinking::Thinking,
        theme::{body_text, heading_text},
        widgets::{
            NodeExt, SpawnWith, card, despawn_all, panel_button, panel_style, rule, wrapping_row,
        },
    },
};
use bevy::prelude::*;

/// How close to the best win probability (0 to 1) an order has to be to solve the
/// puzzle.
const NEAR: f32 = 0.02;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            (begin, leave).in_set(Phase::Commands),
            judge
                .in_set(Phase::Commands)
                .run_if(resource_exists::<Puzzle>)
                .run_if(in_state(Screen::Battle)),
        )
            .chain(),
    );
    for screen in [Screen::Title, Screen::Review, Screen::Result] {
        app.add_systems(OnEnter(screen), |mut commands: Commands| {
            commands.remove_resource::<Puzzle>();
        });
    }
}

/// The puzzle on the board. It is never saved and wins no star.
#[derive(Resource)]
pub struct Puzzle {
    /// The number of answers before the moment.
    answers: usize,
    best: Choice,
    /// The simulation of the player's order, while it runs.
    work: Option<Thinking<Option<Estimate>>>,
    tries: u32,
    /// The player found an order within 2% win chance of the best.
    pub is_solved: bool,
    is_rated: bool,
}

/// The card that rates the player's order.
#[derive(Component)]
pub struct PuzzleCard;

/// Opens the puzzle on the review's board, or restarts it.
fn begin(
    mut app_commands: MessageReader<AppCommand>,
    state: Option<ResMut<ReviewState>>,
    session: Option<Res<Session>>,
    old: Option<Res<Puzzle>>,
    mut commands: Commands,
) {
    let (Some(mut state), Some(session)) = (state, session) else {
        app_commands.clear();
        return;
    };
    let is_asked = |it: &&AppCommand| match it {
        AppCommand::Puzzle(PuzzleCommand::Try | PuzzleCommand::TryAgain) => true,
        // On the review screen this command only shows the next mistake.
        AppCommand::Review(ReviewCommand::NextMistake) => old.is_some(),
        _ => false,
    };
    let Some(asked) = app_commands.read().find(is_asked) else {
        return;
    };
    if *asked == AppCommand::Review(ReviewCommand::NextMistake) {
        state.show_next();
    }
    let Some(decision) = state.decision() else {
        return;
    };
    let tries = match (asked, &old) {
        (AppCommand::Puzzle(PuzzleCommand::TryAgain), Some(old)) => old.tries,
        _ => 0,
    };
    let moment = session.from_moment(decision.answer, decision.side);
    let puzzle = Puzzle {
        answers: decision.answer,
        best: decision.best().choice.clone(),
        work: None,
        tries,
        is_solved: false,
        is_rated: false,
    };
    let mut words = String::from("Find an order within 2% win chance of the best.");
    if let Some(who) = decision.who {
        words += &format!(" You had ordered {}.", session.shown().unit(who).name);
    }
    commands.queue(move |world: &mut World| {
        world.insert_resource(puzzle);
        autosave::show(world, moment);
        world.resource_mut::<Selection>().show_toast(words);
    });
}

fn leave(
    mut app_commands: MessageReader<AppCommand>,
    puzzle: Option<Res<Puzzle>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let goes_back = |it: &AppCommand| *it == AppCommand::Puzzle(PuzzleCommand::Leave);
    if app_commands.read().any(goes_back) && puzzle.is_some() {
        next.set(Screen::Review);
    }
}

/// Simulates the player's order and shows how good it is.
fn judge(
    session: Res<Session>,
    mut puzzle: ResMut<Puzzle>,
    state: Option<Res<ReviewState>>,
    cards: Query<Entity, With<PuzzleCard>>,
    mut commands: Commands,
) {
    let Some(state) = state else { return };
    if puzzle.is_rated {
        return;
    }
    let Some(given) = session.game.answers().get(puzzle.answers) else {
        return;
    };
    let Some(work) = &mut puzzle.work else {
        let work = session
            .game
            .cost_of(puzzle.answers, given.clone(), puzzle.best.clone());
        puzzle.work = Some(work);
        puzzle.tries += 1;
        show(&mut commands, "Playing it out\u{2026}", None);
        return;
    };
    let Some(cost) = work.done(false) else {
        return;
    };
    despawn_all(&mut commands, &cards);
    puzzle.is_rated = true;
    let names = session.game.names();
    let order = said(given, names);
    let is_best = *given == puzzle.best;
    let cost = cost.unwrap_or_default();
    puzzle.is_solved = is_best || cost.value <= NEAR;
    let best = state.decision().map(|decision| better(decision, names));
    let has_next = state.mistakes().len() > 1;
    let leave = AppCommand::Puzzle(PuzzleCommand::Leave);
    if puzzle.is_solved {
        let tries = match puzzle.tries {
            1 => String::from("at the first try"),
            n => format!("after {n} tries"),
        };
        let words = match (is_best, best) {
            (true, _) => format!("{order}: the best order that was found, {tries}."),
            (_, Some(best)) => {
                format!("{order} is within 2% win chance of the best ({best}), {tries}.")
            }
            (_, None) => format!("{order} is within 2% win chance of the best, {tries}."),
        };
        let mut answers = vec![("Back to the review", Panel::ButtonPrimary, leave)];
        if has_next {
            let next = AppCommand::Review(ReviewCommand::NextMistake);
            answers.push(("Next mistake", Panel::Button, next));
        }
        answers.push(("Play on from here", Panel::Button, AppCommand::Close));
        show(&mut commands, "Solved", Some((words, &answers[..])));
    } else {
        let words = format!(
            "{order} costs {:.0}% win chance, \u{b1} {:.0}, against the best order.",
            cost.value * 100.0,
            cost.error * 100.0
        );
        let again = AppCommand::Puzzle(PuzzleCommand::TryAgain);
        let again = ("Try again (Enter)", Panel::ButtonPrimary, again);
        let back = ("Back to the review (Esc)", Panel::Button, leave);
        show(&mut commands, "Not yet", Some((words, &[again, back][..])));
    }
}

/// A button of the card.
type Answer = (&'static str, Panel, AppCommand);

/// Shows the card. Without text and buttons, the order is still being simulated.
fn show(commands: &mut Commands, title: &str, rating: Option<(String, &[Answer])>) {
    let is_busy = rating.is_none();
    let replies = Replies::new(None, AppCommand::Puzzle(PuzzleCommand::Leave));
    let root = (PuzzleCard, replies, DespawnOnExit(Screen::Battle));
    let node = card().width(px(480)).max_width(percent(90)).row_gap(4.0);
    let card = (node, panel_style(Panel::CardActive));
    spawn_modal(commands, ("Puzzle card", 60), root, card, |card| {
        card.spawn(heading_text(title));
        let Some((words, answers)) = rating else {
            return;
        };
        card.spawn(rule());
        card.spawn(body_text(words));
        let buttons = wrapping_row(8.0, 6.0).margin_top(12.0);
        card.spawn_with(buttons, |buttons| {
            for (words, panel, does) in answers {
                panel_button(buttons, (words, *panel), does.clone());
            }
        });
    })
    .insert_if(KeepRedrawing, || is_busy);
}
