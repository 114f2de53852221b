//! A run on the Road in the window: start, fight, leave, continue.

use super::kit::{
    game::{Game, fresh_home, resize},
    shell::{at, click, kill},
};
use bevy::{input::ButtonState, prelude::*};
use fivefoot::{
    control::{Player, recording::SideController},
    road::{Difficulty, Run, RunState, Settings, way},
    rulesets::ALL,
    ui::{
        Screen, Session,
        art::{
            palette,
            road::{Branch, RoadMap, Stop, StopState, labels::areas, map},
        },
        screens::road::{CodeEntry, Road, RoadButton},
        widgets::Tip,
    },
};
use std::{fs, path::Path};

fn file(home: &Path) -> Run {
    let text = fs::read_to_string(home.join("road.ron")).unwrap();
    Run::read("road.ron", &text).unwrap()
}

/// Lets the quick AI play the battle on screen to its end.
fn play_out(game: &mut Game) {
    let mut recording = game.app.world().resource::<Session>().recording("");
    recording.save_info.as_mut().unwrap().controllers = vec![SideController::Ai(Player::Quick); 2];
    game.app.insert_resource(Session::load(&recording).unwrap());
    game.in_time("the battle ends", |game| {
        if let Some(mut session) = game.app.world_mut().get_resource_mut::<Session>() {
            session.hurry();
        }
        game.screen() == Screen::Result
    });
}

#[test]
fn a_run_is_started_fought_left_and_continued() {
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
    game.in_time("two ways are known", |game| {
        game.count::<RoadButton>(|b| matches!(b, RoadButton::Go(_))) >= 2
    });
    game.in_time("odds are measured", |game| game.says("to win ±"));
    // A key selects the second way, and Enter starts its battle.
    game.press(KeyCode::Digit2);
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(file(&home).fighting.unwrap().0.nth, 1);
    game.until_asked();

    // Quick save and quick load do not work in it, and it leaves no files among the saves.
    answer(&mut game);
    for key in [KeyCode::F5, KeyCode::F9] {
        game.press(key);
        game.wait(2);
    }
    assert!(game.says("is fought once"), "{:?}", game.words());
    let answered = answers(&game);
    assert!(answered > 0);
    assert_eq!(saves(&home), 0);

    // After a kill during the battle, Continue returns to the same state.
    kill(game);
    assert_eq!(file(&home).fighting.unwrap().1.answers.len(), answered);
    let mut game = at(&home);
    assert!(game.says("The Road: "), "{:?}", game.words());
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(answers(&game), answered);
    play_out(&mut game);
    let run = file(&home);
    assert_eq!(run.battles().count(), 1);
    assert!(run.fighting.is_none());
    assert_eq!(run.verify(|| true), Ok(()));
    assert!(game.says("Back to the Road"), "{:?}", game.words());
    assert!(game.says("of a level for each unit"), "{:?}", game.words());
    game.wait(25);
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Road);
    let state = game.app.world().resource::<Road>().state().cloned();
    assert_eq!(state.unwrap().stop, 1);
    assert!(game.says("Stop 2 of 9"), "{:?}", game.words());
    // Without room for all news of the battle, a tip has the rest: it can be pointed at.
    resize(game.app.world_mut(), 1280, 720);
    game.wait(4);
    assert!(game.says("Hover to see"), "{:?}", game.words());
    let mut tips = game.app.world_mut().query::<(&Tip, &Pickable)>();
    let mut tips = tips.iter(game.app.world());
    assert!(tips.all(|(tip, pickable)| tip.0.is_empty() || pickable.is_hoverable));

    // Giving up asks first.
    click(&mut game, RoadButton::GiveUp);
    assert!(file(&home).state().unwrap().end.is_none());
    click(&mut game, RoadButton::GiveUp);
    assert!(file(&home).state().unwrap().end.is_some());
    click(&mut game, RoadButton::NewRun);
    assert!(!home.join("road.ron").exists());
    assert!(home.join("roads").join(format!("{code}.ron")).exists());
    assert!(game.says("A new run"), "{:?}", game.words());
    assert!(game.says("Your runs: 1"), "{:?}", game.words());
    game.press(KeyCode::Escape);
    assert_eq!(game.screen(), Screen::Title);
}

/// Answers the player's decision with the first legal offer.
fn answer(game: &mut Game) {
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.end_turn();
    game.until_settled();
}

fn answers(game: &Game) -> usize {
    game.app.world().resource::<Session>().game.answered()
}

/// Number of files in the folder of saves.
fn saves(home: &Path) -> usize {
    let files = fs::read_dir(home.join("saves"))
        .into_iter()
        .flatten()
        .flatten();
    files
        .filter(|f| f.path().extension().is_some_and(|e| e == "ron"))
        .count()
}

