//! The option `sim --record`: which files it overwrites.

use crate::kit::{Cli, LEVEL, Sink};
use std::{fs, path::Path};

/// Asserts that no temporary file is left behind.
fn assert_tidy(cli: &Cli) {
    for entry in fs::read_dir(&cli.home).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.contains(".part"), "{name} was left");
    }
}

#[test]
fn only_recordings_are_overwritten() {
    let cli = Cli::with_level("record");
    cli.write("other.ron", LEVEL);
    cli.write("notes.txt", "mine");
    cli.write("empty", "");
    for (file, text) in [("other.ron", LEVEL), ("notes.txt", "mine"), ("empty", "")] {
        let output = cli.run(&["sim", "level.ron", "--record", file]);
        output.fails(1, "--force");
        assert_eq!(output.out, "", "it is refused before the battle");
        assert_eq!(cli.read(file), text);
    }
    let forced = ["sim", "level.ron", "--record", "notes.txt", "--force"];
    assert_eq!(cli.run(&forced).code, 0);
    assert_eq!(cli.run(&["replay", "notes.txt"]).code, 0);
    // Overwriting a recording needs no `--force`.
    let again = ["sim", "level.ron", "--seed", "2", "--record", "notes.txt"];
    assert_eq!(cli.run(&again).code, 0);
    assert!(cli.read("notes.txt").contains("seed: 2"));
    for place in ["nowhere/a.battle", "."] {
        let output = cli.run(&["sim", "level.ron", "--record", place]);
        assert_eq!(
            (output.code, output.out.as_str()),
            (1, ""),
            "{place}: {output:?}"
        );
    }
    assert_tidy(&cli);
}

#[test]
fn no_command_overwrites_its_own_input() {
    let cli = Cli::with_level("inputs");
    let part = ["sim", "level.ron", "--battles", "2", "--json"];
    let part = cli.run(&[&part[..], &["--out", "a.json"]].concat());
    assert_eq!(part.code, 0, "{part:?}");
    let run = ["road", "--battles", "1", "--out", "run.ron"];
    assert_eq!(cli.run(&run).code, 0);
    let inputs = ["level.ron", "a.json", "run.ron"];
    let before = inputs.map(|file| cli.read(file));
    for call in [
        &["sim", "level.ron", "--out", "level.ron"][..],
        &["sim", "level.ron", "--out", "./level.ron"],
        &["sim", "level.ron", "--record", "level.ron"],
        &["compare", "level.ron", "--out", "level.ron"],
        &["arena", "level.ron", "--out", "level.ron"],
        &["sum", "a.json", "--out", "a.json"],
        &["export", "level.ron", "--tiled", "--out", "level.ron"],
        &["road", "run.ron", "--extract", "1", "--out", "run.ron"],
    ] {
        let output = cli.run(&[call, &["--force"]].concat());
        assert_eq!(output.code, 2, "{call:?}: {output:?}");
        assert!(output.err.contains("is read by this command"), "{output:?}");
    }
    assert_eq!(inputs.map(|file| cli.read(file)), before);
}

