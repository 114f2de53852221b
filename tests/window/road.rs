//! A run of the Road in the window: begun, fought, left and found again.

use super::kit::{
    game::{Game, fresh_home},
    shell::{at, click, kill},
};
use bevy::prelude::*;
use fivefoot::{
    control::{Player, recording::Seat},
    road::{Run, Settings},
    rulesets::ALL,
    ui::{
        Screen, Session,
        art::{
            palette,
            road::{Mark, RoadMap, Stop, map},
        },
        screens::road::{CodeEntry, Road, RoadButton},
    },
};
use std::{fs, path::Path, time::Duration};

fn file(home: &Path) -> Run {
    let text = fs::read_to_string(home.join("road.ron")).unwrap();
    Run::read("road.ron", &text).unwrap()
}

/// Waits for what is thought about in the background.
fn until(game: &mut Game, what: &str, is_so: impl Fn(&mut Game) -> bool) {
    let since = std::time::Instant::now();
    while !is_so(game) {
        assert!(since.elapsed() < Duration::from_secs(300), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
        game.wait(1);
    }
}

/// The battle on the screen, answered by the quick AI to its end.
fn play_out(game: &mut Game) {
    let session = game.app.world().resource::<Session>();
    let (level, rules) = (session.game.level().clone(), session.game.rules());
    let seats = vec![Seat::Ai(Player::Quick); 2];
    let other = Session::seated(&level, rules, session.game.seed(), seats);
    game.app.insert_resource(other);
    until(game, "the battle ends", |game| {
        if let Some(mut session) = game.app.world_mut().get_resource_mut::<Session>() {
            session.hurry();
        }
        game.screen() == Screen::Result
    });
}

#[test]
fn a_run_is_begun_fought_left_and_found_again() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, RoadButton::Open);
    assert_eq!(game.screen(), Screen::Road);
    assert!(game.says("A new run"), "{:?}", game.words());
    let code = Settings::new(3, ALL[0]).code();
    game.click_on::<CodeEntry>("the code", |_| true);
    game.type_text(&code);
    click(&mut game, RoadButton::Begin);
    assert_eq!(file(&home).road, code);
    until(&mut game, "two ways are known", |game| {
        game.count::<RoadButton>(|b| matches!(b, RoadButton::Go(_))) >= 2
    });
    until(&mut game, "odds are measured", |game| game.says("to win ±"));
    // The second way is marked with a key, and taken with Enter.
    game.press(KeyCode::Digit2);
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(file(&home).fighting.unwrap().0.nth, 1);
    game.until_asked();

    // The game ends in the battle: the run goes on there.
    kill(game);
    let mut game = at(&home);
    click(&mut game, RoadButton::Open);
    click(&mut game, RoadButton::Resume);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Battle);
    play_out(&mut game);
    let run = file(&home);
    assert_eq!(run.battles().count(), 1);
    assert!(run.fighting.is_none());
    assert_eq!(run.verify(|| true), Ok(()));
    assert!(game.says("Back to the Road"), "{:?}", game.words());
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Road);
    let state = game.app.world().resource::<Road>().state().cloned();
    assert_eq!(state.unwrap().stop, 1);
    assert!(game.says("Stop 2 of 9"), "{:?}", game.words());

    // Giving up asks first.
    click(&mut game, RoadButton::GiveUp);
    assert!(file(&home).state().unwrap().end.is_none());
    click(&mut game, RoadButton::GiveUp);
    assert!(file(&home).state().unwrap().end.is_some());
    click(&mut game, RoadButton::NewRun);
    assert!(!home.join("road.ron").exists());
    assert!(home.join("roads").join(format!("{code}.ron")).exists());
    assert!(game.says("A new run"), "{:?}", game.words());
    game.press(KeyCode::Escape);
    assert_eq!(game.screen(), Screen::Title);
}

#[test]
fn a_wrong_code_is_told_and_a_broken_file_is_kept() {
    let home = fresh_home();
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("road.ron"), "(").unwrap();
    let mut game = at(&home);
    click(&mut game, RoadButton::Open);
    game.wait(3);
    assert!(game.says("The run cannot be read"), "{:?}", game.words());
    assert!(home.join("road.ron.broken").exists());
    game.click_on::<CodeEntry>("the code", |_| true);
    game.type_text("MOOR");
    click(&mut game, RoadButton::Begin);
    game.wait(3);
    assert!(
        game.says("A run code looks like") || game.says("a run code looks like"),
        "{:?}",
        game.words()
    );
    assert!(!home.join("road.ron").exists());
}

#[test]
fn each_run_has_a_map_of_its_own() {
    let stop = |n: usize| Stop {
        mark: if n == 0 { Mark::Next } else { Mark::Ahead },
        name: format!("Stop {n}"),
        note: String::from("wolves"),
    };
    let of = |seed: u64| RoadMap {
        seed,
        stops: (0..9).map(stop).collect(),
        fork: vec![],
        squad: vec![palette::BLUE; 4],
        letters: 1.0,
    };
    let picture = |seed: u64| map(&of(seed), 0.5).data().to_vec();
    assert_eq!(picture(1), picture(1));
    assert_ne!(picture(1), picture(2));
}
