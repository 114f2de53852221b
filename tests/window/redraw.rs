//! The window redraws rarely while there is no input and nothing moves.

use super::kit::game::Game;
use bevy::{
    prelude::KeyCode,
    winit::{UpdateMode, WinitSettings},
};
use fivefoot::{levels, ui::Screen};

fn rests(game: &Game) -> bool {
    let settings = game.app.world().resource::<WinitSettings>();
    settings.focused_mode != UpdateMode::Continuous
}

#[test]
fn the_window_redraws_rarely_when_idle_and_wakes_on_input() {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 2);
    // Normally Bevy's winit plugin inserts it.
    game.app.insert_resource(WinitSettings::game());
    game.until_own_turn();
    game.wait(20);
    assert!(!rests(&game), "what was done is not long ago");
    game.until("some rest", rests_in_battle);
    game.press(KeyCode::KeyQ);
    assert!(!rests(&game), "a key wakes it");
    game.until("some rest again", rests_in_battle);
}

fn rests_in_battle(game: &mut Game) -> bool {
    assert_eq!(game.screen(), Screen::Battle);
    rests(game)
}

#[test]
fn the_window_redraws_fully_during_the_enemy_turn() {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 2);
    game.app.insert_resource(WinitSettings::game());
    game.until_own_turn();
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    for _ in 0..400 {
        if game.screen() != Screen::Battle || game.session().question().is_some() {
            break;
        }
        assert!(!rests(&game));
        game.wait(1);
    }
}
