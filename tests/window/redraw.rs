//! The window rests while nobody is at it and nothing moves.

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
fn it_rests_when_left_alone_and_wakes_for_its_player() {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 2);
    // The window library puts it there.
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
fn it_does_not_rest_while_the_others_play() {
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
