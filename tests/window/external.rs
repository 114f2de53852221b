//! An external program that controls the enemy side.

#![cfg(unix)]

use super::kit::game::{Game, fresh_home};
use fivefoot::{
    cli::external,
    control::{Player, recording::SideController},
    ui::{Options, Screen, screens::title::TitleButton},
};
use std::time::Duration;

/// A program that chooses the first offer until a file appears.
const BOT: &str = r#"
while read -r line; do
    case "$line" in
        *'"what":"ask"'*) [ -e stop ] && exit 3; echo '{"offer": 0}' ;;
    esac
done
"#;

#[test]
fn an_external_program_plays_in_the_window_and_can_fail() {
    let home = fresh_home();
    std::fs::create_dir_all(&home).unwrap();
    let bot = home.join("bot.sh");
    let stop = home.join("stop");
    std::fs::write(
        &bot,
        BOT.replace("-e stop", &format!("-e '{}'", stop.display())),
    )
    .unwrap();
    let player = external::player(&format!("cmd:sh '{}'", bot.display())).unwrap();
    let mut game = Game::new(Options {
        home: Some(home.clone()),
        ai: vec![("goblins".into(), player)],
        seed: Some(3),
        ..Options::default()
    });
    game.wait(3);
    assert!(game.says("External"));
    let external = SideController::Ai(player);
    game.click_on::<TitleButton>("the program at the first side", |button| {
        *button == TitleButton::SideController(0, external)
    });
    game.wait(2);
    game.click_on::<TitleButton>("start", |button| *button == TitleButton::Start);
    game.until("the battle", |game| game.screen() == Screen::Battle);
    assert_eq!(game.session().game.controllers(), [external, external]);
    let answers = |game: &Game| game.session().game.answered();
    game.until("the program answers", |game| {
        std::thread::sleep(Duration::from_millis(2));
        answers(game) > 3
    });
    // Recordings do not name external programs.
    let recording = game.session().recording("a");
    let controllers = recording.save_info.unwrap().controllers;
    assert_eq!(
        controllers,
        [
            SideController::Ai(Player::Quick),
            SideController::Ai(Player::Quick)
        ]
    );
    std::fs::write(stop, "").unwrap();
    game.until("the message", |game| {
        std::thread::sleep(Duration::from_millis(2));
        game.says("The quick AI plays on for it.")
    });
    let before = answers(&game);
    game.until("the battle continues", |game| answers(game) > before + 3);
}
