//! Saves: no battle is lost, also if other games write saves, and *Continue* loads the battle
//! that was left last.

use super::kit::{
    self,
    game::{Game, fresh_home},
    shell::{
        answer, at, click, click_command, end_turn, files, is_there, kill, open, played, show,
        watch,
    },
};
use bevy::{prelude::*, ui::UiGlobalTransform};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    control::{
        Player,
        recording::{Recording, SaveInfo, SideController},
    },
    lab::measured::by_difficulty,
    levels,
    rulesets::ALL,
    ui::{
        Screen, Session,
        app_command::{
            AppCommand, Browse, FileCommand, GameCommand, ReplayCommand, ReviewCommand, SaveCommand,
        },
        replay::ReplayButton,
        saves::{
            autosave::Autosave,
            browser::BrowserCard,
            index::{SaveFolder, SaveKind, ago, date, stem_of},
        },
        screens::{
            ask::AskCard,
            title::{Page, TitleButton},
        },
        tutorial::LessonButton,
    },
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The saves of a kind, newest first.
fn of_kind(home: &Path, kind: SaveKind) -> Vec<Recording> {
    let all = SaveFolder(home.join("saves")).list().into_iter();
    all.filter(|e| e.kind == kind)
        .map(|e| e.found.expect("a sound file"))
        .collect()
}

fn leave(game: &mut Game) {
    game.send(AppCommand::Game(GameCommand::Leave), 3);
    assert_eq!(game.screen(), Screen::Title);
}

/// Ends turns until the battle has at least `more` more answers. The new number of answers.
fn go_on(game: &mut Game, more: usize) -> usize {
    let wanted = game.session().game.answered() + more;
    while game.session().game.answered() < wanted {
        end_turn(game);
        game.until_asked();
        if game.session().game.answered() < wanted && game.session().question().is_some() {
            answer(game);
        }
    }
    game.until_asked();
    game.wait(2);
    game.session().game.answered()
}

