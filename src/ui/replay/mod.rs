//! Watching a battle: a recording is played on the battle screen, with a timeline
//! instead of the action bar.
//!
//! This module has the controls. The session holds what is shown and how far it can
//! continue ([`Replay`](super::session::Replay)).

mod ribbon;
mod timeline;

pub use ribbon::Ribbon;
pub use timeline::{ReplayButton, TimelineBar, bar};

use super::{
    Command, Phase, Screen, Session,
    app_command::{AppCommand, ReplayCommand},
    saves::autosave,
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((timeline::plugin, ribbon::plugin));
    app.add_systems(Update, run.in_set(Phase::Commands));
}

/// Plays, pauses or steps a replay, by the battle command for the same key. Other
/// commands do nothing during a replay.
pub fn control_replay(command: &Command, session: &mut Session) {
    match command {
        Command::Skip | Command::Go => session.play(!session.is_playing()),
        Command::Step(east, _) if *east != 0 => session.step(*east < 0),
        Command::Undo => session.step(true),
        _ => {}
    }
}

fn run(
    mut app_commands: MessageReader<AppCommand>,
    session: Option<Res<Session>>,
    screen: Res<State<Screen>>,
    mut commands: Commands,
) {
    let Some(session) = session else { return };
    let is_over = matches!(**screen, Screen::Result | Screen::Review);
    for app_command in app_commands.read() {
        let AppCommand::Replay(command) = app_command else {
            continue;
        };
        let replay_at = |from: usize| {
            session.as_replay().map(|mut watched| {
                watched.seek(from);
                watched
            })
        };
        let shown = match command {
            ReplayCommand::PlayOn if session.replay().is_some() => Ok(session.play_on()),
            ReplayCommand::Watch(from) if is_over => replay_at(*from).map(|mut watched| {
                watched.play(true);
                watched
            }),
            ReplayCommand::Show(from) if is_over => replay_at(*from),
            ReplayCommand::TryFrom(from) if is_over => {
                replay_at(*from).map(|watched| watched.play_on())
            }
            _ => continue,
        };
        match shown {
            Ok(shown) => commands.queue(|world: &mut World| autosave::show(world, shown)),
            Err(broken) => {
                let title = String::from("Can't show this replay");
                commands.write_message(AppCommand::Tell(title, broken.why));
            }
        }
    }
}
