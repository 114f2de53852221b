//! Behaviour of the process: signals, arguments that are not UTF-8, and files that killed processes
//! leave behind.

#![cfg(unix)]

use crate::kit::{Cli, LEVEL, Output};
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

fn output(child: Child) -> Output {
    let done = child.wait_with_output().unwrap();
    Output {
        code: done.status.code().expect("it ends by itself"),
        out: String::from_utf8_lossy(&done.stdout).into_owned(),
        err: String::from_utf8_lossy(&done.stderr).into_owned(),
    }
}

fn start(cli: &Cli, args: &[&str]) -> Child {
    let mut command = cli.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends a signal with the shell's built-in `kill`, because minimal systems have no `kill` program.
fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.unwrap().success());
}

/// Starts a practically endless series and ends it by a signal once at least one battle is done.
fn ended_by(signal: &str, cli: &Cli, args: &[&str]) -> Output {
    for seconds in [1, 4, 16, 64] {
        let child = start(cli, args);
        sleep(Duration::from_secs(seconds));
        send(signal, &child);
        let output = output(child);
        // On a busy machine the first battle can take a while, so try again with more time.
        let none = ["fought no battle", "played 0 runs", "ran 0 scenarios"];
        if !none.iter().any(|none| output.err.contains(none)) {
            return output;
        }
    }
    panic!("a battle takes more than a minute");
}

const SIGNALS: [(&str, &str, i32); 3] = [
    ("INT", "Ctrl-C", 130),
    ("TERM", "SIGTERM", 143),
    ("HUP", "SIGHUP", 129),
];

/// Whether the tests run under `nohup`. Child processes then ignore SIGHUP too.
fn is_nohup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    mask.is_some_and(|mask| mask & 1 == 1)
}

#[test]
fn a_signal_ends_a_series_with_partial_results() {
    let cli = Cli::with_level("process_signals");
    for (signal, name, code) in SIGNALS {
        if signal == "HUP" && is_nohup() {
            continue;
        }
        let out = format!("out_{signal}");
        let sim = [
            "sim",
            "level.ron",
            "--battles",
            "4000000000",
            "--report",
            &out,
        ];
        let output = ended_by(signal, &cli, &sim);
        assert_eq!(output.code, code, "{output:?}");
        assert!(output.out.contains("party wins"), "{output:?}");
        let said = format!("stopped by {name}; fought ");
        assert!(output.err.starts_with(&said), "{output:?}");
        assert!(output.err.contains("seeds 1 to"), "{output:?}");
        assert!(output.err.contains("of level under Skirmish"), "{output:?}");
        assert!(
            cli.read(&format!("{out}/level.html"))
                .ends_with("</html>\n")
        );
        let json = format!("{out}/level.json");
        let sum = cli.run(&["sum", &json]);
        assert_eq!((sum.code, sum.out.as_str()), (1, ""), "{sum:?}");
        let lacks = "level under Skirmish: the run was stopped; it lacks seeds ";
        assert!(sum.err.starts_with(lacks), "{sum:?}");
        let sum = cli.run(&["sum", &json, "--partial"]);
        assert!(sum.code == 0 && output.out.starts_with(&sum.out), "{sum:?}");
    }
    // All rulesets of a stopped run are in its parts.
    let all = [
        "--battles",
        "4000000000",
        "--rules",
        "all",
        "--json",
        "--brief",
    ];
    for call in [
        &["sim", "level.ron"][..],
        &["arena", "level.ron", "--a", "easy", "--b", "quick"],
    ] {
        let all = all.iter().filter(|w| call[0] == "sim" || **w != "--brief");
        let call: Vec<&str> = call.iter().chain(all).copied().collect();
        let output = ended_by("TERM", &cli, &call);
        cli.write("all.json", &output.out);
        let sum = cli.run(&["sum", "all.json"]);
        assert_eq!(sum.code, 1, "{sum:?}");
        for rules in ["Skirmish", "Segments", "Phased", "Speed", "Activity"] {
            let lacks = format!("level under {rules}: the run was stopped; it lacks seeds ");
            assert!(sum.err.contains(&lacks), "{sum:?}");
        }
        let sum = cli.run(&["sum", "all.json", "--partial", "--json"]);
        assert_eq!(sum.code, 0, "{sum:?}");
    }
    // The CSV has the number of battles, and standard error the seeds.
    let csv = ["sim", "level.ron", "--battles", "4000000000", "--csv"];
    let output = ended_by("TERM", &cli, &csv);
    output.fails(143, "seeds 1 to");
    assert!(output.out.lines().count() > 10, "{output:?}");
}

