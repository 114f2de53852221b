//! Commands to the game itself, as opposed to the battle: saving, pausing, starting
//! battles. Buttons and keys write [`AppCommand`]s. Each group of commands is carried out by one
//! module.

use super::{
    Phase, Screen, art::hud::Panel, input::Key, modal::Modal, session::TestBattle, widgets::Skin,
};
use crate::control::recording::SideController;
use crate::ui::widgets::send_on_press;
use bevy::{input_focus::InputFocus, prelude::*, text::EditableText, ui_widgets::Activate};
use std::path::PathBuf;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<AppCommand>();
    app.add_observer(send_on_press::<AppCommand>);
    app.add_systems(
        Update,
        (
            (
                keys,
                leave_test_battle.run_if(resource_exists::<TestBattle>),
                quick_keys,
            )
                .in_set(Phase::Input),
            close.in_set(Phase::Commands),
        ),
    );
}

#[derive(Message, Clone, PartialEq, Debug)]
pub enum AppCommand {
    /// Close the topmost modal.
    Close,
    /// Ask for confirmation before this command.
    Ask(Box<AppCommand>),
    /// Show a message with a title and a text.
    Tell(String, String),
    /// Show the board to the next player, who is at the screen now.
    NextPlayer,
    Game(GameCommand),
    File(FileCommand),
    Save(SaveCommand),
    Replay(ReplayCommand),
    Review(ReviewCommand),
    Puzzle(PuzzleCommand),
}

/// Pauses, restarts and leaves battles, and starts new ones.
#[derive(Clone, PartialEq, Debug)]
pub enum GameCommand {
    /// Open the pause menu.
    Pause,
    RestartTurn,
    /// The player's side gives up a battle of the Road.
    Retreat,
    /// Restart the battle, with the same seed or a new one.
    Again {
        same_dice: bool,
    },
    /// Start a battle by the ids of level and ruleset; `controllers` are the controllers by
    /// side.
    Fight {
        level: String,
        rules: &'static str,
        controllers: Vec<SideController>,
    },
    /// Leave for the title screen; the battle is saved.
    Leave,
    Quit,
}

/// Commands of the list of files.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FileCommand {
    /// Open the list.
    Browse(Browse),
    /// Select a row.
    Choose(usize),
    /// Load the selected file, or watch it if it is a replay.
    Open,
    /// Delete the selected file.
    Delete,
    /// Save the battle under the typed name.
    Save,
}

/// Saves and continues battles without a list.
#[derive(Clone, PartialEq, Debug)]
pub enum SaveCommand {
    QuickSave,
    QuickLoad,
    /// Continue the battle that was left last.
    Continue,
    /// Continue a file from the part that still works, its first `answers` answers.
    /// `why` says what is wrong with the rest.
    Salvage {
        path: PathBuf,
        answers: usize,
        why: String,
    },
}

/// Shows the battle just played or watched again. Moments are numbers of events.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReplayCommand {
    /// Watch the battle just played, from this moment.
    Watch(usize),
    /// Show this moment of the battle just played, without playing on.
    Show(usize),
    /// Start a new battle from this moment of the battle just played.
    TryFrom(usize),
    /// Continue the watched battle as a new battle from here.
    PlayOn,
}

/// Commands of the review.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReviewCommand {
    /// Open the review of the battle just played or watched.
    Open,
    /// Return to the result from the review or the replay of the battle just played.
    ShowResult,
    /// Show a mistake on the board, by its index, or the next one.
    ShowMistake(usize),
    NextMistake,
}

/// Commands of a puzzle: a moment of the review, played again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PuzzleCommand {
    /// Start with the moment on the review's board.
    Try,
    /// Start the puzzle again.
    TryAgain,
    /// Return to the review.
    Leave,
}

/// Which files to list, and what for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Browse {
    Load,
    Save,
    Replays,
}

/// What Enter and Escape do while this modal is on top. If the modal has a teal
/// button, Enter presses that instead.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Replies {
    pub enter: Option<AppCommand>,
    pub back: AppCommand,
}

impl Replies {
    pub fn new(enter: Option<AppCommand>, back: AppCommand) -> Self {
        Self { enter, back }
    }
}

/// Enter presses the teal button of the topmost modal, unless another button has the
/// focus. Without a teal button, the modal's [`Replies`] say what Enter does.
fn keys(
    keys: Res<ButtonInput<Key>>,
    modals: Query<(Entity, &GlobalZIndex, Option<&Replies>), With<Modal>>,
    (children, skins): (Query<&Children>, Query<&Skin>),
    focus: Res<InputFocus>,
    entries: Query<(), With<EditableText>>,
    mut out: MessageWriter<AppCommand>,
    mut commands: Commands,
) {
    let top = modals.iter().max_by_key(|(_, above, _)| above.0);
    let Some((modal, _, replies)) = top else {
        return;
    };
    let is_free = focus.get().is_none_or(|it| entries.contains(it));
    if keys.just_pressed(Key::Back) {
        out.write_batch(replies.map(|replies| replies.back.clone()));
    } else if keys.just_pressed(Key::Confirm) && is_free {
        let is_teal = |button: &Entity| {
            skins
                .get(*button)
                .is_ok_and(|skin| skin.0 == Panel::ButtonPrimary)
        };
        match children.iter_descendants(modal).find(is_teal) {
            Some(entity) => commands.trigger(Activate { entity }),
            None => {
                out.write_batch(replies.and_then(|replies| replies.enter.clone()));
            }
        }
    }
}

/// In test play, the quick-save key returns to the editor.
fn leave_test_battle(
    keys: Res<ButtonInput<Key>>,
    screen: Res<State<Screen>>,
    mut out: MessageWriter<AppCommand>,
) {
    let is_tried = matches!(screen.get(), Screen::Battle | Screen::Result);
    if is_tried && keys.just_pressed(Key::QuickSave) {
        out.write(AppCommand::Game(GameCommand::Leave));
    }
}

/// Quick save works in a battle, quick load also after it.
fn quick_keys(
    keys: Res<ButtonInput<Key>>,
    modals: Query<(), With<Modal>>,
    (screen, test_battle): (Res<State<Screen>>, Option<Res<TestBattle>>),
    mut out: MessageWriter<AppCommand>,
) {
    if !modals.is_empty() {
        return;
    }
    let is_battle = *screen == Screen::Battle;
    if is_battle && test_battle.is_none() && keys.just_pressed(Key::QuickSave) {
        out.write(AppCommand::Save(SaveCommand::QuickSave));
    }
    let is_over = matches!(screen.get(), Screen::Result | Screen::Review);
    if (is_battle || is_over) && keys.just_pressed(Key::QuickLoad) {
        out.write(AppCommand::Save(SaveCommand::QuickLoad));
    }
}

/// Closes the topmost modal if it has [`Replies`], once for each close command.
fn close(
    mut app_commands: MessageReader<AppCommand>,
    modals: Query<(Entity, &GlobalZIndex, Has<Replies>), With<Modal>>,
    mut commands: Commands,
) {
    let closes = app_commands
        .read()
        .filter(|e| **e == AppCommand::Close)
        .count();
    let mut all: Vec<_> = modals.iter().collect();
    all.sort_by_key(|(_, above, _)| std::cmp::Reverse(above.0));
    for (top, ..) in all.into_iter().take(closes).filter(|v| v.2) {
        commands.entity(top).try_despawn();
    }
}
