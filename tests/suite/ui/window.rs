//! A real window: it opens, draws every screen, and none of them is blank.

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};
use fivefoot::ui::{Command, Options, Screen, Session, window_app};
use std::collections::HashSet;

/// What has been seen so far.
#[derive(Resource, Default)]
struct Album {
    colours: Vec<(Screen, usize)>,
    frame: u32,
}

#[test]
fn every_screen_shows_something() {
    let display = std::env::var_os("DISPLAY");
    assert!(
        display.is_some(),
        "a display is needed: ./test brings a virtual one"
    );
    let mut app = window_app(
        Options {
            seed: Some(2),
            home: Some(super::hands::fresh_home()),
            ..Options::default()
        },
        true,
    );
    app.init_resource::<Album>().add_systems(Last, leaf_through);
    let exit = app.run();
    assert_eq!(exit, AppExit::Success, "it went through all screens");
}

/// Shows one screen after the other and takes a picture of each.
fn leaf_through(
    mut album: ResMut<Album>,
    screen: Res<State<Screen>>,
    session: Option<Res<Session>>,
    mut next: ResMut<NextState<Screen>>,
    mut orders: MessageWriter<Command>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
    options: Res<Options>,
) {
    album.frame += 1;
    assert!(album.frame < 4000, "stuck at {:?}", screen.get());
    let seen = album.colours.iter().map(|c| c.0).collect::<Vec<_>>();
    let now = *screen.get();
    if !seen.contains(&now) {
        // A few frames until everything is drawn.
        if album.frame % 30 == 20 {
            commands.spawn(Screenshot::primary_window()).observe(
                move |shot: On<ScreenshotCaptured>, mut album: ResMut<Album>| {
                    let colours = colours_of(&shot.image);
                    assert!(colours > 50, "{now:?} has only {colours} colours");
                    album.colours.push((now, colours));
                },
            );
        }
        return;
    }
    match (now, session) {
        (Screen::Title, _) => {
            let level = options.levels()[0].clone();
            commands.insert_resource(fivefoot::ui::session::Next {
                level,
                rules: None,
                seed: 2,
            });
            next.set(Screen::Battle);
        }
        (Screen::Battle, Some(session)) => {
            // Nobody of the party lifts a finger: it is over soon.
            let asked = session.question().map(|_| session.is_prompted());
            orders.write(match asked {
                Some(true) => Command::Reply(usize::MAX),
                Some(false) => Command::EndTurn,
                None if session.awaits_end_of_turn() => Command::EndTurn,
                None => Command::Skip,
            });
        }
        _ => {
            assert_eq!(album.colours.len(), 3);
            exit.write(AppExit::Success);
        }
    }
}

fn colours_of(image: &Image) -> usize {
    let data = image.data.as_deref().unwrap_or_default();
    data.chunks_exact(4).collect::<HashSet<_>>().len()
}
