//! What the player asks of the game itself, as opposed to the battle: saves,
//! pauses, other battles. Buttons and keys write [`AppCommand`]s; whoever owns the
//! matter runs them.

use super::{
    Phase, Screen, Session, art::hud::Panel, input::Key, modal::Modal, session::Trial,
    widgets::Skin,
};
use crate::control::recording::Seat;
use bevy::{input_focus::InputFocus, prelude::*, text::EditableText, ui_widgets::Activate};
use std::path::PathBuf;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<AppCommand>();
    app.add_observer(send);
    app.add_systems(
        Update,
        (
            (
                keys,
                back_from_trial.run_if(resource_exists::<Trial>),
                quick_keys.run_if(in_state(Screen::Battle)),
            )
                .in_set(Phase::Input),
            close.in_set(Phase::Obey),
        ),
    );
}

#[derive(Message, Clone, PartialEq, Debug)]
pub enum AppCommand {
    /// The pause menu.
    Pause,
    /// What lies on top goes away.
    Close,
    /// Ask before this is done.
    Ask(Box<AppCommand>),
    /// Tell the player; the first is a heading.
    Tell(String, String),
    /// A list of files.
    Browse(Browse),
    /// A row of that list.
    Choose(usize),
    /// The chosen file is loaded, or watched if it is a replay.
    Open,
    /// The chosen file is deleted.
    Delete,
    /// The battle is saved under the name that was typed.
    Save,
    QuickSave,
    QuickLoad,
    /// The youngest save goes on.
    Continue,
    /// What still runs of a file, its first answers, goes on; `why` tells what
    /// is wrong with the rest.
    Salvage {
        path: PathBuf,
        answers: usize,
        why: String,
    },
    /// The battle that was fought is watched, from after so many of its events.
    Watch(usize),
    /// A battle of its own goes on from that moment of the one that was fought.
    TryFrom(usize),
    /// What is watched goes on as a battle from here.
    PlayOn,
    /// The review of the battle that was fought or is watched.
    Review,
    /// From the review back to the result.
    ShowResult,
    /// A mistake of the review, by its place, is put on the board; or the next one.
    ShowMistake(usize),
    NextMistake,
    /// The moment on the review's board is to be solved.
    TryMoment,
    /// The moment is tried once more.
    TryMomentAgain,
    /// From the moment back to the review.
    BackToReview,
    /// The same battle from its start, with the same dice or others.
    Again {
        same_dice: bool,
    },
    /// A new battle on a level, by their ids; `seats` by side.
    Fight {
        level: String,
        rules: &'static str,
        seats: Vec<Seat>,
    },
    RestartTurn,
    /// The player's side gives up a battle of the Road.
    Retreat,
    /// The next player sits at the screen.
    TakeSeat,
    /// To the title screen; the battle is kept.
    Leave,
    Quit,
}

/// Which files are listed, and what for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Browse {
    Load,
    Save,
    Replays,
}

/// A button of this sends the command.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Does(pub AppCommand);

/// What Enter and Esc do while this modal is on top. Enter presses its teal button
/// if it has one.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Replies {
    pub enter: Option<AppCommand>,
    pub back: AppCommand,
}

fn send(on: On<Activate>, buttons: Query<&Does>, mut out: MessageWriter<AppCommand>) {
    if let Ok(Does(app_command)) = buttons.get(on.entity) {
        out.write(app_command.clone());
    }
}

/// Enter presses the teal button of the modal on top, unless another button has the
/// focus. Where no button is teal, the modal's [`Replies`] say what Enter does.
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

/// From a level that is tried the key of the quick save leads back to where it is made.
fn back_from_trial(
    keys: Res<ButtonInput<Key>>,
    screen: Res<State<Screen>>,
    mut out: MessageWriter<AppCommand>,
) {
    let is_tried = matches!(screen.get(), Screen::Battle | Screen::Result);
    if is_tried && keys.just_pressed(Key::QuickSave) {
        out.write(AppCommand::Leave);
    }
}

fn quick_keys(
    keys: Res<ButtonInput<Key>>,
    modals: Query<(), With<Modal>>,
    (session, trial): (Res<Session>, Option<Res<Trial>>),
    mut out: MessageWriter<AppCommand>,
) {
    if !modals.is_empty() || session.replay().is_some() {
        return;
    }
    if trial.is_none() && keys.just_pressed(Key::QuickSave) {
        out.write(AppCommand::QuickSave);
    }
    if keys.just_pressed(Key::QuickLoad) {
        out.write(AppCommand::QuickLoad);
    }
}

/// Closes the modal on top if it has [`Replies`], once for each close command.
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
