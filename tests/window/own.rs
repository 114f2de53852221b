//! The player's own levels on the title screen.

use super::kit::{
    editing::standing,
    game::{Game, fresh_home},
    live::until,
    shell::click,
};
use bevy::{prelude::*, window::WindowResized};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::ui::{Options, Screen, editor::Edit, screens::title::TitleButton};
use fivefoot_kit::YARD;
use std::{fs, path::PathBuf};

/// A window that is high enough for the whole list.
fn tall(options: Options) -> Game {
    let mut game = Game::new(options);
    let world = game.app.world_mut();
    let mut windows = world.query::<(Entity, &mut Window)>();
    let (window, mut it) = windows.single_mut(world).expect("one window");
    it.resolution.set(1280.0, 1400.0);
    world.write_message(WindowResized {
        window,
        width: 1280.0,
        height: 1400.0,
    });
    game.wait(5);
    game
}

/// The title screen with one level of the player's own, and the level's file.
fn with_level(text: &str) -> (Game, PathBuf) {
    let home = fresh_home();
    let file = home.join("levels").join("yard.ron");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    let mut game = tall(Options {
        home: Some(home),
        ..Options::default()
    });
    game.wait(3);
    (game, file)
}

#[test]
fn own_levels_appear_change_and_vanish_on_the_title_screen() {
    let home = fresh_home();
    let more = home.join("more");
    fs::create_dir_all(&more).unwrap();
    let mut game = tall(Options {
        home: Some(home.clone()),
        levels_folder: Some(more.clone()),
        seed: Some(2),
        ..Options::default()
    });
    assert!(game.says("Put your own levels into"));
    let file = home.join("levels").join("yard.ron");
    fs::write(&file, YARD).unwrap();
    until(&mut game, "the level", |game| game.says("The yard"));
    let count = fivefoot::levels::built_in().len();
    click(&mut game, TitleButton::Level(count));

    // The file changes while the level is chosen.
    fs::write(&file, YARD.replace("at: (7, 1)", "at: [(7, 1), (7, 2)]")).unwrap();
    until(&mut game, "another goblin", |game| game.says("1 vs 2"));
    // An error is shown with its position, and Enter does not start the level.
    fs::write(&file, YARD.replace("\"goblin\"", "\"gobblin\"")).unwrap();
    until(&mut game, "the error", |game| game.says("1 error"));
    click(&mut game, TitleButton::Broken(0));
    assert!(game.says("11:16: unknown kind `gobblin`"));
    game.press(KeyCode::Enter);
    assert_eq!(game.screen(), Screen::Title);
    // Once fixed, the level can be played.
    fs::write(&file, YARD).unwrap();
    until(&mut game, "it is fixed", |game| game.says("The yard"));
    fs::write(
        more.join("other.ron"),
        YARD.replace("The yard", "The orchard"),
    )
    .unwrap();
    until(&mut game, "one of the other folder", |game| {
        game.says("The orchard")
    });
    click(&mut game, TitleButton::Level(count + 1));
    click(&mut game, TitleButton::Start);
    assert_eq!(game.session().game.level().title, "The orchard");
}

/// A level with an error can be opened in the editor.
#[test]
fn a_level_with_an_error_is_opened_in_the_editor() {
    let half = YARD.replace("\"goblin\"", "\"gobblin\"");
    let (mut game, file) = with_level(&half);
    click(&mut game, TitleButton::Broken(0));
    game.click_on::<SendOnPress<Edit>>("Edit", |edits| matches!(edits.0, Edit::File(_)));
    game.wait(5);
    assert_eq!(game.screen(), Screen::Editor);
    let standing = standing(&game);
    assert_eq!(**standing.history.text(), *half);
    assert_eq!(standing.file.as_ref(), Some(&file));
    assert_eq!(standing.findings.len(), 1);
}

#[test]
fn a_deleted_level_is_no_longer_chosen() {
    let (mut game, file) = with_level(YARD);
    click(
        &mut game,
        TitleButton::Level(fivefoot::levels::built_in().len()),
    );
    fs::remove_file(&file).unwrap();
    until(&mut game, "it is gone", |game| !game.says("The yard"));
    click(&mut game, TitleButton::Start);
    assert_eq!(game.session().game.level().id, "hen_house");
}
