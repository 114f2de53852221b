//! Helpers for level files that change while the game runs.

use super::game::Game;
use fivefoot::{levels, ui::Options};
pub use fivefoot_kit::YARD;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fivefoot-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

pub fn game_at(file: &Path, home: Option<PathBuf>) -> Game {
    let text = fs::read_to_string(file).expect("the level");
    let (level, _) = levels::check_file(&file.display().to_string(), &text).expect("it is sound");
    let mut game = Game::new(Options {
        level: Some(Arc::new(level)),
        file: Some(file.to_owned()),
        rules: fivefoot::rulesets::find("Skirmish"),
        seed: Some(7),
        home,
        ..Options::default()
    });
    game.until_asked();
    game
}

/// Waits in real time until the game has noticed a change of the file.
pub fn until(game: &mut Game, what: &str, is_so: impl FnMut(&mut Game) -> bool) {
    game.in_time(what, is_so);
    game.wait(2);
}
