//! Everything around a battle: saves, replays, the pause menu, hot seat, the result.

use super::kit::{
    game::{Game, fresh_home},
    shell::{
        answer, at, battle, click, click_command, end_turn, files, is_there, kill, open, played,
        show, watch,
    },
};
use bevy::{input::ButtonState, prelude::*, text::EditableText};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::Side,
    control::{
        Player,
        recording::{Recording, SideController},
    },
    lab::measured::Hardness,
    levels,
    road::Difficulty,
    rulesets::ALL,
    ui::{
        Options, Playback, Screen, Session,
        app_command::{AppCommand, Browse, FileCommand, GameCommand, ReplayCommand, SaveCommand},
        board::Overlays,
        hud::ObjectivesCard,
        replay::ReplayButton,
        saves::{
            browser::{BrowserCard, NameEntry, Saves},
            index::SaveFolder,
        },
        screens::{
            ask::AskCard,
            handover::HandoverCard,
            opening::OpeningCard,
            pause::PauseCard,
            title::{SeedEntry, TitleButton, vignette::VignetteShare},
        },
        selection::Overlay,
        settings::{Pace, Settings},
    },
};
use std::path::PathBuf;

#[test]
fn a_battle_is_saved_and_loaded_under_every_ruleset() {
    for rules in ALL {
        let home = fresh_home();
        let mut game = at(&home);
        show(&mut game, played(rules, 40));
        // Prompts without a useful answer are skipped once everything has been shown.
        game.until("all is shown", |game| {
            let is_shown = !game.app.world().resource::<Playback>().busy;
            let is_asked = game.session().question().is_some();
            is_shown && is_asked && {
                game.wait(2);
                game.session().question().is_some()
            }
        });
        let (answers, round) = {
            let session = game.session();
            (session.game.answers().to_vec(), session.shown().clock.round)
        };
        let units: Vec<_> = game.session().shown().units.clone();
        game.press(KeyCode::F5);
        game.wait(3);
        let is_quick_save = |path: &PathBuf| path.to_string_lossy().contains("quick");
        let saved = files(&home, "saves");
        assert_eq!(
            saved.iter().filter(|p| is_quick_save(p)).count(),
            1,
            "{saved:?}"
        );
        end_turn(&mut game);
        if game.session().game.answered() == answers.len() {
            answer(&mut game);
        }
        assert!(
            game.session().game.answered() > answers.len(),
            "{}",
            rules.id
        );
        game.press(KeyCode::F9);
        game.wait(5);
        game.until_asked();
        let session = game.session();
        assert_eq!(session.game.answers(), answers, "{}", rules.id);
        assert_eq!(session.game.rules().id, rules.id);
        assert_eq!(session.shown().clock.round, round);
        for (was, is) in std::iter::zip(&units, &session.shown().units) {
            assert_eq!((was.at, was.hp, was.state), (is.at, is.hp, is.state));
        }
        assert!(session.question().is_some(), "{}: it continues", rules.id);
    }
}

#[test]
fn a_battle_continues_after_the_game_was_killed() {
    let home = fresh_home();
    let mut game = at(&home);
    assert!(!game.says("Continue"), "there is nothing yet");
    click(&mut game, TitleButton::Start);
    end_turn(&mut game);
    game.until_asked();
    let answers = game.session().game.answers().to_vec();
    assert!(!answers.is_empty());
    kill(game);
    let mut game = at(&home);
    assert!(game.says("Continue"));
    click_command(&mut game, &AppCommand::Save(SaveCommand::Continue));
    assert_eq!(game.screen(), Screen::Battle);
    game.until_asked();
    assert_eq!(game.session().game.answers(), answers);
    // The battle continues in the same file.
    end_turn(&mut game);
    let autosaves = files(&home, "saves");
    let autosaves = autosaves.iter().filter(|p| {
        let name = p.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("auto-")
    });
    assert_eq!(autosaves.count(), 1);
}

#[test]
fn closing_the_window_in_the_enemy_turn_loses_nothing() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    game.until_own_turn();
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    game.until("the others have begun", |game| {
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
        }
        game.session().game.answered() > 2 && game.session().question().is_none()
    });
    let answered = game.session().game.answered();
    game.send(AppExit::Success, 1);
    let saved = SaveFolder(home.join("saves")).list();
    let recording = saved[0].found.as_ref().unwrap();
    assert!(recording.answers.len() >= answered);
    assert_eq!(
        recording
            .run(None)
            .map_err(|e| e.why)
            .unwrap()
            .answers()
            .len(),
        recording.answers.len()
    );
}

