//! The command-line program: what it prints, where, and with what exit code.
//!
//! - `bots`: programs that play a side, and `serve`
//! - `import`: maps of other tools
//! - `ci`: output formats for CI
//! - `json`: JSON lines, as docs/json.md describes them
//! - `odds`: forecasts of an order
//! - `many_machines`: splitting a series into shards and joining them
//! - `files`: what `check` reads and reports, and how fast
//! - `record`: which files `--record` overwrites
//! - `sim`: many battles, and Ctrl-C
//! - `lab`: counts of many battles, joined, compared and written as reports
//! - `hostile`: untrusted files
//! - `process`: signals, arguments that are not UTF-8, leftovers of killed processes
//! - `kinds`: the kinds that levels can use
//! - `levels`: the list of levels
//! - `kinds_of_files`: detecting what a file is, and errors for the wrong type

mod bots;
mod ci;
mod files;
mod hostile;
mod import;
mod json;
mod kinds;
mod kinds_of_files;
mod lab;
mod levels;
mod many_machines;
mod odds;
mod process;
mod record;
mod sim;

use crate::kit::{Cli, FAILING, LEVEL, Sink};

#[test]
#[cfg(target_os = "linux")]
fn exit_codes_survive_a_closed_output() {
    let cli = Cli::with_level("verdict");
    cli.write("bad.ron", LEVEL.replace("goblin", "gobblin"));
    cli.write("failing.ron", FAILING);
    tampered(&cli);
    // Each call with its exit code. A closed pipe does not change the code; on a full disk a call
    // that prints fails too.
    let part = cli.run(&["sim", "level.ron", "--battles", "3", "--json"]);
    cli.write("part.json", part.out);
    let calls: [(&[&str], i32); 12] = [
        (&["check", "level.ron"], 0),
        (&["check", "bad.ron"], 1),
        (&["verify", "failing.ron"], 1),
        (&["replay", "tampered.battle"], 3),
        (&["replay", "tampered.battle", "--json"], 3),
        (&["sim", "level.ron", "--json"], 0),
        (&["sim", "level.ron", "--battles", "3", "--csv"], 0),
        (&["compare", "level.ron", "--battles", "2"], 0),
        (&["sum", "part.json"], 0),
        (&["sum", "part.json", "part.json", "--report", "none"], 1),
        (&["rules", "XX-99"], 2),
        (&["help"], 0),
    ];
    for (call, code) in calls {
        assert_eq!(cli.run(call).code, code, "{call:?}");
        let closed = cli.sunk(call, Sink::Closed, None);
        assert_eq!(closed.code, code, "{call:?} into a closed pipe: {closed:?}");
        assert!(!closed.err.contains("standard output"), "{closed:?}");
        let prints = !call.contains(&"rules") && !call.contains(&"none");
        let own = if prints { code.max(1) } else { code };
        let full = cli.sunk(call, Sink::Full, None);
        assert_eq!(full.code, own, "{call:?} into a full disk: {full:?}");
        assert_eq!(full.err.contains("standard output"), prints, "{full:?}");
        for err in [Sink::Full, Sink::Closed] {
            let deaf = cli.sunk(call, Sink::Full, Some(err));
            assert_eq!(deaf.code, own, "{call:?} with no output at all");
        }
    }
}

#[test]
fn missing_names_share_one_exit_code() {
    let cli = Cli::with_level("names");
    let calls = [
        (
            "sim level.ron --ai party=quick --ai party=easy",
            "--ai is given twice for 'party'",
        ),
        (
            "sim level.ron --handicap foes=1 --handicap foes=2",
            "--handicap is given twice for 'foes'",
        ),
        (
            "arena level.ron --handicap b=1 --handicap b=2",
            "--handicap is given twice for 'b'",
        ),
        ("sight level.ron 0,0 9,9", "9,9 is off the map"),
        ("sight level.ron 0,0 4,2", "no unit can stand at 4,2"),
        (
            "sight level.ron 0,0 1,1 --door 2,2",
            "there is no door at 2,2",
        ),
        ("rules SK-999", "there is no rule 'SK-999'"),
        ("kinds goblinn", "did you mean `goblin`?"),
        ("sim level.ron --ai partie=quick", "has no side 'partie'"),
        ("sim level.ron --ai party=eazy", "did you mean `easy`?"),
        ("sim level.ron --handicap partie=2", "has no side 'partie'"),
        (
            "sim level.ron --handicap party=21",
            "the handicap is 0 to 20",
        ),
        (
            "arena level.ron --handicap party=2",
            "--handicap takes a or b, not 'party'",
        ),
        (
            "sim level.ron --rules Skirmisch",
            "there is no such ruleset; there are Skirmish, Segments, Phased, Speed, Activity, Demo; `all`",
        ),
        // A number that does not fit, even a negative one, is answered with those that do.
        (
            "sim level.ron --battles -1",
            "write a whole number from 1 to 4294967295",
        ),
        (
            "sim level.ron --battles 1e3",
            "write a whole number from 1 to 4294967295",
        ),
        ("sim level.ron --seed -1", "write a whole number from 0 to"),
        (
            "sim level.ron --within -3%",
            "write a percentage from 0.1 to 50",
        ),
        ("replay a.battle --to -1", "write a whole number from 0 to"),
        ("sight level.ron -1,1 2,2", "-1,1 is off the map"),
        (
            "generate woods --squad gobln:3",
            "unknown kind `gobln`; did you mean `goblin`?",
        ),
        (
            "generate woods --squad goblin --squad goblin --squad goblin --squad goblin --squad goblin",
            "--squad can be given up to 4 times",
        ),
        (
            "chekc level.ron",
            "there is no command or file 'chekc'; did you mean `check`?",
        ),
        ("kindz", "did you mean `kinds`?"),
        ("quux", "'fivefoot help' lists the commands"),
        ("sim --force", "--record"),
    ];
    for (call, why) in calls {
        let output = cli.call(call);
        assert_eq!(output.code, 2, "{call:?}: {output:?}");
        assert!(output.err.contains(why), "{call:?}: {output:?}");
        assert_eq!(output.out, "", "{call:?}");
    }
    // Without a display, options are checked before anything is printed.
    let mut command = cli.command(&["level.ron", "--ai", "partie=quick"]);
    let output = command.env_remove("DISPLAY").output().unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(2), vec![]));
    // A missing level file is different: it could not be read.
    let output = cli.run(&["./chekc.ron"]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .err
            .starts_with("./chekc.ron:1:1: there is no such file"),
        "{output:?}"
    );
}