#[test]
fn a_reloaded_level_keeps_its_autosave() {
    let (home, folder) = (fresh_home(), kit::live::folder("one-autosave"));
    let file = folder.join("yard.ron");
    std::fs::write(&file, kit::live::YARD).unwrap();
    let mut game = kit::live::game_at(&file, Some(home.clone()));
    for n in 2..5 {
        answer(&mut game);
        game.until_asked();
        assert_eq!(of_kind(&home, SaveKind::Auto).len(), 1);
        let title = format!("The yard, {n}");
        std::fs::write(&file, kit::live::YARD.replace("The yard", &title)).unwrap();
        kit::live::until(&mut game, "the level as it is now", |game| {
            let world = game.app.world();
            world.contains_resource::<Session>() && game.session().game.level().title == title
        });
        game.until_asked();
    }
    answer(&mut game);
    game.until_asked();
    let kept = of_kind(&home, SaveKind::Auto);
    assert_eq!(kept.len(), 1, "one battle, one autosave");
    assert!(kept[0].level_text.as_ref().unwrap().contains("The yard, 4"));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn old_autosaves_are_deleted_per_level_except_running_battles() {
    let shelf = SaveFolder(fresh_home().join("saves"));
    let recording = played(ALL[0], 4).recording("");
    let save = |n: u64, level: &str| {
        let save_info = SaveInfo {
            when: n,
            battle: format!("battle-{n}"),
            ..recording.save_info.clone().unwrap()
        };
        let recording = Recording {
            level: level.into(),
            save_info: Some(save_info),
            ..recording.clone()
        };
        shelf.save(&format!("auto-{n}"), &recording).unwrap()
    };
    let old = save(1, "mill");
    let gate: Vec<PathBuf> = (2..8).map(|n| save(n, "gate")).collect();
    // Another running game has claimed the oldest battle.
    let claim = shelf.claim("battle-2").expect("nobody plays it");
    assert!(shelf.claim("battle-2").is_none(), "one game at a time");
    shelf.delete_oldest(SaveKind::Auto, 3);
    assert!(old.exists(), "another level's");
    let left: Vec<bool> = gate.iter().map(|p| p.exists()).collect();
    assert_eq!(left, [true, false, false, true, true, true]);
    drop(claim);
    shelf.delete_oldest(SaveKind::Auto, 3);
    assert!(!gate[0].exists(), "nobody plays it any more");
    let locks = std::fs::read_dir(&shelf.0).unwrap();
    let locks = locks.filter(|f| f.as_ref().unwrap().path().extension().unwrap() == "lock");
    assert_eq!(locks.count(), 0, "nothing is left lying about");
}

/// With a wrong or corrected clock, *Continue* still resumes the battle left last, and
/// that battle is not deleted as the oldest.
#[test]
fn a_wrong_clock_does_not_change_the_order_of_saves() {
    let home = fresh_home();
    let shelf = SaveFolder(home.join("saves"));
    std::fs::create_dir_all(&shelf.0).unwrap();
    // The level that the title screen selects: saves are limited per level.
    let level = by_difficulty()[0].clone();
    let mut old = Session::new(&level, ALL[0], 3).recording("");
    let ahead = 4_000_000_000;
    let dated = |n: u64, save_info: &Option<SaveInfo>, sequence| SaveInfo {
        when: ahead + n,
        battle: format!("ahead-{n}"),
        sequence,
        ..save_info.clone().unwrap()
    };
    // Files of earlier versions have no sequence.
    for n in 0..8 {
        old.save_info = Some(dated(n, &old.save_info, 0));
        let path = shelf.path(&format!("auto-ahead-{n}"));
        std::fs::write(path, old.text().unwrap()).unwrap();
    }
    assert_eq!(
        shelf.list()[0].battle(),
        "ahead-7",
        "by the clock, without a sequence"
    );
    let mut last = String::new();
    for more in [3, 2] {
        let mut game = at(&home);
        click(&mut game, TitleButton::Start);
        game.until_asked();
        let answers = go_on(&mut game, more);
        last = game.session().game.id().to_owned();
        leave(&mut game);
        assert_eq!(shelf.list()[0].battle(), last, "it is listed first");
        click_command(&mut game, &AppCommand::Save(SaveCommand::Continue));
        game.until_asked();
        assert_eq!(game.session().game.id(), last);
        assert_eq!(game.session().game.answered(), answers);
        kill(game);
    }
    // Eight are left, including the two battles fought here.
    let list = shelf
        .list()
        .into_iter()
        .filter(|e| e.kind == SaveKind::Auto);
    let kept: Vec<bool> = list.map(|e| e.battle().starts_with("ahead")).collect();
    assert_eq!((kept.len(), kept.iter().filter(|is| **is).count()), (8, 6));
    for name in ["save-one", "save-two"] {
        shelf.save(name, &old).unwrap();
        assert_eq!(shelf.list()[0].file(), format!("{name}.ron"));
    }
    // A resumed battle becomes the newest save again.
    let mut game = at(&home);
    click_command(&mut game, &AppCommand::Save(SaveCommand::Continue));
    game.until_asked();
    assert_eq!(game.session().game.id(), last);
    go_on(&mut game, 1);
    assert_eq!(shelf.list()[0].battle(), last);
    assert_eq!(ago(ahead, 1_700_000_000), "2096-10-02 07:06 UTC");
    assert_eq!(ago(1_700_000_030, 1_700_000_000), "just now");
}

/// Even if the clock goes back, the oldest replays are deleted.
#[test]
fn a_wrong_clock_deletes_no_recent_replay() {
    let shelf = SaveFolder(fresh_home().join("replays"));
    let mut recording = played(ALL[0], 4).recording("");
    for n in 0..5_u64 {
        // The clock goes back.
        recording.save_info.as_mut().unwrap().when = 4_000_000_000 - n;
        shelf.save(&format!("auto-{n}"), &recording).unwrap();
        shelf.delete_oldest(SaveKind::Auto, 3);
        assert!(shelf.path(&format!("auto-{n}")).exists(), "{n}");
    }
    let left: Vec<String> = shelf.list().iter().map(|e| e.file()).collect();
    assert_eq!(left, ["auto-4.ron", "auto-3.ron", "auto-2.ron"]);
}

#[test]
fn two_running_games_never_write_each_others_saves() {
    let home = fresh_home();
    let mut first = at(&home);
    click(&mut first, TitleButton::Start);
    first.until_asked();
    go_on(&mut first, 3);
    first.press(KeyCode::F5);
    first.wait(2);
    let mut second = at(&home);
    click_command(&mut second, &AppCommand::Save(SaveCommand::Continue));
    second.until_asked();
    assert_eq!(
        second.session().game.answers(),
        first.session().game.answers()
    );
    let there = go_on(&mut second, 6);
    second.press(KeyCode::F5);
    second.wait(2);
    let here = go_on(&mut first, 2);
    assert_ne!(here, there);
    let kept = of_kind(&home, SaveKind::Auto);
    let mut lengths: Vec<usize> = kept.iter().map(|r| r.answers.len()).collect();
    lengths.sort_unstable();
    let mut both = [here, there];
    both.sort_unstable();
    assert_eq!(lengths, both, "each has its own");
    assert_eq!(of_kind(&home, SaveKind::Quick).len(), 2);
    // Each game loads its own quick save.
    first.press(KeyCode::F9);
    first.wait(5);
    first.until_asked();
    assert!(first.session().game.answered() < here);
    assert_ne!(first.session().game.answered(), there);
}

#[test]
fn a_quick_load_saves_the_battle_it_leaves_and_can_be_repeated() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    game.until_asked();
    game.press(KeyCode::F9);
    game.wait(3);
    assert!(game.says("There is no quick save yet"));
    let quick = go_on(&mut game, 2);
    game.press(KeyCode::F5);
    let far = go_on(&mut game, 5);
    for more in [3, 4] {
        game.press(KeyCode::F9);
        game.wait(5);
        let loaded = format!("Loaded: {}, round ", game.session().game.level().title);
        assert!(game.says(&loaded), "{:?}", game.words());
        game.until_asked();
        assert_eq!(game.session().game.answered(), quick);
        let kept = of_kind(&home, SaveKind::Auto);
        assert!(
            kept.iter().any(|r| r.answers.len() == far),
            "what was left is kept"
        );
        go_on(&mut game, more);
    }
    // A new battle has no quick save yet: the newest one is loaded.
    game.send(AppCommand::Game(GameCommand::Again { same_dice: true }), 5);
    game.until_asked();
    game.press(KeyCode::F9);
    game.wait(5);
    game.until_asked();
    assert_eq!(game.session().game.answered(), quick);
}