#[test]
fn the_end_of_a_turn_is_saved_at_once() {
    let home = fresh_home();
    let mut game = at(&home);
    game.app.world_mut().resource_mut::<Settings>().others_pace = Pace::Slow;
    click(&mut game, TitleButton::Start);
    game.until_own_turn();
    let before = game.session().game.answered();
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    for _ in 0..20 {
        game.wait(1);
        if game.session().game.answered() > before {
            break;
        }
    }
    game.wait(1);
    assert!(game.session().question().is_none(), "the others act");
    let saves = SaveFolder(home.join("saves")).list();
    let recording = saves[0].found.as_ref().expect("a sound file");
    assert!(recording.answers.len() > before);
}

#[test]
fn saves_have_names_and_deleting_asks_first() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    game.until_asked();
    game.press(KeyCode::Escape);
    game.wait(3);
    assert!(is_there::<PauseCard>(&mut game));
    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Save)),
    );
    // The name field has the focus, and Enter saves.
    assert!(game.find::<NameEntry>(|_| true).is_some());
    let world = game.app.world_mut();
    let mut menus = world.query_filtered::<&Visibility, With<PauseCard>>();
    let menu = menus.single(world).expect("the menu below it");
    assert_eq!(*menu, Visibility::Hidden);
    game.wait(2);
    game.type_text("At the gate");
    game.press(KeyCode::Enter);
    game.wait(3);
    assert!(!is_there::<BrowserCard>(&mut game), "saved and done");
    assert!(game.says("Saved as At the gate."), "{:?}", game.words());
    let index = SaveFolder(home.join("saves"));
    // The battle's autosave is written meanwhile, at the same time or later.
    game.until("its autosave", |_| index.list().len() == 2);
    assert!(index.list().iter().any(|e| e.name() == "At the gate"));

    // Saving under the same name asks before it overwrites the file.
    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Save)),
    );
    let entry = game.find::<NameEntry>(|_| true).unwrap();
    game.click(entry);
    game.type_text("at the gate");
    let button = game.find::<Saves>(|_| true).unwrap();
    game.click(button);
    assert!(is_there::<AskCard>(&mut game));
    game.press(KeyCode::Escape);
    game.wait(3);
    assert!(!is_there::<AskCard>(&mut game) && is_there::<BrowserCard>(&mut game));
    click_command(&mut game, &AppCommand::Close);

    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Load)),
    );
    assert!(game.says("At the gate") && game.says("The hen house"));
    // Which of the two comes first depends on the clock.
    let row = |index: &SaveFolder| {
        let mut rows = index.list().into_iter();
        let row = rows.position(|e| e.name() == "At the gate");
        AppCommand::File(FileCommand::Choose(row.expect("its row")))
    };
    game.until("its row", |game| {
        game.find::<SendOnPress<AppCommand>>(|send| send.0 == row(&index))
            .is_some()
    });
    click_command(&mut game, &row(&index));
    let delete = AppCommand::Ask(Box::new(AppCommand::File(FileCommand::Delete)));
    click_command(&mut game, &delete);
    click_command(&mut game, &AppCommand::File(FileCommand::Delete));
    assert!(index.list().iter().all(|e| e.name() != "At the gate"));
    game.press(KeyCode::Escape);
    game.wait(2);
    game.press(KeyCode::Escape);
    game.wait(3);
    assert!(!is_there::<PauseCard>(&mut game), "back in the battle");
    assert!(game.session().question().is_some());
}

