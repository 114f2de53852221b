//! A battle is put together, made fair, saved and fought.

use super::{
    hands::{Game, fresh_home},
    shell::click,
};
use bevy::prelude::NextState;
use fivefoot::{
    control::{Player, recording::Seat},
    levels::{
        compose::{Aim, Squad},
        generate::Form,
    },
    rulesets::ALL,
    ui::{
        Command, Options, Screen, Session,
        screens::builder::{BuilderButton, Draft, ProgressWords},
        session::Ready,
    },
};
use std::{fs, time::Duration};

fn builder() -> (Game, std::path::PathBuf) {
    let home = fresh_home();
    let mut game = Game::new(Options {
        home: Some(home.clone()),
        seed: Some(2),
        ..Options::default()
    });
    click(&mut game, BuilderButton::Open);
    assert_eq!(game.screen(), Screen::Builder);
    (game, home)
}

fn draft(game: &Game) -> &Draft {
    game.app.world().resource::<Draft>()
}

#[test]
fn a_battle_is_built_saved_and_fought() {
    let (mut game, home) = builder();
    click(&mut game, BuilderButton::Form(Form::Caves));
    click(&mut game, BuilderButton::Aim(Aim::Hold));
    let speed = ALL.iter().position(|rules| rules.id == "Speed").unwrap();
    click(&mut game, BuilderButton::Rules(speed));
    let before = draft(&game).squads[0].size();
    // One less of those who are there, by the button in their row.
    let less = |b: &BuilderButton| matches!(b, BuilderButton::Remove(0, _));
    let place = game
        .find::<BuilderButton>(less)
        .expect("somebody can leave");
    game.click(place);
    game.wait(3);
    assert_eq!(draft(&game).squads[0].size(), before - 1);
    click(&mut game, BuilderButton::Save);
    let saved: Vec<_> = fs::read_dir(home.join("levels"))
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(saved.len(), 1);
    let name = saved[0].file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("caves_"), "{name}");
    let text = fs::read_to_string(saved[0].path()).unwrap();
    let (level, hints) = fivefoot::levels::check_file(&name, &text).expect("it is sound");
    assert!(hints.is_empty() && level.sides.len() == 2);

    click(&mut game, BuilderButton::Start);
    assert_eq!(game.screen(), Screen::Battle);
    let session = game.session();
    assert_eq!(session.game.rules().id, "Speed");
    assert_eq!(session.game.level().source, level.source);
    game.until_asked();
}

#[test]
fn what_is_built_is_on_the_title_and_esc_goes_there() {
    let (mut game, _) = builder();
    click(&mut game, BuilderButton::Form(Form::Ruins));
    let title = draft(&game).usual_title();
    click(&mut game, BuilderButton::Save);
    game.press(bevy::prelude::KeyCode::Escape);
    assert_eq!(game.screen(), Screen::Title);
    game.wait(3);
    assert!(game.says(&title), "{:?}", game.words());
}

#[test]
fn a_fair_fight_is_found_while_the_window_lives() {
    let (mut game, _) = builder();
    let party = draft(&game).squads[0].clone();
    click(&mut game, BuilderButton::Fair);
    assert!(draft(&game).is_busy);
    let since = std::time::Instant::now();
    while draft(&game).is_busy {
        assert!(
            since.elapsed() < Duration::from_secs(300),
            "it takes too long"
        );
        std::thread::sleep(Duration::from_millis(20));
        game.wait(1);
    }
    let tried = draft(&game).tried.expect("it was tried");
    assert!((0.25..=0.75).contains(&tried.share()), "{tried:?}");
    assert_eq!(draft(&game).squads[0], party, "one's own squad stays");
    assert!(game.says("of 100 battles"));
    // What is changed then is another fight.
    click(&mut game, BuilderButton::Form(Form::Woods));
    assert!(draft(&game).tried.is_none());
}

#[test]
fn the_search_for_a_fair_fight_tells_how_far_it_is_and_is_stopped() {
    let (mut game, _) = builder();
    let before = draft(&game).squads.clone();
    click(&mut game, BuilderButton::Fair);
    let since = std::time::Instant::now();
    let told = |game: &mut Game| game.says("Looking for a fair fight: other squads");
    while !told(&mut game) {
        assert!(draft(&game).is_busy, "it tells how far it is first");
        assert!(since.elapsed() < Duration::from_secs(60), "never");
        game.wait(1);
    }
    assert!(game.count::<ProgressWords>(|_| true) == 1);
    click(&mut game, BuilderButton::Stop);
    assert!(!draft(&game).is_busy && draft(&game).tried.is_none());
    let members = |squads: &[Squad]| squads.iter().map(|s| s.members.clone()).collect::<Vec<_>>();
    assert_eq!(
        members(&draft(&game).squads),
        members(&before),
        "they stay as they were"
    );
    assert_eq!(game.count::<ProgressWords>(|_| true), 0);
    // It can be begun anew.
    click(&mut game, BuilderButton::Try);
    assert!(draft(&game).is_busy);
}

/// Ten battles by the builder's own buttons: every ruleset twice, every form of
/// ground, two to four squads, all that there is to do. The AI plays all sides in
/// the window, until the result is told.
#[test]
fn ten_built_battles_are_fought_to_their_ends() {
    let (mut game, _) = builder();
    for n in 0..10 {
        click(
            &mut game,
            BuilderButton::Form(Form::ALL[n % Form::ALL.len()]),
        );
        click(&mut game, BuilderButton::Reroll);
        click(&mut game, BuilderButton::Rules(n % ALL.len()));
        let aim = Aim::ALL[n % Aim::ALL.len()];
        click(&mut game, BuilderButton::Aim(aim));
        click(&mut game, BuilderButton::Sides(2 + n % 3));
        let told = format!("battle {n}: {}, {aim:?}", draft(&game).usual_title());
        click(&mut game, BuilderButton::Start);
        assert_eq!(game.screen(), Screen::Battle, "{told}");
        let (level, rules) = {
            let fought = &game.session().game;
            (fought.level().clone(), fought.rules())
        };
        assert_eq!(level.sides.len(), 2 + n % 3, "{told}");
        assert_eq!(rules.id, ALL[n % ALL.len()].id, "{told}");
        let seats = vec![Seat::Ai(Player::Quick); level.sides.len()];
        let mut session = Session::seated(&level, rules, n as u64, seats);
        while session.awaits_ai() {
            session.think();
        }
        assert!(session.game.is_over(), "{told}");
        let world = game.app.world_mut();
        world.insert_resource(Ready(session));
        let mut next = world.resource_mut::<NextState<Screen>>();
        next.set(Screen::Battle);
        for _ in 0..400 {
            game.app.world_mut().write_message(Command::Skip);
            game.wait(2);
            if game.screen() == Screen::Result {
                break;
            }
        }
        assert_eq!(game.screen(), Screen::Result, "{told}");
        game.wait(3);
        assert!(game.says(&level.title), "{told}: {:?}", game.words());
        let world = game.app.world_mut();
        let mut next = world.resource_mut::<NextState<Screen>>();
        next.set(Screen::Builder);
        game.wait(5);
        assert_eq!(game.screen(), Screen::Builder, "{told}");
    }
}