/// Only the run's own battle counts, not a copy or a friend's battle with the same code.
#[test]
fn only_the_battle_of_the_run_counts_and_a_retreat_loses_it() {
    let home = fresh_home();
    let settings = Settings::new(3, ALL[0]);
    let state = RunState::new(settings);
    let way = way::way(&settings, 0, 0, || true).unwrap();
    let level = way::level(&way, &state.squad, &settings).unwrap();
    let battle = |controllers: &[SideController]| {
        Session::with_controllers(&level, settings.rules, way.seed, controllers.to_vec())
    };
    let own = battle(&[SideController::Human, SideController::Ai(Player::Quick)]);
    let run = Run {
        fighting: Some((way.clone(), own.recording(""))),
        ..Run::new(&settings)
    };
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("road.ron"), run.text().unwrap()).unwrap();
    let mut game = at(&home);
    let road = game.app.world().resource::<Road>();
    assert!(road.is_fighting(&own));
    assert!(!road.is_fighting(&battle(&[SideController::Ai(Player::Quick); 2])));
    game.press(KeyCode::Enter);
    game.wait(3);
    game.until_asked();
    let mut session = game.app.world_mut().resource_mut::<Session>();
    assert_eq!(session.may_retreat(), Ok(()));
    session.retreat().unwrap();
    assert!(session.may_retreat().is_err() && !session.can_undo());
    play_out(&mut game);
    let state = file(&home).state().unwrap();
    assert_eq!((state.won, state.retreats), (0, 1));
    assert!(state.squad.iter().all(|m| m.wounds.is_empty()), "they left");
    assert!(game.says("Lost: no reward"), "{:?}", game.words());
}

/// The map of a run at a stop, with the longest possible names.
fn stood(seed: u64, stand: usize, text_scale: f32) -> RoadMap {
    let count = 8 + (seed % 3) as usize;
    let stop = |n: usize| Stop {
        mark: match n {
            _ if n < stand => [StopState::Won, StopState::Lost][n % 2],
            _ if n == stand => StopState::Next,
            _ => StopState::Ahead,
        },
        name: ["The chapel on the moor", "The hunters' camp", "The pass"][n % 3].into(),
        note: ["won, Brandt died", "soldiers, after a camp", "beasts"][n % 3].into(),
    };
    let branch = |n: usize| Branch {
        letter: ['A', 'B', 'C'][n],
        name: [
            "The chapel on the moor",
            "The burnt village",
            "The deep fissure",
        ][n]
            .into(),
        odds: String::from("measuring …"),
        is_picked: n == 0,
        ink: palette::INK,
    };
    let ways = match stand {
        _ if stand >= count => 0,
        _ if stand + 1 == count => 1,
        _ => 2 + (seed % 2) as usize,
    };
    RoadMap {
        seed,
        stops: (0..count).map(stop).collect(),
        fork: (0..ways).map(branch).collect(),
        squad: vec![palette::BLUE; 3 + (seed % 4) as usize],
        text_scale,
    }
}

/// At every stop of a run, no name covers another, a stop or the squad.
#[test]
fn names_on_the_map_never_overlap() {
    let mut found = 0;
    for seed in 0..120_u64 {
        for stand in 0..10 {
            let text_scale = [1.0, 1.2, 1.4, 1.5][(seed % 4) as usize];
            let of = stood(seed, stand, text_scale);
            let (labels, taken) = areas(&of);
            for (n, one) in labels.iter().enumerate() {
                let others = labels[n + 1..].iter().chain(&taken);
                let over: f32 = others.map(|other| one.shared(other)).sum();
                assert!(over < 1.0, "seed {seed}, stop {stand}: label {n}: {over}");
                assert!(one.left >= 0.0 && one.right <= 1000.0 && one.bottom <= 540.0);
                found += 1;
            }
        }
    }
    assert!(found > 10_000);
}

#[test]
fn a_wrong_code_is_reported_and_a_broken_file_is_kept() {
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
        mark: if n == 0 {
            StopState::Next
        } else {
            StopState::Ahead
        },
        name: format!("Stop {n}"),
        note: String::from("wolves"),
    };
    let of = |seed: u64| RoadMap {
        seed,
        stops: (0..9).map(stop).collect(),
        fork: vec![],
        squad: vec![palette::BLUE; 4],
        text_scale: 1.0,
    };
    let picture = |seed: u64| map(&of(seed), 0.5).data().to_vec();
    assert_eq!(picture(1), picture(1));
    assert_ne!(picture(1), picture(2));
}

/// The page is drawn anew while scouts measure; a click during that still counts.
#[test]
fn a_click_counts_while_the_page_changes() {
    let mut game = at(&fresh_home());
    click(&mut game, RoadButton::Open);
    let hard = RoadButton::Difficulty(Difficulty::Hard);
    let place = game.find::<RoadButton>(|b| *b == hard).expect("a button");
    game.point(place);
    game.mouse(MouseButton::Left, ButtonState::Pressed);
    let mut road = game.app.world_mut().resource_mut::<Road>();
    road.set_changed();
    game.wait(2);
    game.mouse(MouseButton::Left, ButtonState::Released);
    game.wait(2);
    assert!(game.says(Difficulty::Hard.about()));
}

/// The length of a run is chosen, and Story suggests that the dead come back.
#[test]
fn length_and_difficulty_are_part_of_the_code() {
    let mut game = at(&fresh_home());
    click(&mut game, RoadButton::Open);
    click(&mut game, RoadButton::Length(8));
    assert!(game.says("8 battles, one squad"), "{:?}", game.words());
    let settings = |game: &mut Game| {
        let code = game.words().into_iter().find_map(|words| {
            let is_code = words.len() == "MOOR-7K2F-19".len();
            is_code.then(|| Settings::of_code(&words).ok()).flatten()
        });
        code.expect("the page shows the code")
    };
    assert!(!settings(&mut game).keeps_dead);
    click(&mut game, RoadButton::Difficulty(Difficulty::Story));
    let story = settings(&mut game);
    assert!(story.keeps_dead && story.battles == 8);
    click(&mut game, RoadButton::Difficulty(Difficulty::Normal));
    assert!(!settings(&mut game).keeps_dead);
}