#[test]
fn a_broken_save_is_reported_and_not_deleted() {
    let home = fresh_home();
    let saves = home.join("saves");
    std::fs::create_dir_all(&saves).unwrap();
    let good = played(ALL[0], 10).recording("");
    let mut newer = good.clone();
    newer.version = 99;
    let mut illegal = good.clone();
    illegal.answers[3].order = String::from("mara: fly to the moon");
    for (name, text) in [
        ("save-cut.ron", good.text().unwrap()[..200].to_owned()),
        ("save-other.ron", newer.text().unwrap()),
        ("save-bent.ron", illegal.text().unwrap()),
        ("save-letter.ron", String::from("Dear diary")),
    ] {
        std::fs::write(saves.join(name), text).unwrap();
    }
    let mut game = at(&home);
    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Load)),
    );
    click_command(&mut game, &AppCommand::File(FileCommand::Choose(0)));
    assert!(game.says("No longer runs to the end. The file is not changed."));
    assert!(game.says("move 4"), "the bent one says where");
    for n in 1..4 {
        click_command(&mut game, &AppCommand::File(FileCommand::Choose(n)));
        assert!(game.says("Can't be used. The file is not changed."), "{n}");
        assert!(game.says("save-"), "the file is named");
        game.press(KeyCode::Enter);
        game.wait(3);
        assert_eq!(game.screen(), Screen::Title);
    }
    assert_eq!(
        std::fs::read_dir(&saves).unwrap().count(),
        4,
        "all are kept"
    );
}

/// Gives an order with a target if there is one, else any order. Returns the number of answers
/// before it.
fn act(game: &mut Game) -> usize {
    let who = game.session().question().expect("a turn").actors[0];
    let mut session = game.app.world_mut().resource_mut::<Session>();
    let offers = session.offers_of(who);
    let mut legal = offers.iter().filter(|o| o.is_legal());
    let aimed = legal.clone().find(|o| o.choice.at.is_some());
    let order = aimed.or_else(|| legal.next()).expect("something to do");
    let before = session.game.answered();
    session.give(std::slice::from_ref(&order.choice)).unwrap();
    game.until_own_turn();
    game.until_settled();
    before
}

#[test]
fn one_turn_of_a_battle_can_be_restarted() {
    let mut game = at(&fresh_home());
    show(&mut game, played(ALL[0], 30));
    game.until_asked();
    end_turn(&mut game);
    game.until_settled();
    let mut before = 0;
    for _ in 0..10 {
        before = act(&mut game);
        if game.session().may_restart_turn().is_ok() {
            break;
        }
    }
    assert_eq!(game.session().may_restart_turn(), Ok(()));
    for _ in 0..3 {
        if !is_there::<PauseCard>(&mut game) {
            game.press(KeyCode::Escape);
            game.wait(3);
        }
    }
    let restart = AppCommand::Ask(Box::new(AppCommand::Game(GameCommand::RestartTurn)));
    click_command(&mut game, &restart);
    assert!(game.says("Restart this turn?"));
    click_command(&mut game, &AppCommand::Game(GameCommand::RestartTurn));
    assert!(game.session().game.answered() <= before);
    assert_eq!(game.session().game.restarts, 1);
    assert!(game.session().may_restart_turn().is_err(), "once a battle");
}

#[test]
fn a_finished_battle_is_saved_and_can_be_replayed() {
    let home = fresh_home();
    let mut game = at(&home);
    // AIs control both sides, so the battle is only watched.
    click(&mut game, TitleButton::Custom);
    for side in 0..2 {
        click(
            &mut game,
            TitleButton::SideController(side, SideController::Ai(Player::Quick)),
        );
    }
    assert!(game.says("Watch"));
    click(&mut game, TitleButton::Start);
    watch(&mut game);
    game.wait(3);
    assert!(game.says("Victory") || game.says("Defeat"));
    assert!(game.says("Dealt") && game.says("Luck"));
    assert!(game.says("up to the HP that were left"));
    let expected_hits = {
        let statistics = game.session().game.statistics();
        statistics.iter().map(|t| t.expected).sum::<f32>()
    };
    assert!(expected_hits > 3.0, "{expected_hits} hits expected");
    let answers = game.session().game.answers().to_vec();
    assert_eq!(files(&home, "replays").len(), 1);
    assert!(files(&home, "saves").is_empty(), "no battle to continue");

    click(
        &mut game,
        SendOnPress(AppCommand::Replay(ReplayCommand::Watch(0))),
    );
    game.wait(5);
    assert_eq!(game.screen(), Screen::Battle);
    assert!(game.session().replay().is_some());
    // Scrub by mouse: to the middle of the timeline, then to its start.
    let bar = game
        .find::<bevy::ui_widgets::Slider>(|_| true)
        .expect("a timeline");
    game.click(bar);
    let middle = game.session().shown().events;
    let length = game.session().game.length();
    assert!(
        middle > length / 3 && middle < length,
        "{middle} of {length}"
    );
    assert!(!game.session().is_playing());
    click(&mut game, ReplayButton::Back);
    assert!(game.session().shown().events < middle);
    click(&mut game, ReplayButton::Start);
    assert_eq!(game.session().shown().events, 0);
    click(&mut game, ReplayButton::Forward);
    game.until("a step was played", |game| {
        game.session().shown().events > 0
    });
    game.click(bar);
    let units = game.session().shown().units.clone();
    click_command(&mut game, &AppCommand::Replay(ReplayCommand::PlayOn));
    game.wait(3);
    assert!(game.session().replay().is_none());
    let taken = game.session().game.answers();
    assert!(taken.len() < answers.len() && answers.starts_with(taken));
    assert_eq!(game.session().shown().units.len(), units.len());

    // It can also be watched from the title screen.
    game.press(KeyCode::Escape);
    game.wait(3);
    click_command(&mut game, &AppCommand::Game(GameCommand::Leave));
    assert_eq!(game.screen(), Screen::Title);
    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Replays)),
    );
    assert!(game.says(" in round "));
    game.press(KeyCode::Enter);
    game.wait(5);
    assert!(game.session().replay().is_some());
}

