//! Watching a battle: a recording is played on the battle screen, with a timeline
//! instead of the action bar.
//!
//! This module has the controls. The session holds what is shown and how far it can
//! continue ([`Replay`](super::session::Replay)).

mod timeline;

pub use timeline::{TapeButton, TimelineBar, bar};

use super::{Command, Phase, Screen, Session, app_command::AppCommand, saves::autosave};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(timeline::plugin);
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
    for app_command in app_commands.read() {
        match app_command {
            AppCommand::PlayOn if session.replay().is_some() => {
                let battle = session.play_on();
                commands.queue(|world: &mut World| autosave::show(world, battle));
            }
            AppCommand::Watch(from) | AppCommand::TryFrom(from)
                if matches!(**screen, Screen::Result | Screen::Review) =>
            {
                match session.as_replay() {
                    Ok(mut watched) => {
                        watched.seek(*from);
                        if let AppCommand::TryFrom(_) = app_command {
                            watched = watched.play_on();
                        } else {
                            watched.play(true);
                        }
                        commands.queue(|world: &mut World| autosave::show(world, watched));
                    }
                    Err(broken) => {
                        let title = String::from("Can't show this replay");
                        commands.write_message(AppCommand::Tell(title, broken.why));
                    }
                }
            }
            _ => {}
        }
    }
}