#[test]
fn every_command_that_runs_battles_stops_on_signals() {
    let cli = Cli::with_level("process_commands");
    let most = ["--battles", "4000000000"];
    for call in [
        &["compare", "level.ron"][..],
        &["arena", "level.ron", "--a", "easy", "--b", "quick"],
        &["measure", "forecast", "level.ron", "--rules", "Skirmish"],
    ] {
        let output = ended_by("TERM", &cli, &[call, &most[..]].concat());
        assert_eq!(output.code, 143, "{call:?}: {output:?}");
        assert!(
            output.err.starts_with("stopped by SIGTERM; fought "),
            "{output:?}"
        );
        assert!(output.err.contains("seeds 1"), "{call:?}: {output:?}");
        assert!(output.out.contains("Skirmish"), "{call:?}: {output:?}");
    }
    let road = ["road", "--runs", "100000", "--battles", "1"];
    let ended = ended_by("TERM", &cli, &road);
    assert_eq!(ended.code, 143, "{ended:?}");
    assert!(ended.out.contains(" battles won; "), "{ended:?}");
    let said = "stopped by SIGTERM; played ";
    assert!(ended.err.starts_with(said), "{ended:?}");
    let scenarios = fivefoot_kit::root().join("tests/scenarios");
    let scenarios = vec![scenarios.to_str().unwrap(); 100];
    let call = [&["verify", "--format", "junit"][..], &scenarios].concat();
    let ended = ended_by("TERM", &cli, &call);
    assert_eq!(ended.code, 143, "{ended:?}");
    assert!(ended.out.ends_with("</testsuites>\n"), "{ended:?}");
    assert!(
        ended.err.starts_with("stopped by SIGTERM; ran "),
        "{ended:?}"
    );
    // These commands write no partial results.
    for call in [
        &["measure", "points", "points.json", "--rules", "Skirmish"][..],
        &["measure", "forecast", "level.ron", "--fit", "weights.json"],
        &["measure", "blunders", "found", "level.ron", "--b", "easy"],
    ] {
        let child = start(&cli, &[call, &most[..]].concat());
        sleep(Duration::from_secs(2));
        send("INT", &child);
        let output = output(child);
        assert_eq!(output.code, 130, "{call:?}: {output:?}");
        assert!(output.err.contains("stopped by Ctrl-C"), "{output:?}");
    }
    for file in ["points.json", "weights.json"] {
        assert!(!cli.home.join(file).exists(), "{file}");
    }
}

#[test]
fn a_file_that_was_written_meanwhile_stays() {
    let cli = Cli::with_level("process_meanwhile");
    let sim = ["sim", "level.ron", "--battles", "4000000000"];
    let child = start(&cli, &[&sim[..], &["--out", "a.txt"]].concat());
    sleep(Duration::from_secs(1));
    cli.write("a.txt", "mine");
    send("INT", &child);
    let output = output(child);
    assert_ne!(output.code, 0, "{output:?}");
    assert!(output.err.contains("a.txt: already exists"), "{output:?}");
    assert_eq!(cli.read("a.txt"), "mine");
}