/// The game with this session on screen. A new battle waits until the player begins, as it does
/// outside of tests.
fn opened(session: Session) -> Game {
    let mut game = at(&fresh_home());
    let mut options = game.app.world_mut().resource_mut::<Options>();
    options.begins_at_once = false;
    show(&mut game, session);
    game
}

#[test]
fn a_battle_waits_until_the_opening_card_is_closed() {
    type Begin = fn(&mut Game);
    let ways: [Begin; 4] = [
        |game| game.press(KeyCode::Enter),
        |game| game.press(KeyCode::Space),
        |game| game.click(Vec2::new(300.0, 500.0)),
        |game| click_command(game, &AppCommand::Close),
    ];
    let level = levels::default_level();
    for (rules, begin) in ALL.iter().zip(ways.iter().cycle()) {
        let mut game = opened(Session::new(&level, rules, 3));
        assert!(is_there::<OpeningCard>(&mut game), "{}", rules.id);
        game.wait(60);
        assert_eq!(game.session().shown().events, 0, "{}", rules.id);
        for words in [&level.title, &level.briefing, &level.teaches] {
            assert!(game.says(words), "{words}");
        }
        begin(&mut game);
        game.wait(3);
        assert!(!is_there::<OpeningCard>(&mut game), "{}", rules.id);
        game.until_asked();
        assert!(game.session().shown().events > 0);
    }
}

#[test]
fn a_key_held_over_the_opening_card_toggles_nothing() {
    let mut game = opened(Session::new(&levels::default_level(), ALL[0], 3));
    let shown = |game: &Game| {
        let overlays = game.app.world().resource::<Overlays>();
        Overlay::ALL.map(|overlay| overlays.has(overlay))
    };
    let before = shown(&game);
    for key in [KeyCode::AltLeft, KeyCode::F3] {
        game.key(key, ButtonState::Pressed);
        game.wait(20);
        game.key(key, ButtonState::Released);
        game.wait(2);
        assert_eq!(shown(&game), before);
    }
    // The key is pressed over the card and released in the battle.
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    click_command(&mut game, &AppCommand::Close);
    game.wait(20);
    game.key(KeyCode::AltLeft, ButtonState::Released);
    game.wait(2);
    assert_eq!(shown(&game), before);
}

#[test]
fn escape_pauses_a_battle_that_has_not_begun() {
    let mut game = opened(Session::new(&levels::default_level(), ALL[0], 3));
    game.press(KeyCode::Escape);
    assert!(is_there::<PauseCard>(&mut game));
    game.press(KeyCode::Escape);
    game.wait(2);
    assert!(!is_there::<PauseCard>(&mut game));
    assert!(is_there::<OpeningCard>(&mut game));
    assert_eq!(game.session().shown().events, 0);
}

#[test]
fn replays_and_continued_battles_have_no_opening_card() {
    let replay = Session::new(&levels::default_level(), ALL[0], 3).into_replay();
    for session in [replay, played(ALL[0], 10)] {
        let mut game = opened(session);
        assert!(!is_there::<OpeningCard>(&mut game));
    }
}

