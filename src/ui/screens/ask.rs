//! A confirmation before anything that cannot be undone, and messages to the player.

use crate::ui::{
    Phase,
    app_command::{AppCommand, FileCommand, GameCommand, Replies, SaveCommand},
    art::hud::Panel,
    modal::spawn_modal,
    saves::browser::Browser,
    theme::{body_text, heading_text},
    widgets::{
        NodeExt, SpawnWith, card, despawn_all, message_button, panel_button, panel_style, row, rule,
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update_ask_card.in_set(Phase::Commands));
}

/// A question or a message over everything else.
#[derive(Component)]
pub struct AskCard;

/// The content of a card with one or two buttons.
struct Question {
    title: String,
    words: String,
    yes: Option<(&'static str, AppCommand)>,
}

/// Shows a question or a message, and closes it once it is answered.
fn update_ask_card(
    mut app_commands: MessageReader<AppCommand>,
    browser: Option<Res<Browser>>,
    old: Query<Entity, With<AskCard>>,
    mut commands: Commands,
) {
    for app_command in app_commands.read() {
        let question = match app_command {
            AppCommand::Ask(app_command) => Some(about(app_command, browser.as_deref())),
            AppCommand::Tell(title, words) => Some(Question {
                title: title.clone(),
                words: words.clone(),
                yes: None,
            }),
            AppCommand::Close => continue,
            // Any other command means that the question was answered.
            _ => None,
        };
        despawn_all(&mut commands, &old);
        if let Some(question) = question {
            show(&mut commands, question);
        }
    }
}

fn about(app_command: &AppCommand, browser: Option<&Browser>) -> Question {
    let name = || {
        let chosen = browser.and_then(|b| b.chosen());
        chosen.map_or_else(String::new, |e| e.name())
    };
    let (title, words, yes) = match app_command {
        AppCommand::File(FileCommand::Delete) => (
            format!("Delete \u{201c}{}\u{201d}?", name()),
            "This can't be undone.",
            "Delete",
        ),
        AppCommand::File(FileCommand::Save) => (
            String::from("Overwrite it?"),
            "A save with that name already exists.",
            "Overwrite",
        ),
        AppCommand::Game(GameCommand::RestartTurn) => (
            String::from("Restart this turn?"),
            "Undoes everything in this turn, dice included. Once per battle; the result screen shows it.",
            "Restart",
        ),
        AppCommand::Game(GameCommand::Retreat) => (
            String::from("Retreat from this battle?"),
            "Your units leave at the end of the round. The battle is lost and costs one retreat; without one left, the run ends. This can't be undone.",
            "Retreat",
        ),
        AppCommand::Game(GameCommand::Again { .. }) => (
            String::from("Restart the battle?"),
            "The battle starts again with the same seed. The current battle stays in your saves.",
            "Restart",
        ),
        AppCommand::Save(SaveCommand::Salvage { answers, why, .. }) => {
            let title = String::from("It no longer runs to the end");
            let first = match answers {
                1 => String::from("The first move still runs"),
                n => format!("The first {n} moves still run"),
            };
            let words =
                format!("{why}\n{first} as before. Continue from there? The file is not changed.");
            let yes = Some(("Continue", app_command.clone()));
            return Question { title, words, yes };
        }
        _ => (
            String::from("Are you sure?"),
            "This can't be undone.",
            "Yes",
        ),
    };
    Question {
        title,
        words: words.into(),
        yes: Some((yes, app_command.clone())),
    }
}

fn show(commands: &mut Commands, question: Question) {
    let enter = match &question.yes {
        Some((_, app_command)) => app_command.clone(),
        None => AppCommand::Close,
    };
    let root = (AskCard, Replies::new(Some(enter), AppCommand::Close));
    let node = card().width(px(460)).max_width(percent(90)).row_gap(4.0);
    let card = (node, panel_style(Panel::CardActive));
    spawn_modal(commands, ("Question", 80), root, card, |card| {
        card.spawn(heading_text(question.title));
        card.spawn(rule());
        card.spawn(body_text(question.words));
        let buttons = row(8.0).margin_top(12.0);
        card.spawn_with(buttons, |buttons| {
            let no = match question.yes {
                Some((yes, app_command)) => {
                    let yes = format!("{yes} (Enter)");
                    panel_button(buttons, (&yes, Panel::ButtonDanger), app_command);
                    "Cancel (Esc)"
                }
                None => "OK (Enter)",
            };
            message_button(buttons, no, AppCommand::Close);
        });
    });
}