#[test]
fn help_and_readme_list_players_commands_and_exit_codes() {
    let cli = Cli::new("help");
    let help = cli.run(&["help", "sim"]).out;
    for (_, name, _) in fivefoot_core::control::Player::ALL {
        assert!(
            help.contains(&format!("`{name}`")),
            "{name} is not in:\n{help}"
        );
        let seat = format!("foes={name}");
        let level = cli.write("level.ron", LEVEL);
        let output = cli.run(&["sim", level.to_str().unwrap(), "--ai", &seat]);
        assert_eq!(output.code, 0, "{output:?}");
    }
    let help = cli.run(&["help"]).out;
    let readme = include_str!("../../README.md");
    let commands = help.split("Commands:").nth(1).unwrap();
    let commands = commands
        .lines()
        .skip(1)
        .take_while(|l| !l.trim().is_empty());
    let mut n = 0;
    for command in commands.filter_map(|l| l.split_whitespace().next()) {
        n += 1;
        let output = readme.contains(&format!("fivefoot {command}"));
        assert!(output, "the README does not tell of {command}");
    }
    assert!(n >= 8, "{help}");
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let codes = flat(help.split("Exit codes:").nth(1).unwrap());
    assert!(
        flat(readme).contains(&codes),
        "the README does not say: {codes}"
    );
}

#[test]
fn the_largest_seed_works() {
    let cli = Cli::with_level("seed");
    let last = "18446744073709551615";
    let output = cli.run(&["sim", "level.ron", "--seed", last, "--record", "a.battle"]);
    output.tells(last);
    assert_eq!(cli.run(&["replay", "a.battle"]).code, 0);
    let output = cli.run(&["sim", "level.ron", "--seed", last, "--battles", "2"]);
    output.fails(2, "2 battles from seed");
    let output = cli.call("sim level.ron --seed 18446744073709551614 --battles 2");
    output.tells("2 battles");
}

#[test]
fn counts_use_singular_and_plural() {
    let cli = Cli::with_level("one");
    cli.write("bad.ron", LEVEL.replace("goblin", "gobblin"));
    assert!(
        cli.run(&["check", "bad.ron"])
            .err
            .starts_with("1 error in 1 file\n")
    );
    assert_eq!(cli.run(&["check", "level.ron"]).out, "1 file, no errors\n");
    let two = cli.run(&["check", "bad.ron", "level.ron"]);
    assert!(two.err.starts_with("1 error in 2 files\n"), "{two:?}");
}

#[test]
fn a_step_after_the_end_of_a_recording_is_refused() {
    let cli = Cli::with_level("steps");
    let record = ["sim", "level.ron", "--record", "a.battle"];
    assert_eq!(cli.run(&record).code, 0);
    let answers = cli.read("a.battle").matches("order: \"").count();
    let last = answers.to_string();
    assert_eq!(cli.run(&["replay", "a.battle", "--to", &last]).code, 0);
    let after = (answers + 1).to_string();
    for command in ["replay", "odds"] {
        let output = cli.run(&[command, "a.battle", "--to", &after]);
        let why = format!("--to {after}: a.battle has {answers} answers");
        output.fails(2, &why);
    }
}