#[test]
fn a_handover_card_separates_the_turns_of_two_humans() {
    for rules in ALL {
        let mut game = at(&fresh_home());
        let level = levels::default_level();
        let session = Session::with_controllers(&level, rules, 3, vec![SideController::Human; 2]);
        show(&mut game, session);
        let mut seen = [false; 2];
        for _ in 0..60 {
            game.until("a unit is asked", |game| {
                game.session().question().is_some()
                    || game.session().awaits_end_of_turn()
                    || is_there::<HandoverCard>(game)
            });
            if is_there::<HandoverCard>(&mut game) {
                let next = game.session().awaits_player().unwrap();
                assert_ne!(next, game.session().player());
                assert!(game.session().question().is_none(), "hidden until then");
                click_command(&mut game, &AppCommand::NextPlayer);
                assert_eq!(game.session().player(), next);
                assert!(!is_there::<HandoverCard>(&mut game));
                continue;
            }
            seen[game.session().player().index()] = true;
            if seen == [true; 2] {
                break;
            }
            if game.session().is_prompted() {
                game.press(KeyCode::Escape);
            } else if game.session().awaits_end_of_turn()
                || game.session().queries.rules.planning.end_turn.is_some()
            {
                let before = game.session().game.answered();
                game.press(KeyCode::KeyE);
                game.press(KeyCode::KeyE);
                if game.session().game.answered() == before && game.session().question().is_some() {
                    answer(&mut game);
                }
            } else {
                answer(&mut game);
            }
            game.wait(2);
        }
        assert_eq!(seen, [true; 2], "{}: both have been asked", rules.id);
    }
}

#[test]
fn the_title_screen_sets_seed_controllers_and_handicaps() {
    let mut game = at(&fresh_home());
    let entry = game
        .find::<SeedEntry>(|_| true)
        .expect("a line for the seed");
    game.click(entry);
    game.press(KeyCode::End);
    game.type_text("77");
    click(&mut game, TitleButton::Custom);
    click(
        &mut game,
        TitleButton::SideController(0, SideController::Ai(Player::Easy)),
    );
    click(
        &mut game,
        TitleButton::SideController(1, SideController::Human),
    );
    click(&mut game, TitleButton::Handicap(1, 1));
    click(&mut game, TitleButton::Handicap(1, 2));
    assert!(game.says("HP bonus 10%"));
    let typed = {
        let world = game.app.world_mut();
        let mut entries = world.query_filtered::<&EditableText, With<SeedEntry>>();
        entries.single(world).unwrap().value().to_string()
    };
    assert_eq!(typed, "77");
    click(&mut game, TitleButton::Start);
    game.until_asked();
    let session = game.session();
    assert_eq!(session.game.seed(), 77);
    assert_eq!(session.player(), Side(1));
    assert_eq!(
        session.game.controllers(),
        [SideController::Ai(Player::Easy), SideController::Human]
    );
    assert_eq!(session.game.level().handicaps(), [0, 2]);
    // The choices are saved with the battle.
    let recording = session.recording("");
    let loaded = Session::load(&recording);
    let loaded = loaded.unwrap_or_else(|e| panic!("{}", e.why));
    assert_eq!(loaded.game.level().handicaps(), [0, 2]);
    assert!(game.says("10% more hit points"));
}

#[test]
fn a_recording_from_the_command_line_can_be_loaded() {
    let session = played(ALL[2], 25);
    let bare = Recording {
        save_info: None,
        ..session.recording("")
    };
    let text = bare.text().unwrap();
    let recording = Recording::read("it", &text).unwrap();
    let session = Session::load(&recording).unwrap();
    assert_eq!(
        session.game.controllers(),
        [SideController::Human, SideController::Ai(Player::Quick)]
    );
    assert!(session.into_replay().replay().is_some());
}

/// The drawing on the title screen takes a moment, unless a key is pressed or motion is reduced.
#[test]
fn a_key_or_reduced_motion_completes_the_drawing_of_the_title() {
    let share = |game: &Game| game.app.world().resource::<VignetteShare>().0;
    for is_reduced in [false, true] {
        let mut game = at(&fresh_home());
        game.app.world_mut().resource_mut::<VignetteShare>().0 = 0.1;
        game.wait(1);
        let now = share(&game);
        assert!(now > 0.1 && now < 1.0, "{now}");
        match is_reduced {
            true => game.app.world_mut().resource_mut::<Settings>().less_motion = true,
            false => game.press(KeyCode::ArrowDown),
        }
        game.wait(1);
        assert_eq!(share(&game), 1.0);
    }
}

