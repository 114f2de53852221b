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
            NodeExt, SendOnPress, SpawnWith, card, despawn_all, panel_style, rule, word_button,
            wrapping_row,
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
        AppCommand::Puzzle(PuzzleCommand::Try) | AppCommand::Puzzle(PuzzleCommand::TryAgain) => {
            true
        }
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
    let who = decision
        .who
        .map(|who| session.shown().unit(who).name.clone());
    let puzzle = Puzzle {
        answers: decision.answer,
        best: decision.best().choice.clone(),
        work: None,
        tries,
        is_solved: false,
        is_rated: false,
    };
    let words = match who {
        Some(who) => {
            format!("Find an order within 2% win chance of the best. You had ordered {who}.")
        }
        None => String::from("Find an order within 2% win chance of the best."),
    };
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
        show(
            &mut commands,
            "Playing it out\u{2026}",
            String::new(),
            &[],
            true,
        );
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
    let next = (
        "Next mistake",
        Panel::Button,
        AppCommand::Review(ReviewCommand::NextMistake),
    );
    let back = (
        "Back to the review (Esc)",
        Panel::Button,
        AppCommand::Puzzle(PuzzleCommand::Leave),
    );
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
        let mut answers = vec![(
            "Back to the review",
            Panel::ButtonPrimary,
            AppCommand::Puzzle(PuzzleCommand::Leave),
        )];
        answers.extend(has_next.then_some(next));
        answers.push(("Play on from here", Panel::Button, AppCommand::Close));
        show(&mut commands, "Solved", words, &answers, false);
    } else {
        let words = format!(
            "{order} costs {:.0}% win chance, \u{b1} {:.0}, against the best order.",
            cost.value * 100.0,
            cost.error * 100.0
        );
        let again = (
            "Try again (Enter)",
            Panel::ButtonPrimary,
            AppCommand::Puzzle(PuzzleCommand::TryAgain),
        );
        show(&mut commands, "Not yet", words, &[again, back], false);
    }
}

fn show(
    commands: &mut Commands,
    title: &str,
    words: String,
    answers: &[(&str, Panel, AppCommand)],
    is_busy: bool,
) {
    let replies = Replies {
        enter: None,
        back: AppCommand::Puzzle(PuzzleCommand::Leave),
    };
    let root = (
        Name::new("Puzzle card"),
        PuzzleCard,
        replies,
        DespawnOnExit(Screen::Battle),
    );
    let node = card().width(px(480)).max_width(percent(90)).row_gap(4.0);
    let card = (node, panel_style(Panel::CardActive));
    let mut modal = spawn_modal(commands, (root, 60), card, |card| {
        card.spawn(heading_text(title));
        if words.is_empty() {
            return;
        }
        card.spawn(rule());
        card.spawn(body_text(words));
        let buttons = wrapping_row(8.0, 6.0).margin_top(12.0);
        card.spawn_with(buttons, |buttons| {
            for (words, panel, does) in answers {
                buttons.spawn((word_button(words, *panel), SendOnPress(does.clone())));
            }
        });
    });
    if is_busy {
        modal.insert(KeepRedrawing);
    }
}