/// Also from the result and the review of the battle, where the result stays among the replays.
#[test]
fn a_quick_load_returns_from_the_result_and_from_the_review() {
    let home = fresh_home();
    let saves = SaveFolder(home.join("saves"));
    let quick = played(ALL[0], 4).recording("");
    saves.save("quick-other", &quick).unwrap();
    for opens_review in [false, true] {
        let mut game = at(&home);
        show(&mut game, played(ALL[0], 5000));
        game.until("the result", |game| game.screen() == Screen::Result);
        if opens_review {
            game.send(AppCommand::Review(ReviewCommand::Open), 3);
            assert_eq!(game.screen(), Screen::Review);
        }
        game.press(KeyCode::F9);
        game.wait(5);
        assert_eq!(game.screen(), Screen::Battle);
        assert!(
            game.session()
                .game
                .answers()
                .starts_with(played(ALL[0], 4).game.answers())
        );
    }
}

/// A row of the list is two lines: its name and when it was saved, then the battle.
#[test]
fn a_row_of_the_list_of_saves_has_two_lines() {
    let home = fresh_home();
    let saves = SaveFolder(home.join("saves"));
    let recording = played(ALL[0], 4).recording("Before the bridge");
    saves.save("save-bridge", &recording).unwrap();
    let mut game = at(&home);
    let list = AppCommand::File(FileCommand::Browse(Browse::Load));
    click_command(&mut game, &list);
    game.wait(3);
    let world = game.app.world_mut();
    let mut texts = world.query::<(&Text, &UiGlobalTransform)>();
    let height_of = |words: &str| {
        let text = texts.iter(world).find(|(text, _)| text.0 == words);
        text.expect(words).1.translation.y
    };
    let [name, when] = ["Before the bridge", "just now"].map(height_of);
    assert!((name - when).abs() < 6.0, "{name} {when}");
    // The AI of the enemies is named as where the player chose it.
    game.until("its details", |game| game.says(": Normal AI"));
}

/// Saves under a name do not overwrite quick saves and autosaves, so these are not listed there.
#[test]
fn the_list_of_named_saves_says_where_the_others_are() {
    let mut game = at(&fresh_home());
    click(&mut game, TitleButton::Start);
    game.until_asked();
    go_on(&mut game, 2);
    game.press(KeyCode::F5);
    for (what, is_listed) in [(Browse::Load, true), (Browse::Save, false)] {
        let list = AppCommand::File(FileCommand::Browse(what));
        game.send(list, 3);
        let is_quick = game.words().iter().any(|word| word == "Quick save");
        assert_eq!(is_quick, is_listed, "{:?}", game.words());
        assert_eq!(game.says("No saves with a name yet"), !is_listed);
        // A card without saves is only as high as its text.
        let world = game.app.world_mut();
        let mut roots = world.query_filtered::<(&ComputedNode, &Children), With<BrowserCard>>();
        let (root, card) = roots.single(world).expect("the list");
        let card = world.get::<ComputedNode>(card[0]).expect("its card");
        assert_eq!(card.size().y > 0.5 * root.size().y, is_listed);
        game.press(KeyCode::Escape);
        game.wait(3);
    }
}

