//! Watching a battle: a recording is played on the battle screen, with a
//! timeline in place of the acts.
//!
//! What is shown, and how far it may go on, is the session's
//! ([`tape`](super::session::Tape)); here are the controls.

mod timeline;

pub use timeline::{TapeButton, TimelineBar, bar};

use super::{Command, Phase, Screen, Session, errand::Errand, saves::keeper};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(timeline::plugin);
    app.add_systems(Update, run.in_set(Phase::Obey));
}

/// What a command of the battle means for what is watched. Nothing is lost by
/// what means nothing: nobody is asked.
pub fn obey(command: &Command, session: &mut Session) {
    match command {
        Command::Skip | Command::Go => session.play(!session.is_playing()),
        Command::Step(east, _) if *east != 0 => session.step(*east < 0),
        Command::Undo => session.step(true),
        _ => {}
    }
}

fn run(
    mut errands: MessageReader<Errand>,
    session: Option<ResMut<Session>>,
    screen: Res<State<Screen>>,
    mut commands: Commands,
) {
    let Some(mut session) = session else { return };
    for errand in errands.read() {
        match errand {
            Errand::PlayOn if session.tape().is_some() => {
                let battle = session.play_on();
                commands.queue(|world: &mut World| keeper::show(world, battle));
            }
            Errand::Watch if *screen == Screen::Result => {
                let recording = session.bypass_change_detection().recording("");
                match Session::load(&recording) {
                    Ok(session) => {
                        commands.queue(|world: &mut World| keeper::show(world, session.into_tape()))
                    }
                    Err(broken) => {
                        let title = String::from("It cannot be watched");
                        commands.write_message(Errand::Tell(title, broken.why));
                    }
                }
            }
            _ => {}
        }
    }
}