#[test]
#[cfg(target_os = "linux")]
fn sighup_is_ignored_under_nohup() {
    let cli = Cli::with_level("process_nohup");
    let sim = "sim level.ron --battles 4000000000";
    let line = format!(
        "trap '' HUP; exec '{}' {sim}",
        env!("CARGO_BIN_EXE_fivefoot-headless")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(&cli.home);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    sleep(Duration::from_secs(2));
    send("HUP", &child);
    sleep(Duration::from_millis(300));
    send("TERM", &child);
    let output = output(child);
    assert_eq!(output.code, 143, "{output:?}");
    assert!(output.err.contains("stopped by SIGTERM"), "{output:?}");
}

/// A file name that is not valid UTF-8.
fn odd(name: &str) -> OsString {
    OsStr::from_bytes(&[b"n\xff_", name.as_bytes()].concat()).to_owned()
}

#[test]
fn paths_can_be_other_than_utf_8() {
    let cli = Cli::new("process_utf_8");
    let [level, part, battle, report, folder, made] = [
        "a.ron",
        "part.json",
        "a.battle",
        "report",
        "levels",
        "b.ron",
    ]
    .map(odd);
    fs::write(cli.home.join(&level), LEVEL).unwrap();
    fs::create_dir(cli.home.join(&folder)).unwrap();
    fs::write(cli.home.join(&folder).join(&level), LEVEL).unwrap();
    fs::write(cli.home.join(&folder).join(odd("c.ron")), "()").unwrap();
    let call = |words: &[&str], args: &[&OsStr]| -> Output {
        let mut command = cli.command(words);
        command
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let output = output(command.spawn().unwrap());
        assert!(!output.err.contains("panicked"), "{words:?}: {output:?}");
        output
    };
    let one = |words: &[&str], arg: &OsString| call(words, &[arg]);
    let reported: [&OsStr; 3] = [&level, "--report".as_ref(), &report];
    let counted = call(&["sim", "--battles", "2"], &reported);
    assert_eq!(counted.code, 0, "{counted:?}");
    let page = fs::read_dir(cli.home.join(&report)).unwrap();
    assert_eq!(page.count(), 2, "the page and its JSON");
    let json = one(&["sim", "--battles", "2", "--json"], &level);
    fs::write(cli.home.join(&part), &json.out).unwrap();
    let again: [&OsStr; 3] = [&part, "--report".as_ref(), &report];
    let recorded: [&OsStr; 3] = [&level, "--record".as_ref(), &battle];
    for (output, code) in [
        (json, 0),
        (one(&["compare", "--battles", "2"], &level), 0),
        (call(&["sum"], &again), 0),
        (call(&["sim"], &recorded), 0),
        (one(&["replay"], &battle), 0),
        (one(&["check"], &level), 0),
        (one(&["check"], &folder), 1),
        (one(&["verify"], &folder), 1),
        (one(&["levels", "--levels"], &folder), 1),
        (one(&["levels", "--json", "--levels"], &folder), 1),
        (one(&["sight", "--all"], &level), 0),
        (one(&["kinds", "--level"], &level), 0),
        (one(&["generate", "halls", "--out"], &made), 0),
        (one(&["measure", "forecast", "--battles", "1"], &level), 0),
        (
            one(
                &[
                    "measure",
                    "forecast",
                    "--battles",
                    "1",
                    "level.ron",
                    "--with",
                ],
                &level,
            ),
            1,
        ),
        (one(&["arena", "--battles", "2", "--b", "easy"], &level), 0),
        (one(&["arena", "--positions"], &folder), 1),
        (one(&[], &level), 0),
        (one(&["check"], &odd("gone.ron")), 1),
        (one(&["rules"], &odd("SK-01")), 2),
        (one(&["sim", "--rules"], &odd("Skirmish")), 2),
        (one(&[], &odd("word")), 2),
    ] {
        assert_eq!(output.code, code, "{output:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn leftovers_of_killed_processes_are_removed() {
    let cli = Cli::with_level("process_parts");
    fs::create_dir(cli.home.join("out")).unwrap();
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let mut there = Command::new("sleep").arg("1000").spawn().unwrap();
    let left = |folder: &str, name: String| {
        let path = cli.home.join(folder).join(name);
        fs::write(&path, "half of it").unwrap();
        path
    };
    let part = |process: u32| format!(".fivefoot-{process}-0.part");
    let kept = [
        left("", part(there.id())),
        left("", ".fivefoot-.part".into()),
        left("", ".fivefoot-x-0.part".into()),
        left("", format!("fivefoot-{}-0.part", gone.id())),
    ];
    for (folder, call) in [
        ("", &["sim", "level.ron", "--record", "a.battle"][..]),
        ("", &["generate", "halls", "--out", "b.ron"]),
        (
            "out",
            &["sim", "level.ron", "--battles", "1", "--report", "out"],
        ),
    ] {
        let part = left(folder, part(gone.id()));
        let output = cli.run(call);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(!part.exists(), "{call:?}");
    }
    // A link with such a name is not a leftover.
    let link = cli.home.join(part(gone.id()));
    let mine = cli.write("mine", "mine");
    std::os::unix::fs::symlink(&mine, &link).unwrap();
    assert_eq!(cli.run(&["generate", "halls", "--out", "c.ron"]).code, 0);
    assert!(mine.exists() && fs::symlink_metadata(&link).is_ok());
    for path in kept {
        assert!(path.exists(), "{path:?}");
    }
    there.kill().unwrap();
    there.wait().unwrap();
}
