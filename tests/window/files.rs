//! The window's files: links, folders with unexpected content, signals, and leftovers of
//! killed games.

#![cfg(unix)]

use super::kit::{
    editing::{send_command, standing},
    game::{Game, fresh_home},
    live::{game_at, until},
    shell::{at, click, played},
};
use bevy::prelude::*;
use fivefoot::{
    rulesets::ALL,
    ui::{
        Options, Screen, Session,
        app_command::{AppCommand, SaveCommand},
        editor::{Edit, EditorCommand},
        saves::index::SaveFolder,
        screens::title::TitleButton,
        settings::{Settings, store},
    },
};
use fivefoot_kit::YARD;
use std::{
    fs::{self, File},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

fn made(folder: PathBuf) -> PathBuf {
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn mkfifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

#[test]
fn unexpected_files_among_the_saves_are_listed_but_not_read() {
    let home = fresh_home();
    for folder in ["saves", "replays", "levels"] {
        let folder = made(home.join(folder));
        mkfifo(&folder.join("auto-pipe.ron"));
        mkfifo(&folder.join("pipe.lock"));
        symlink("/dev/zero", folder.join("save-endless.ron")).unwrap();
        let large = File::create(folder.join("quick-large.ron")).unwrap();
        large.set_len(1 << 40).unwrap();
        fs::create_dir(folder.join("round-folder.ron")).unwrap();
    }
    for file in ["settings.ron", "progress.ron", "profile.ron"] {
        mkfifo(&home.join(file));
    }
    let since = Instant::now();
    let all = SaveFolder(home.join("saves")).list();
    assert_eq!(all.len(), 4);
    for entry in &all {
        let why = entry.found.as_ref().unwrap_err();
        assert!(why.starts_with("It cannot be read: "), "{why}");
    }
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    game.until_asked();
    assert!(since.elapsed() < Duration::from_secs(60));
    for file in ["settings.ron", "saves/pipe.lock"] {
        assert!(fs::symlink_metadata(home.join(file)).is_ok(), "{file}");
    }
}

#[test]
fn settings_are_written_through_a_link() {
    let home = made(fresh_home());
    let (file, link) = (home.join("dotfile"), home.join("settings.ron"));
    let mut settings = Settings::default();
    settings.volumes.effects = 35;
    store::save(&file, &settings).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("dotfile", &link).unwrap();
    let mut game = at(&home);
    let mut settings = game.app.world_mut().resource_mut::<Settings>();
    assert_eq!(settings.volumes.effects, 35);
    settings.volumes.effects = 40;
    game.until("they are written", |_| {
        store::load(&file).0.volumes.effects == 40
    });
    assert!(is_link(&link));
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // A broken settings file is kept, and the new one is written through the link.
    fs::write(&file, "(what").unwrap();
    store::save(&link, &Settings::default()).unwrap();
    assert!(is_link(&link));
    assert_eq!(
        fs::read_to_string(home.join("settings.ron.broken")).unwrap(),
        "(what"
    );
    assert_eq!(store::load(&file), (Settings::default(), None));
}

/// A level opened through a link is also watched at the link's target.
#[test]
fn a_level_behind_a_link_is_reloaded() {
    let home = made(fresh_home());
    let (far, near) = (made(home.join("far")), made(home.join("near")));
    let (file, link) = (far.join("yard.ron"), near.join("link.ron"));
    fs::write(&file, YARD).unwrap();
    symlink(&file, &link).unwrap();
    let mut game = game_at(&link, Some(home.clone()));
    let titled = |title: &str| YARD.replace("The yard", title);
    let shows = |game: &mut Game, title: &str| {
        until(game, title, |game| {
            let session = game.app.world().get_resource::<Session>();
            session.is_some_and(|s| s.game.level().title == title)
        });
    };
    fs::write(&file, titled("In place")).unwrap();
    shows(&mut game, "In place");
    let aside = far.join("aside");
    fs::write(&aside, titled("Replaced")).unwrap();
    fs::rename(&aside, &file).unwrap();
    shows(&mut game, "Replaced");
    // Once the link points elsewhere, the new target is watched.
    let other = made(home.join("other")).join("orchard.ron");
    fs::write(&other, titled("Elsewhere")).unwrap();
    symlink(&other, near.join("aside")).unwrap();
    fs::rename(near.join("aside"), &link).unwrap();
    shows(&mut game, "Elsewhere");
    fs::write(&other, titled("Elsewhere again")).unwrap();
    shows(&mut game, "Elsewhere again");
}

#[test]
fn the_editor_saves_through_a_link_and_keeps_line_endings() {
    let home = fresh_home();
    let file = made(home.clone()).join("yard.ron");
    let link = made(home.join("levels")).join("yard.ron");
    fs::write(&file, YARD.replace('\n', "\r\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    let mut game = at(&home);
    let own = game.app.world().resource::<Options>().own[0].clone();
    game.send(Edit::Level(own), 5);
    assert_eq!(game.screen(), Screen::Editor);
    assert_eq!(standing(&game).file.as_ref(), Some(&link));
    assert_eq!(**standing(&game).history.text(), *YARD);
    let mut changed = game
        .app
        .world_mut()
        .resource_mut::<fivefoot::ui::editor::state::EditorState>();
    changed.replace(&YARD.replace("The yard", "The orchard"), "another title");
    game.wait(3);
    send_command(&mut game, EditorCommand::Save);
    let wanted = YARD
        .replace("The yard", "The orchard")
        .replace('\n', "\r\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
    assert!(is_link(&link));
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// Links to other folders are not followed, because they can lead to a whole disk.
#[test]
fn only_the_folder_of_own_levels_is_watched() {
    let home = fresh_home();
    let levels = made(home.join("levels"));
    let outside = made(home.join("outside"));
    fs::write(outside.join("level.ron"), YARD).unwrap();
    symlink(&outside, levels.join("packed")).unwrap();
    let mut game = at(&home);
    assert!(game.says("The yard"), "it is listed");
    let changed = YARD.replace("The yard", "The orchard");
    fs::write(outside.join("level.ron"), changed).unwrap();
    let since = Instant::now();
    while since.elapsed() < Duration::from_millis(700) {
        std::thread::sleep(Duration::from_millis(20));
        game.wait(1);
        assert!(!game.says("The orchard"), "it is not watched");
    }
    fs::write(levels.join("other.ron"), YARD.replace("yard", "well")).unwrap();
    until(&mut game, "both", |game| {
        game.says("The well") && game.says("The orchard")
    });
}

#[test]
fn leftovers_of_killed_games_are_removed_at_the_next_start() {
    let home = fresh_home();
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let part = format!(".fivefoot-{}-0.part", gone.id());
    let mut left = vec![];
    for folder in ["", "saves", "replays", "levels"] {
        left.push(made(home.join(folder)).join(&part));
    }
    left.push(home.join("saves/1764-1-0.lock"));
    left.push(home.join("progress.lock"));
    for path in &left {
        fs::write(path, "").unwrap();
    }
    let running = SaveFolder(home.join("saves"));
    let claim = running.claim("of another game").unwrap();
    let _game = at(&home);
    for path in &left {
        assert!(!path.exists(), "{path:?}");
    }
    let is_held = || home.join("saves/of another game.lock").exists();
    assert!(is_held() && running.claim("of another game").is_none());
    drop(claim);
    assert!(!is_held());
}

/// A recording contains the battle's id, which becomes part of file names and could contain
/// a path.
#[test]
fn a_foreign_save_cannot_write_outside_its_folder() {
    let home = fresh_home();
    let saves = made(home.join("saves"));
    let outside = home.join("mine.lock");
    fs::write(&outside, "").unwrap();
    let mut recording = played(ALL[0], 6).recording("a stranger's");
    recording.save_info.as_mut().unwrap().battle = String::from("../mine");
    let shelf = SaveFolder(saves.clone());
    shelf.save("save-stranger", &recording).unwrap();
    drop(shelf.claim("../mine"));
    let mut game = at(&home);
    fs::write(&outside, "").unwrap();
    let session = Session::load(&recording).ok().unwrap();
    super::kit::shell::show(&mut game, session);
    game.until_asked();
    game.send(AppCommand::Save(SaveCommand::QuickSave), 3);
    drop(game);
    assert!(outside.exists());
    let mut there: Vec<_> = fs::read_dir(&home)
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    there.retain(|name| name.to_string_lossy().contains("mine"));
    assert_eq!(there, ["mine.lock"]);
}

/// A signal works like the window's close button: the battle is saved, and no lock or
/// temporary file is left.
#[test]
fn a_signal_saves_the_battle_and_closes_the_window() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let home = fresh_home();
        let level = made(home.clone()).join("yard.ron");
        fs::write(&level, YARD).unwrap();
        let mut game = Command::new(env!("CARGO_BIN_EXE_fivefoot"))
            .arg(&level)
            .env("FIVEFOOT_HOME", &home)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let saves = SaveFolder(home.join("saves"));
        let since = Instant::now();
        while saves.list().is_empty() {
            assert!(game.try_wait().unwrap().is_none(), "it runs");
            assert!(since.elapsed() < Duration::from_secs(120), "it saves");
            std::thread::sleep(Duration::from_millis(50));
        }
        let kill = format!("kill -{signal} {}", game.id());
        assert!(
            Command::new("sh")
                .args(["-c", &kill])
                .status()
                .unwrap()
                .success()
        );
        let done = game.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(
            done.status.code(),
            Some(code),
            "{signal}: {}: {told}",
            done.status
        );
        let [save] = &saves.list()[..] else { panic!() };
        assert!(save.found.is_ok());
        for entry in fs::read_dir(home.join("saves")).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            assert!(name.ends_with(".ron"), "{name} is left");
        }
    }
}

#[test]
fn a_home_folder_behind_a_link_works() {
    let home = fresh_home();
    let real = made(home.join("real"));
    let link = home.join("link");
    symlink(&real, &link).unwrap();
    let levels = made(home.join("levels"));
    symlink(&levels, real.join("levels")).unwrap();
    let mut game = Game::new(Options {
        home: Some(link),
        ..Options::default()
    });
    fs::write(levels.join("yard.ron"), YARD).unwrap();
    until(&mut game, "the level", |game| game.says("The yard"));
}