#[test]
fn a_recording_is_bound_to_its_level() {
    let cli = Cli::with_level("covered");
    let record = ["sim", "level.ron", "--record", "a.battle"];
    assert_eq!(cli.run(&record).code, 0);
    let text = cli.read("a.battle");
    // These changes do not affect the battle itself.
    for (old, new) in [("Small", "Smell"), ("level: \"level\"", "level: \"lever\"")] {
        assert!(text.contains(old), "{text}");
        cli.write("b.battle", text.replacen(old, new, 1));
        let output = cli.run(&["replay", "b.battle"]);
        output.fails(3, "step 1");
    }
    // Checks in versions 1 and 2 included the wording of the log, so only orders are compared.
    for version in [1, 2] {
        let old = text.replacen("version: 3", &format!("version: {version}"), 1);
        assert_ne!(old, text);
        cli.write("old.battle", old.replacen("check: \"", "check: \"0", 1));
        let output = cli.run(&["replay", "old.battle"]);
        let warning = format!("old.battle: warning: a recording of version {version}");
        assert!(
            output.code == 0 && output.err.starts_with(&warning),
            "{output:?}"
        );
        cli.write("bent.battle", old.replacen("order: \"", "order: \"zz", 1));
        assert_eq!(cli.run(&["replay", "bent.battle"]).code, 3);
    }
    cli.write("new.battle", text.replacen("version: 3", "version: 4", 1));
    let output = cli.run(&["replay", "new.battle"]);
    output.fails(1, "version 4");
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let cli = Cli::new("unseen");
    let odd = "M\u{1b}[31ma\u{202e}ra";
    let kinds =
        format!("kinds: (weapons: {{\"odd\": (like: \"sword\", name: \"{odd}\")}}), title:");
    let level = LEVEL.replace("title:", &kinds);
    let level = level.replace("at: (0, 0)", "at: (0, 0), with: (weapons: [\"odd\"])");
    cli.write("level.ron", level);
    cli.write(
        "bad.ron",
        LEVEL.replace("\"goblin\"", &format!("\"{odd}\"")),
    );
    for call in [
        &["sim", "level.ron"][..],
        &["sim", "level.ron", "--json"],
        &["check", "bad.ron"],
        &["check", odd],
        &[odd],
        &["rules", odd],
        &["kinds", odd],
        &["check", "--odd\u{202e}"],
    ] {
        let output = cli.run(call);
        let text = output.out + &output.err;
        let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(raw), "{call:?}: {text:?}");
        let is_shown = ["u{1b}", "u001b", "u{202e}"]
            .iter()
            .any(|e| text.contains(e));
        assert!(is_shown, "{call:?}: {text}");
    }
    for line in cli.run(&["sim", "level.ron", "--json"]).out.lines() {
        let read: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(read.is_object());
    }
}

#[test]
fn a_level_for_one_ruleset_is_played_under_it() {
    let cli = Cli::new("own_rules");
    cli.write("level.ron", LEVEL.replace("title:", "rules: Speed, title:"));
    assert!(
        cli.run(&["sim", "level.ron"])
            .out
            .starts_with("Small · Speed")
    );
    let all = cli.run(&["sim", "level.ron", "--rules", "all"]);
    assert!(
        all.code == 0 && all.out.matches("seed 1").count() == 1,
        "{all:?}"
    );
    let output = cli.run(&["sim", "level.ron", "--rules", "Skirmish"]);
    output.fails(2, "only under Speed");
}

/// Writes `tampered.battle`, a recording with its seed changed.
fn tampered(cli: &Cli) {
    assert_eq!(
        cli.call("sim level.ron --seed 3 --record tampered.battle")
            .code,
        0
    );
    let text = cli.read("tampered.battle");
    assert!(text.contains("seed: 3"));
    cli.write("tampered.battle", text.replace("seed: 3", "seed: 4"));
}

/// A changed recording says what may differ, and names an order once.
#[test]
fn a_diverging_recording_says_what_may_differ() {
    let cli = Cli::with_level("diverged");
    tampered(&cli);
    let output = cli.run(&["replay", "tampered.battle"]);
    output.fails(
        3,
        "step 1: the battle starts differently from the recording: its seed, rules,",
    );
    let text = cli.read("tampered.battle").replace("seed: 4", "seed: 3");
    let order = text
        .split("order: \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    cli.write(
        "tampered.battle",
        text.replacen(order.unwrap(), "mara: dance", 1),
    );
    let output = cli.run(&["replay", "tampered.battle"]);
    output.fails(3, "step 1: 'mara: dance' is not among the offers");
    assert_eq!(output.err.matches("dance").count(), 1, "{output:?}");
}

#[test]
fn an_empty_recording_is_named_as_one() {
    let cli = Cli::with_level("empty_recording");
    cli.write("empty.battle", "\n");
    let output = cli.run(&["replay", "empty.battle"]);
    output.fails(1, "not a recording: there is nothing in this file");
    tampered(&cli);
    let text = cli.read("tampered.battle");
    let text = text.replace("    answers: [", "    handicaps: {},\n    answers: [");
    cli.write("tampered.battle", text);
    let output = cli.run(&["replay", "tampered.battle"]);
    output.fails(1, "a list `[…]` is needed here");
}