/// Exits are marked in later battles too, not only in the first one shown.
#[test]
fn exits_are_marked_in_every_battle() {
    use fivefoot::ui::board::rulers::ExitIcon;
    let icons = |game: &mut Game| {
        let world = game.app.world_mut();
        world.query::<&ExitIcon>().iter(world).count()
    };
    let level = levels::built_in()[0].clone();
    let exits = level
        .exits
        .iter()
        .map(|exit| exit.cells.len())
        .sum::<usize>();
    let mut game = Game::battle(level, None, 2);
    assert_eq!(icons(&mut game), exits);
    // Under a unit the icon is hidden.
    game.wait(2);
    let world = game.app.world_mut();
    let mut marks = world.query::<(&ExitIcon, &Visibility)>();
    let marks = marks.iter(world);
    let marks: Vec<_> = marks.map(|(icon, shows)| (icon.0, *shows)).collect();
    for (cell, shows) in marks {
        let is_covered = game.session().shown().on(cell).is_some();
        assert_eq!(shows == Visibility::Hidden, is_covered, "{cell:?}");
    }
    let again = AppCommand::Game(GameCommand::Again { same_dice: true });
    game.send(again, 5);
    game.until_asked();
    assert_eq!(icons(&mut game), exits);
}

/// Bob has one hit point left, and the goblin beside him does not miss.
#[test]
fn a_failed_objective_is_shown_as_failed() {
    let text = r##"(
        title: "Two aims",
        map: ["......"],
        sides: [(id: "party"), (id: "goblins", control: Ai)],
        combatants: [
            (kind: "mara", side: "party", at: (0, 0)),
            (kind: "tobin", name: "bob", side: "party", at: (4, 0), hp: 1),
            (kind: "goblin", side: "goblins", at: (5, 0), with: (morale: Fearless, skirmish: (attack: 30))),
        ],
        objectives: [
            (side: "party", goal: Protect(["bob"]), vital: false, text: "Bring Bob home"),
            (side: "party", goal: Defeat, text: "Drive them off"),
        ],
    )"##;
    let mut game = Game::battle(fivefoot_kit::level(text), None, 2);
    let lost = |game: &Game| -> Vec<bool> {
        let aims = game.session().objectives();
        aims.iter().map(|aim| aim.is_lost).collect()
    };
    assert_eq!(lost(&game), [false, false, false]);
    assert!(game.says("stands") && game.says("1 of 1 left"));
    // The goblins have an objective too: in a low window it is in the tooltip of the card.
    let assert_tooltip = |game: &mut Game, left: &str| {
        let card = game.find::<ObjectivesCard>(|_| true).expect("the card");
        game.point(card);
        game.until("the goblins' aim", |game| {
            game.says("The goblins: Defeat") && game.says(left)
        });
    };
    assert_tooltip(&mut game, "2 of your 2 left");
    for _ in 0..4 {
        game.until_own_turn();
        if lost(&game)[0] {
            break;
        }
        // The second press confirms.
        game.press(KeyCode::KeyE);
        game.press(KeyCode::KeyE);
    }
    game.until_own_turn();
    assert_eq!(lost(&game), [true, false, false]);
    assert_tooltip(&mut game, "1 of your 2 left");
    game.press(KeyCode::Escape);
    game.wait(3);
    assert!(is_there::<PauseCard>(&mut game));
    assert!(game.says("Bring Bob home: lost") && game.says("Drive them off: 1 of 1 left"));
}

/// Reinforcements are announced, and from the round before on their cells are marked.
#[test]
fn reinforcements_are_announced() {
    use fivefoot::ui::board::Layer;
    let text = r#"(
        title: "Late",
        map: ["..........", "..........", ".........."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (0, 1)),
            (kind: "goblin", side: "goblins", at: (8, 1)),
        ],
        reinforcements: [
            (round: 2, combatants: [(kind: "goblin", side: "goblins", at: [(9, 0), (9, 2)])]),
            (round: 4, combatants: [(kind: "goblin", side: "goblins", at: (9, 1))]),
            (round: 9, combatants: [(kind: "brandt", side: "party", at: (1, 1))]),
        ],
    )"#;
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    let marks = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut marks = world.query::<&Layer>();
        let arrivals = marks.iter(world).filter(|it| **it == Layer::Arrivals);
        arrivals.count()
    };
    game.until_own_turn();
    game.wait(3);
    assert!(game.says("The goblins: Reinforcements") && game.says("2 more in round 2"));
    assert!(game.says("1 more in round 9"));
    assert_eq!(marks(&mut game), 2);
    while game.session().shown().clock.round == 1 {
        game.press(KeyCode::KeyE);
        game.press(KeyCode::KeyE);
        game.until_own_turn();
    }
    game.wait(3);
    assert!(!game.says("more in round 2"));
    assert_eq!(marks(&mut game), 0, "the next come in round 4");
}

