//! Reading, writing and locking the user's files.

use crate::kit;
use fivefoot_core::{
    battle::{Battle, DiceBox, level_setup},
    control::{Controllers, Player, play, recording::Recording},
    files::{self, LEVEL_BYTES, Lock},
    home,
    levels::check_file,
    rulesets::ALL,
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

fn folder(test: &str) -> PathBuf {
    kit::folder("files", test)
}

#[cfg(unix)]
fn mkfifo(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[cfg(unix)]
#[test]
fn writing_follows_links_and_keeps_the_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    let (far, file) = (folder.join("far"), folder.join("far/a.ron"));
    fs::create_dir(&far).unwrap();
    fs::write(&file, "one").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let (link, chain) = (folder.join("link"), folder.join("chain"));
    symlink("far/a.ron", &link).unwrap();
    symlink("link", &chain).unwrap();
    for (path, text) in [(&file, "two"), (&link, "three"), (&chain, "four")] {
        home::write(path, text).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
    for link in [&link, &chain] {
        assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    }
    assert_eq!(fs::read_dir(&far).unwrap().count(), 1, "nothing is left");
    // Setting a link aside moves the file it points to.
    let aside = files::set_aside(&link).unwrap();
    assert_eq!(fs::read_to_string(aside).unwrap(), "four");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn of_two_writers_of_a_new_file_one_fails() {
    let folder = folder("new");
    let file = folder.join("a.json");
    let writers: Vec<_> = (0..4)
        .map(|n: u8| {
            let file = file.clone();
            std::thread::spawn(move || files::write_new(&file, &[b'0' + n; 9]))
        })
        .collect();
    let done: Vec<_> = writers.into_iter().map(|of| of.join().unwrap()).collect();
    let winner = done.iter().position(Result::is_ok).unwrap();
    let text = (winner as u8 + b'0') as char;
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        String::from(text).repeat(9)
    );
    let lost = done.iter().filter_map(|of| of.as_ref().err());
    let lost: Vec<_> = lost.map(std::io::Error::kind).collect();
    assert_eq!(lost, [std::io::ErrorKind::AlreadyExists; 3]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left");
}

#[cfg(unix)]
#[test]
fn devices_pipes_and_folders_are_neither_read_nor_replaced() {
    use std::os::unix::fs::symlink;
    let folder = folder("devices");
    let path = |name: &str| folder.join(name);
    mkfifo(&path("pipe"));
    symlink(path("pipe"), path("to_pipe")).unwrap();
    symlink("/dev/zero", path("endless")).unwrap();
    symlink(path("gone"), path("dangling")).unwrap();
    symlink(path("ring"), path("ring")).unwrap();
    let before = fs::read_dir(&folder).unwrap().count();
    let since = Instant::now();
    for name in [
        "pipe",
        "to_pipe",
        "endless",
        "dangling",
        "ring",
        ".",
        "/dev/null",
    ] {
        let path = path(name);
        assert!(files::read(&path, LEVEL_BYTES).is_err(), "{name}");
        assert!(files::write(&path, b"mine").is_err(), "{name}");
        assert!(Lock::try_take(&path).is_err(), "{name}");
    }
    assert!(since.elapsed().as_secs() < 20);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), before);
}

#[test]
fn files_over_the_size_limit_are_refused() {
    let path = folder("size").join("a");
    fs::write(&path, [b'x'; 100]).unwrap();
    assert_eq!(files::read(&path, 100).unwrap().len(), 100);
    let why = files::read(&path, 99).unwrap_err();
    assert_eq!(why.kind(), std::io::ErrorKind::FileTooLarge);
    // Files in /proc report size 0, so the limit must apply to the bytes read.
    #[cfg(target_os = "linux")]
    assert!(files::read(Path::new("/proc/self/status"), 10).is_err());
}

#[test]
fn writing_keeps_a_files_line_endings() {
    let path = folder("ends").join("a.ron");
    for (there, written) in [
        ("a\r\nb\r\n", "one\r\ntwo\r\n"),
        ("\u{feff}a\nb", "\u{feff}one\ntwo\n"),
        ("a\nb", "one\ntwo\n"),
    ] {
        fs::write(&path, there).unwrap();
        let text = files::read_text(&path, LEVEL_BYTES).unwrap();
        assert!(!text.contains(['\r', '\u{feff}']), "{text:?}");
        home::write(&path, "one\ntwo\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), written);
    }
}

#[test]
fn unreadable_files_are_never_lost() {
    let folder = folder("aside");
    let path = folder.join("a.ron");
    for bytes in [&b"(what)"[..], b"\xff\xfe"] {
        fs::write(&path, bytes).unwrap();
        let (kept, told) = home::read_or_set_aside::<Vec<u8>>(&path);
        assert!(kept.is_empty() && told.is_some(), "{told:?}");
        home::write(&path, "[1]").unwrap();
        assert_eq!(fs::read(folder.join("a.ron.broken")).unwrap(), bytes);
    }
}

#[test]
fn a_lock_is_exclusive_and_removed_afterwards() {
    let folder = folder("lock");
    let path = folder.join("a.lock");
    let lock = Lock::try_take(&path).unwrap().expect("nobody has it");
    assert!(Lock::try_take(&path).unwrap().is_none());
    files::clear_locks(&folder);
    assert!(path.exists(), "it is held");
    drop(lock);
    assert!(!path.exists());
    // A lock file left by a killed process locks nothing, and is removed.
    fs::write(&path, "").unwrap();
    assert!(Lock::try_take(&path).unwrap().is_some());
    fs::write(&path, "").unwrap();
    fs::write(folder.join("Cargo.lock"), "another file").unwrap();
    files::clear_locks(&folder);
    assert!(!path.exists() && folder.join("Cargo.lock").exists());
}

/// Threads that take and release one lock never hold it at the same time.
#[test]
fn a_removed_lock_is_never_held_twice() {
    let path = folder("locks").join("a.lock");
    let held = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let lock = Lock::wait_for(&path).unwrap();
                    let before = held.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    assert_eq!(before, 0);
                    held.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(lock);
                }
            });
        }
    });
}

/// Old recordings contain the level with its original line endings, and their checks match that
/// text.
#[test]
fn a_recording_with_other_line_endings_still_runs() {
    let text = fivefoot_kit::YARD;
    let (mut level, _) = check_file("yard.ron", text).unwrap();
    let level_of = |level: &fivefoot_core::levels::Level| std::sync::Arc::new(level.clone());
    let setup = level_setup(&level_of(&level));
    let players = vec![Player::Quick; 2];
    let mut controllers = Controllers::new(&players, &setup, ALL[0], 3);
    let mut battle = Battle::new(setup, ALL[0], DiceBox::seeded(3));
    play(&mut battle, &mut controllers, 10_000);
    let now = Recording::of(&battle, &level, 3);
    level.source = text.replace('\n', "\r\n").into();
    let old = Recording::of(&battle, &level, 3).text().unwrap();
    assert!(old.contains("\\r\\n"));
    let old = Recording::read("old.battle", &old).unwrap();
    assert_ne!(old.check, now.check, "it was another level");
    let again = old.run(None).map_err(|broken| broken.why).unwrap();
    // A new recording of it uses the normalised level.
    let again = Recording::of(&again, &old.level().unwrap(), 3);
    assert_eq!(again, now);
}