/// A save whose fourth answer is no longer possible.
fn bent() -> Recording {
    let mut bent = played(ALL[0], 10).recording("");
    bent.answers[3].order = String::from("mara: fly to the moon");
    bent
}

#[test]
fn a_partly_broken_save_continues_from_its_last_valid_answer() {
    for (name, opens) in [
        (
            "save-bent",
            AppCommand::File(FileCommand::Browse(Browse::Load)),
        ),
        ("auto-bent", AppCommand::Save(SaveCommand::Continue)),
    ] {
        let home = fresh_home();
        let shelf = SaveFolder(home.join("saves"));
        let path = shelf.save(name, &bent()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut game = at(&home);
        click_command(&mut game, &opens);
        if name == "save-bent" {
            game.press(KeyCode::Enter);
            game.wait(3);
        }
        assert!(is_there::<AskCard>(&mut game), "{name}: it asks");
        assert!(game.says("The first 3 moves still run"));
        assert!(game.says("fly to the moon"), "it says why");
        game.press(KeyCode::Enter);
        game.wait(5);
        assert_eq!(game.screen(), Screen::Battle);
        assert!(game.session().game.answered() >= 3);
        game.until_asked();
        end_turn(&mut game);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}");
    }
}

#[test]
fn a_changed_result_of_an_answer_counts_as_broken() {
    let mut bent = played(ALL[0], 10).recording("");
    bent.answers[5].check = String::from("0123456789abcdef");
    let broken = Session::load(&bent).err().expect("it does not run");
    assert_eq!(broken.valid_answers, 4, "the fifth answer led elsewhere");
    let session = Session::load_to(&bent, Some(broken.valid_answers)).ok();
    assert_eq!(session.expect("the sound part loads").game.answered(), 4);
}

#[test]
fn continue_never_returns_into_a_finished_battle() {
    let home = fresh_home();
    let mut game = at(&home);
    let level = levels::default_level();
    let battle = Session::with_controllers(&level, ALL[0], 7, vec![SideController::Human; 2]);
    show(&mut game, battle);
    game.until("the first is asked", |game| {
        game.session().question().is_some() || game.session().awaits_player().is_some()
    });
    game.send(AppCommand::Save(SaveCommand::QuickSave), 2);
    // Load the save, which starts a different continuation, and let two AIs finish it.
    game.send(AppCommand::Save(SaveCommand::QuickLoad), 5);
    let mut recording = {
        let session = game.app.world().resource::<Session>();
        session.recording("")
    };
    let ais = vec![SideController::Ai(Player::Quick); 2];
    recording.save_info.as_mut().unwrap().controllers = ais;
    let session = Session::load(&recording).unwrap();
    show(&mut game, session);
    watch(&mut game);
    click(&mut game, SendOnPress(AppCommand::Game(GameCommand::Leave)));
    game.wait(3);
    assert_eq!(
        of_kind(&home, SaveKind::Quick).len(),
        1,
        "what was saved stays"
    );
    assert!(of_kind(&home, SaveKind::Auto).is_empty());
    assert!(
        !of_kind(&home, SaveKind::Left).is_empty(),
        "in the list only"
    );
    assert!(!game.says("Continue"));
}

#[test]
fn a_battle_left_after_its_last_attack_counts_as_finished() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Custom);
    for side in 0..2 {
        click(
            &mut game,
            TitleButton::SideController(side, SideController::Ai(Player::Quick)),
        );
    }
    click(&mut game, TitleButton::Start);
    for _ in 0..400 {
        if game.session().game.is_over() {
            break;
        }
        game.press(KeyCode::Space);
        game.wait(1);
    }
    assert!(game.session().game.is_over());
    assert_eq!(
        game.screen(),
        Screen::Battle,
        "the end is still being shown"
    );
    leave(&mut game);
    assert!(!game.says("Continue"));
    assert_eq!(files(&home, "replays").len(), 1);
}

#[test]
fn enter_on_the_title_continues_unless_something_is_chosen() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    game.until_asked();
    let answers = go_on(&mut game, 3);
    leave(&mut game);
    game.press(KeyCode::Enter);
    game.wait(5);
    assert_eq!(game.screen(), Screen::Battle);
    game.until_asked();
    assert_eq!(
        game.session().game.answered(),
        answers,
        "the battle that was left"
    );
    leave(&mut game);
    game.press(KeyCode::ArrowDown);
    game.wait(2);
    game.press(KeyCode::Enter);
    game.wait(5);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(game.session().game.level().id, by_difficulty()[1].id);
}