/// The battles here would take days.
#[test]
fn a_file_that_cannot_be_written_fails_before_the_first_battle() {
    let cli = Cli::with_level("unwritable");
    for call in [
        &["sim", "level.ron", "--out", "nowhere/a.json"][..],
        &["sim", "level.ron", "--report", "level.ron/report"],
        &["compare", "level.ron", "--out", "nowhere/a.json"],
        &["arena", "level.ron", "--out", "nowhere/a.json"],
        &[
            "measure",
            "forecast",
            "level.ron",
            "--fit",
            "nowhere/a.json",
        ],
    ] {
        let output = cli.run(&[call, &["--battles", "4000000000"]].concat());
        assert_eq!(
            (output.code, output.out.as_str()),
            (1, ""),
            "{call:?}: {output:?}"
        );
        assert!(output.err.contains("cannot be"), "{call:?}: {output:?}");
    }
    let output = cli.run(&["road", "--out", "nowhere/run.ron"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
    assert_tidy(&cli);
}

#[test]
#[cfg(unix)]
fn links_devices_and_pipes_are_kept() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let cli = Cli::with_level("record_links");
    cli.write("mine", "mine");
    let home = |name: &str| cli.home.join(name);
    // Earlier versions used this name for the temporary file.
    symlink(home("mine"), home("a.battle.part")).unwrap();
    assert_eq!(
        cli.run(&["sim", "level.ron", "--record", "a.battle"]).code,
        0
    );
    assert_eq!(cli.read("mine"), "mine");
    fs::remove_file(home("a.battle.part")).unwrap();
    // Through a link the recording is written, and the link stays.
    symlink(home("a.battle"), home("link")).unwrap();
    let output = cli.run(&["sim", "level.ron", "--seed", "9", "--record", "link"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(fs::symlink_metadata(home("link")).unwrap().is_symlink());
    assert!(cli.read("a.battle").contains("seed: 9"));
    symlink(home("gone"), home("dangling")).unwrap();
    symlink("/dev/null", home("null")).unwrap();
    for to in ["dangling", "null", "/dev/null"] {
        for force in [&[][..], &["--force"]] {
            let call = [&["sim", "level.ron", "--record", to], force].concat();
            let output = cli.run(&call);
            assert!(
                output.code == 1 && output.out.is_empty(),
                "{to}: {output:?}"
            );
        }
    }
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    assert!(!home("gone").exists());
    let pipe = std::process::Command::new("mkfifo")
        .arg(home("pipe"))
        .status();
    if pipe.is_ok_and(|done| done.success()) {
        let output = cli.run(&["sim", "level.ron", "--record", "pipe", "--force"]);
        output.fails(1, "pipes are not replaced");
        assert!(fs::metadata(home("pipe")).unwrap().file_type().is_fifo());
    }
    assert_tidy(&cli);
}

#[test]
#[cfg(target_os = "linux")]
fn a_battle_is_recorded_when_its_log_cannot_be_written() {
    let cli = Cli::with_level("record_unread");
    for (sink, code) in [(Sink::Full, 1), (Sink::Closed, 0)] {
        let file = format!("{sink:?}.battle");
        let output = cli.sunk(&["sim", "level.ron", "--record", &file], sink, None);
        assert_eq!(output.code, code, "{output:?}");
        assert_eq!(cli.run(&["replay", &file]).code, 0);
    }
}

/// `generate --out` writes through links, keeps the mode and replaces no device.
#[test]
#[cfg(unix)]
fn a_generated_level_is_written_through_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let cli = Cli::new("generate_links");
    cli.write("level.ron", "mine");
    let home = |name: &str| cli.home.join(name);
    fs::set_permissions(home("level.ron"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("level.ron", home("link")).unwrap();
    symlink("/dev/stdout", home("out")).unwrap();
    let generate = |to: &str| {
        let output = cli.run(&["generate", "ruins", "--out", to, "--force"]);
        (output.code, output.err)
    };
    assert_eq!(generate("link"), (0, String::new()));
    assert!(fs::symlink_metadata(home("link")).unwrap().is_symlink());
    assert!(
        cli.read("level.ron").contains("Ruins"),
        "the level was written"
    );
    let mode = fs::metadata(home("level.ron"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    let is_link = |path: &Path| fs::symlink_metadata(path).unwrap().is_symlink();
    let was_link = is_link(Path::new("/dev/stdout"));
    for to in ["/dev/stdout", "out", "/dev/null"] {
        let (code, output) = generate(to);
        assert_eq!(code, 1, "{to}: {output}");
        assert!(
            output.contains("devices and pipes are not replaced"),
            "{output}"
        );
    }
    assert_eq!(is_link(Path::new("/dev/stdout")), was_link);
    assert!(is_link(&home("out")));
}

#[test]
fn a_recording_can_be_reviewed() {
    let cli = Cli::with_level("review");
    assert_eq!(
        cli.call("sim level.ron --ai party=idle --record a.battle")
            .code,
        0
    );
    let output = cli.run(&["review", "a.battle", "--playouts", "10"]);
    assert_eq!(output.code, 0, "{output:?}");
    for words in ["Accuracy", "Win chance", "Luck", "skill"] {
        assert!(output.out.contains(words), "{words}: {output:?}");
    }
    let again = cli.run(&["review", "a.battle", "--playouts", "10", "--threads", "1"]);
    assert_eq!(output.out, again.out, "threads change nothing");
    let one = cli.run(&["review", "a.battle", "--playouts", "10", "--side", "party"]);
    assert_eq!(one.out.matches("Accuracy").count(), 1, "{one:?}");
    let wrong = cli.run(&["review", "a.battle", "--side", "elves"]);
    wrong.fails(2, "there is no side 'elves'");
    // A recording that no longer replays is not reviewed.
    let text = cli.read("a.battle");
    let seed = text.lines().find(|line| line.contains("seed:")).unwrap();
    cli.write("b.battle", text.replace(seed, "    seed: 99,"));
    let broken = cli.run(&["review", "b.battle"]);
    assert_eq!((broken.code, broken.out.as_str()), (3, ""), "{broken:?}");
    let level = cli.run(&["review", "level.ron"]);
    assert_eq!(level.code, 1, "{level:?}");
}