#[test]
fn a_difficulty_is_kept_when_another_level_is_chosen() {
    let mut game = at(&fresh_home());
    assert!(game.says("Difficulty"));
    let controllers = |game: &mut Game| {
        game.count::<TitleButton>(|button| matches!(button, TitleButton::SideController(..)))
    };
    assert_eq!(
        controllers(&mut game),
        0,
        "single seats are for who asks for them"
    );
    click(&mut game, TitleButton::Custom);
    assert!(controllers(&mut game) > 0);
    click(&mut game, TitleButton::Difficulty(Difficulty::Story));
    assert_eq!(controllers(&mut game), 0);
    assert!(game.says("twice the hit points"));
    click(&mut game, TitleButton::Level(1));
    assert!(game.says("twice the hit points"));
    click(&mut game, TitleButton::Start);
    game.until_asked();
    let game = &game.session().game;
    assert_eq!(
        game.controllers(),
        [SideController::Human, SideController::Ai(Player::Easy)]
    );
    assert_eq!(game.level().handicaps(), [20, 0]);
}

/// The card of a level gives the number that the word for its difficulty stands for.
#[test]
fn the_word_for_the_difficulty_of_a_level_stands_by_its_number() {
    let mut game = at(&fresh_home());
    let words = game.words();
    let of = |hardness: &Hardness| {
        let start = format!("{}: a beginner wins about ", hardness.name());
        words.iter().any(|line| line.starts_with(&start))
    };
    assert_eq!(Hardness::ALL.iter().filter(|one| of(one)).count(), 1);
}

/// Everything can be reached from the title screen: from its three pages, and from the small
/// entries that are on all of them.
#[test]
fn every_screen_can_be_reached_from_the_title() {
    use fivefoot::ui::{
        codex::CodexCommand,
        editor::Edit,
        screens::{builder::BuilderButton, road::RoadButton, title::Page},
        settings::screen::OpensSettings,
        tutorial::LessonButton,
    };
    let mut game = at(&fresh_home());
    for page in [Page::Play, Page::Learn, Page::Make] {
        open(&mut game, page);
        for command in [
            AppCommand::File(FileCommand::Browse(Browse::Load)),
            AppCommand::File(FileCommand::Browse(Browse::Replays)),
            AppCommand::Game(GameCommand::Quit),
        ] {
            assert!(
                game.find::<SendOnPress<AppCommand>>(|d| d.0 == command)
                    .is_some(),
                "{command:?}"
            );
        }
        assert!(is_there::<OpensSettings>(&mut game));
        let rules = |send: &SendOnPress<CodexCommand>| send.0 == CodexCommand::Open(None);
        assert!(game.find::<SendOnPress<CodexCommand>>(rules).is_some());
        let has_edit = |game: &mut Game, is_new: bool| {
            let is_it = |send: &SendOnPress<Edit>| matches!(send.0, Edit::New) == is_new;
            game.find::<SendOnPress<Edit>>(is_it).is_some()
        };
        let has_page = |game: &mut Game, page| {
            game.find::<TitleButton>(|b| *b == TitleButton::Page(page))
                .is_some()
        };
        assert!(has_page(&mut game, Page::Play) && has_page(&mut game, Page::Make));
        match page {
            Page::Play => {
                assert!(is_there::<RoadButton>(&mut game) && has_edit(&mut game, false));
                assert!(is_there::<SeedEntry>(&mut game) && is_there::<BuilderButton>(&mut game));
            }
            Page::Learn => {
                let lessons = levels::tutorial().len();
                assert_eq!(game.count::<LessonButton>(|_| true), lessons);
            }
            Page::Make => {
                assert!(has_edit(&mut game, true) && has_edit(&mut game, false));
                assert!(is_there::<BuilderButton>(&mut game));
            }
        }
    }
}