/// The pause menu says that a battle can be continued, so it must be.
#[test]
fn every_battle_that_is_left_can_be_continued() {
    let home = fresh_home();
    // A lesson, left before any action.
    let mut game = at(&home);
    open(&mut game, Page::Learn);
    click(&mut game, LessonButton(0));
    game.until_asked();
    let title = game.session().game.level().title.clone();
    leave(&mut game);
    assert!(game.says("Continue") && game.says(&title));
    click_command(&mut game, &AppCommand::Save(SaveCommand::Continue));
    assert!(
        game.session().game.level().lesson.is_some(),
        "with its coach"
    );
    leave(&mut game);
    kill(game);

    // A battle continued from a replay.
    let home = fresh_home();
    let ais = vec![SideController::Ai(Player::Quick); 2];
    let mut over = Session::with_controllers(&levels::default_level(), ALL[0], 3, ais);
    while over.awaits_ai() {
        over.think();
    }
    let replays = SaveFolder(home.join("replays"));
    replays.save("auto-1", &over.recording("")).unwrap();
    let mut game = at(&home);
    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Replays)),
    );
    game.press(KeyCode::Enter);
    game.wait(5);
    click(&mut game, ReplayButton::Start);
    click_command(&mut game, &AppCommand::Replay(ReplayCommand::PlayOn));
    game.wait(3);
    assert!(game.session().replay().is_none());
    leave(&mut game);
    assert!(game.says("Continue"));
    assert!(game.app.world().resource::<Autosave>().keeps());
}

#[test]
fn dates_are_formatted_correctly() {
    assert_eq!(date(0), "1970-01-01 00:00");
    assert_eq!(date(951_782_399), "2000-02-28 23:59");
    assert_eq!(date(951_782_400), "2000-02-29 00:00");
    assert_eq!(date(1_795_305_600), "2026-11-22 00:00");
    assert_eq!(date(4_107_542_400), "2100-03-01 00:00");
    assert_eq!(ago(1_000, 1_059), "just now");
    assert_eq!(ago(1_000, 1_060), "1 minute ago");
    assert_eq!(ago(1_000, 1_000 + 7_200), "2 hours ago");
}

#[test]
fn any_name_gives_a_valid_file_name() {
    assert_eq!(stem_of("  Before the gate "), "save-before-the-gate");
    assert_ne!(stem_of("Before the gate!"), stem_of("Before the gate?"));
    assert!(stem_of("../../etc").starts_with("save-------etc-"));
    assert_eq!(SaveKind::of(Path::new("a/quick.ron")), SaveKind::Quick);
    assert_eq!(SaveKind::of(Path::new("a/auto-7-1.ron")), SaveKind::Auto);
    assert_eq!(SaveKind::of(Path::new("a/chapel.ron")), SaveKind::Named);
}

/// The round in a save's description is the round in which the battle continues, however far
/// the screen was behind when it was written.
#[test]
fn a_save_shows_the_round_in_which_it_continues() {
    let level = levels::default_level();
    for rules in ALL {
        let mut session =
            Session::with_controllers(&level, rules, 3, vec![SideController::Ai(Player::Quick); 2]);
        let mut rounds = BTreeSet::new();
        for n in 0..150 {
            if session.awaits_ai() {
                session.think();
            }
            // The screen is behind the battle.
            for _ in 0..n % 4 {
                session.next_event();
            }
            let recording = session.recording("");
            let told = recording.save_info.as_ref().expect("its table").round;
            let loaded = Session::load(&recording).expect("it runs as it did");
            assert_eq!(told, loaded.shown().clock.round, "{}, answer {n}", rules.id);
            rounds.insert(told);
        }
        assert!(rounds.len() > 2, "{}: {rounds:?}", rules.id);
    }
}

#[test]
fn a_battle_left_in_the_surprise_round_says_so() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    end_turn(&mut game);
    let round = game.session().shown().clock.round;
    game.send(AppCommand::Game(GameCommand::Leave), 5);
    let left = [round, round + 1].map(fivefoot::words::round);
    assert!(left.iter().any(|words| game.says(words)), "{left:?}");
    assert_eq!(fivefoot::words::round(0), "the surprise round");
    assert_eq!(fivefoot::words::round(2), "round 2");
}
