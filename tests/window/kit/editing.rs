//! Helpers for the level editor.

use super::{
    game::{Game, fresh_home},
    shell::choose,
};
use bevy::{
    input::{ButtonState, mouse::MouseButtonInput},
    prelude::*,
};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    grid::Cell,
    ui::{
        Options, Screen,
        editor::{Edit, EditorCommand, EditorState, canvas::Canvas},
    },
};

pub fn title(home: &std::path::Path) -> Game {
    Game::new(Options {
        home: Some(home.to_path_buf()),
        seed: Some(3),
        ..Options::default()
    })
}

/// The editor with the toll gate.
pub fn editor() -> Game {
    editor_in(&fresh_home())
}

pub fn editor_in(home: &std::path::Path) -> Game {
    let mut game = title(home);
    choose(&mut game, "toll_gate");
    game.click_on::<SendOnPress<Edit>>("the button", is_of_a_level);
    game.wait(10);
    assert_eq!(game.screen(), Screen::Editor);
    game
}

pub fn standing(game: &Game) -> &EditorState {
    game.app.world().resource::<EditorState>()
}

pub fn text(game: &Game) -> String {
    standing(game).history.text().to_string()
}

pub fn send_command(game: &mut Game, command: EditorCommand) {
    game.click_on::<SendOnPress<EditorCommand>>(&format!("{command:?}"), |w| w.0 == command);
    game.wait(3);
}

/// Sends a command directly, because its button can be far down a list.
pub fn ask(game: &mut Game, command: EditorCommand) {
    game.send(command, 4);
}

pub fn is_of_a_level(edits: &SendOnPress<Edit>) -> bool {
    matches!(edits.0, Edit::Level(_))
}

pub fn screen_point(game: &Game, x: i16, y: i16) -> Vec2 {
    let world = game.app.world();
    let middle = world.resource::<Canvas>().middle(Cell::new(x, y));
    middle * world.resource::<UiScale>().0
}

pub fn button(game: &mut Game, button: MouseButton, state: ButtonState) {
    let world = game.app.world_mut();
    let mut windows = world.query_filtered::<Entity, With<bevy::window::PrimaryWindow>>();
    let window = windows.single(world).expect("a window");
    let pressed = MouseButtonInput {
        button,
        state,
        window,
    };
    world.write_message(bevy::window::WindowEvent::from(pressed));
    world.write_message(pressed);
    game.wait(2);
}

/// Drags the pointer over the map, cell by cell.
pub fn drag(game: &mut Game, with: MouseButton, cells: &[(i16, i16)]) {
    let at: Vec<Vec2> = cells.iter().map(|c| screen_point(game, c.0, c.1)).collect();
    game.point(at[0]);
    button(game, with, ButtonState::Pressed);
    for at in &at[1..] {
        game.point(*at);
    }
    button(game, with, ButtonState::Released);
    game.wait(3);
}

pub fn chord(game: &mut Game, code: KeyCode) {
    game.key(KeyCode::ControlLeft, ButtonState::Pressed);
    game.press(code);
    game.key(KeyCode::ControlLeft, ButtonState::Released);
    game.wait(2);
}
