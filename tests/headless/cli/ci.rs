//! Output for CI: formats of `check` and `verify`, standard input, and win rates that must be in a
//! range.

use crate::kit::{Cli, FAILING, LEVEL, Output};
use serde_json::Value;
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// A scenario that passes.
const PASSING: &str = r#"(
    rules: Skirmish, proves: ["GR-10"], shows: "A clear line <&> \"seen\".",
    map: ["..."],
    combatants: [
        (kind: "mara", side: "a", at: (0, 0)), (kind: "goblin", side: "b", at: (2, 0)),
    ],
    dice: ["d8: 1", "d8: 1"],
    orders: ["a: end turn", "b: end turn"],
    expect: (sight: [(from: (0, 0), to: (2, 0), los: true)]),
)"#;

/// Writes a level with an error and one with a warning. Returns the name of the first, which needs
/// escaping.
fn broken(cli: &Cli) -> &'static str {
    let file = "a, b:c%.ron";
    cli.write(file, LEVEL.replace("goblin", "gobblin"));
    cli.write(
        "unused.ron",
        LEVEL.replace("exits:", "legend: {'x': Wall}, exits:"),
    );
    file
}

/// Runs a command with a text on standard input.
fn piped(mut command: Command, text: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    Output {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

fn objects(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn check_annotates_a_workflow() {
    let cli = Cli::new("ci_github");
    let file = broken(&cli);
    let output = cli.run(&["check", "--format", "github", file, "unused.ron"]);
    assert_eq!(output.code, 1, "{output:?}");
    let lines: Vec<&str> = output.out.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=a%2C b%3Ac%25.ron,line=7,col=16,title=fivefoot check::unknown kind \
         `gobblin`; did you mean `goblin`?"
    );
    assert!(
        lines[1].starts_with("::warning file=unused.ron,line="),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 2);
    let output = cli.run(&["check", "--format", "github", "unused.ron"]);
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn check_writes_sarif() {
    let cli = Cli::new("ci_sarif");
    let file = broken(&cli);
    let output = cli.run(&[
        "check",
        "--format",
        "sarif",
        file,
        "./unused.ron",
        "/nowhere.ron",
    ]);
    assert_eq!(output.code, 1, "{output:?}");
    let log: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    let output: Vec<_> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            let region = &place["region"];
            assert!(region["startColumn"].as_u64() >= Some(1), "{result}");
            assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
            assert!(
                result["message"]["text"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty())
            );
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            (
                uri,
                result["level"].as_str().unwrap(),
                region["startLine"].as_u64().unwrap(),
            )
        })
        .collect();
    let warning_line = output[2].2;
    assert_eq!(
        output,
        [
            ("file:///nowhere.ron", "error", 1),
            ("a%2C%20b%3Ac%25.ron", "error", 7),
            ("unused.ron", "warning", warning_line),
        ]
    );
    // Without errors `check` still writes a log, with no results.
    cli.write("level.ron", LEVEL);
    let output = cli.run(&["check", "--format", "sarif", "level.ron"]);
    let log: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(
        (
            output.code,
            log["runs"][0]["results"].as_array().unwrap().len()
        ),
        (0, 0)
    );
}

#[test]
fn check_counts_in_json() {
    let cli = Cli::new("ci_check_json");
    let file = broken(&cli);
    let lines = objects(
        &cli.run(&["check", "--format", "json", file, "unused.ron"])
            .out,
    );
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| line["what"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["problem", "file", "problem", "file", "checked"]);
    assert_eq!(lines[0]["file"], file);
    assert_eq!(lines[0]["help"], "did you mean `goblin`?");
    assert_eq!(
        (&lines[4]["errors"], &lines[4]["warnings"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn check_reads_standard_input() {
    let cli = Cli::new("ci_stdin");
    let output = piped(cli.command(&["check", "-"]), LEVEL);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, "1 file, no errors\n"),
        "{output:?}"
    );
    let output = piped(
        cli.command(&["check", "-"]),
        &LEVEL.replace("goblin", "gobblin"),
    );
    assert!(
        output.code == 1 && output.out.starts_with("<stdin>:7:16: "),
        "{output:?}"
    );
    assert!(
        output.out.contains("^^^^^^^^^"),
        "the line is shown: {output:?}"
    );
    let output = piped(cli.command(&["verify", "-"]), FAILING);
    assert!(
        output.code == 1 && output.out.starts_with("FAILED  <stdin>  GR-10"),
        "{output:?}"
    );
    let output = piped(cli.command(&["sim", "-", "--battles", "3"]), LEVEL);
    output.tells("3 battles");
    let mut command = cli.command(&["check", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // More bytes than the limit for a file; `check` can stop reading before the end.
    let _ = stdin.write_all(&vec![b' '; (1 << 20) + 1]);
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains("larger than 1 MB"), "{out}");
    let output = piped(cli.command(&["check", "-"]), "");
    assert_eq!(output.code, 1, "{output:?}");
}

/// A folder with two scenarios that pass and one that fails, and a file that is not a scenario.
fn scenarios(test: &str) -> Cli {
    let cli = Cli::new(test);
    std::fs::create_dir(cli.home.join("some.rules")).unwrap();
    for (file, text) in [
        ("some.rules/a_first.ron", PASSING),
        ("some.rules/b#fails.ron", FAILING),
        ("some.rules/c_last.ron", PASSING),
        ("none.ron", "(title: 3)"),
    ] {
        cli.write(file, text);
    }
    cli
}

#[test]
fn verify_repeats_failures_and_can_be_quiet() {
    let cli = scenarios("ci_verify");
    let output = cli.run(&["verify", "some.rules"]);
    assert_eq!(output.code, 1, "{output:?}");
    let [before, after] = output.out.split("\n1 failure:\n").collect::<Vec<_>>()[..] else {
        panic!("{output:?}");
    };
    assert!(
        before.contains("the log had:") && !after.contains("the log had:"),
        "{output:?}"
    );
    assert!(after.starts_with("  some.rules/b#fails.ron  GR-10\n    some.rules/b#fails.ron:"));
    assert!(after.contains("\n2 passed, 1 failed\n"), "{output:?}");
    let quiet = cli.run(&["verify", "some.rules", "-q"]);
    assert_eq!(
        quiet.out.matches("b#fails.ron  GR-10").count(),
        1,
        "{quiet:?}"
    );
    assert!(!quiet.out.contains("passed  some"), "{quiet:?}");
    assert!(quiet.out.contains("\n2 passed, 1 failed\n"), "{quiet:?}");
}

#[test]
fn verify_runs_only_matching_scenarios() {
    let cli = scenarios("ci_filter");
    let ran = |filters: &[&str]| {
        let mut call = vec!["verify", "some.rules", "none.ron", "--format", "json"];
        filters
            .iter()
            .for_each(|filter| call.extend(["--filter", filter]));
        let output = cli.run(&call);
        let lines = objects(&output.out);
        let files = lines.iter().filter_map(|line| line["file"].as_str());
        (output.code, files.map(str::to_owned).collect::<Vec<_>>())
    };
    assert_eq!(
        ran(&["FIRST"]),
        (0, vec!["some.rules/a_first.ron".to_owned()])
    );
    assert_eq!(ran(&["gr-10"]).1.len(), 3);
    assert_eq!(ran(&["a_first", "c_last"]).1.len(), 2);
    assert_eq!(ran(&["none"]), (1, vec!["none.ron".to_owned()]));
    assert_eq!(ran(&["SK-"]), (2, vec![]));
}

#[test]
fn verify_writes_tap() {
    let cli = scenarios("ci_tap");
    let output = cli.run(&["verify", "some.rules", "--format", "tap"]);
    assert_eq!(output.code, 1, "{output:?}");
    let lines: Vec<&str> = output.out.lines().collect();
    assert_eq!(lines[0], "TAP version 13");
    assert_eq!(lines.last(), Some(&"1..3"));
    let tests: Vec<_> = lines.iter().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        tests[1..4],
        [
            &"ok 1 - some.rules/a_first.ron GR-10",
            &"not ok 2 - some.rules/b\\#fails.ron GR-10",
            &"ok 3 - some.rules/c_last.ron GR-10",
        ]
    );
    // Each YAML block begins and ends.
    let count = |text: &str| lines.iter().filter(|line| **line == text).count();
    assert_eq!(
        (count("  ---"), count("  ..."), count("  message: |")),
        (3, 3, 1)
    );
}

#[test]
fn verify_writes_junit() {
    let cli = scenarios("ci_junit");
    let output = cli.run(&["verify", "some.rules", "none.ron", "--format", "junit"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output
            .out
            .starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ")
    );
    // Elements are closed in order, and all text is escaped.
    let mut open: Vec<&str> = vec![];
    let mut elements = vec![];
    for part in output.out.split('<').skip(2) {
        let (tag, text) = part.split_once('>').unwrap();
        assert!(!text.contains('"') && !text.contains('>'), "{text}");
        let name = tag.trim_matches('/').split(' ').next().unwrap();
        match tag.strip_prefix('/') {
            Some(_) => assert_eq!(open.pop(), Some(name)),
            None => {
                elements.push(tag);
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let has = |start: &str, parts: &[&str]| {
        let of_kind = elements.iter().filter(|tag| tag.starts_with(start));
        of_kind
            .filter(|tag| parts.iter().all(|part| tag.contains(part)))
            .count()
    };
    assert_eq!(
        has(
            "testsuites ",
            &["tests=\"4\"", "failures=\"1\"", "errors=\"1\""]
        ),
        1
    );
    assert_eq!(
        has(
            "testsuite ",
            &["name=\"some_rules\"", "tests=\"3\"", "failures=\"1\""]
        ),
        1
    );
    assert_eq!(
        has(
            "testsuite ",
            &["name=\"scenarios\"", "tests=\"1\"", "errors=\"1\""]
        ),
        1
    );
    assert_eq!(
        has("testcase ", &["classname=\"some_rules\"", "time=\"0."]),
        3
    );
    assert_eq!(has("failure ", &["message=\"some.rules/b#fails.ron:"]), 1);
    assert_eq!(has("error ", &["message=\"none.ron:"]), 1);
}

/// `--fail-unless` compares the confidence interval with the range, and says so if the interval is
/// too wide to decide.
#[test]
fn fail_unless_checks_the_win_rate_interval() {
    let cli = Cli::new("ci_range");
    cli.write("level.ron", LEVEL.replace("mara", "goblin"));
    let fought = |battles: &str, range: &str| {
        let call = [
            "sim",
            "level.ron",
            "--battles",
            battles,
            "--fail-unless",
            range,
        ];
        cli.run(&call)
    };
    let ok = fought("300", "party 20..80%");
    assert_eq!((ok.code, ok.err.as_str()), (0, ""), "{ok:?}");
    assert!(
        ok.out.contains("party wins"),
        "the statistics are printed too"
    );
    let out = fought("300", "party 90..100%");
    out.fails(1, "outside 90.0 to 100.0%");
    let few = fought("10", "party 40%..60%");
    few.fails(1, "more battles are needed, about ");
    let none = fought("100", "nobody 0..50");
    assert_eq!(none.code, 0, "{none:?}");
    // Several ranges under several rulesets: one line for each failure.
    let call = ["sim", "level.ron", "--battles", "20", "--rules", "all"];
    let two = [
        "--fail-unless",
        "party 99..100%",
        "--fail-unless",
        "foes 0..1%",
    ];
    let output = cli.run(&[&call[..], &two].concat());
    assert_eq!(
        (output.code, output.err.lines().count()),
        (1, 10),
        "{output:?}"
    );
    for (range, why) in [
        (
            "heroes 35..65%",
            "level has no side 'heroes'; write one of party, foes, nobody",
        ),
        ("party 65..35%", "from a lower to a higher percentage"),
        ("party", "write a side and the range"),
        ("party x..9%", "write a side and the range"),
    ] {
        let output = fought("10", range);
        output.fails(2, why);
        assert_eq!(output.out, "", "nothing was fought");
    }
    // Also for counts that were written earlier.
    cli.write(
        "part.json",
        cli.run(&["sim", "level.ron", "--battles", "20", "--json"])
            .out,
    );
    let output = cli.run(&["sum", "part.json", "--fail-unless", "party 99..100%"]);
    output.fails(1, "outside");
}

#[test]
fn output_files_are_complete_or_not_written() {
    let cli = Cli::with_level("ci_out");
    let call = ["sim", "level.ron", "--battles", "5", "--json"];
    let printed = cli.run(&call);
    let into = |more: &[&str]| cli.run(&[&call[..], &["--out", "out.json"], more].concat());
    let output = into(&[]);
    assert_eq!(
        (output.code, output.out.as_str(), output.err.as_str()),
        (0, "", "")
    );
    assert_eq!(cli.read("out.json"), printed.out);
    cli.write("out.json", "mine");
    let output = into(&[]);
    output.fails(1, "already exists; --force");
    assert_eq!(cli.read("out.json"), "mine");
    assert_eq!(into(&["--force"]).code, 0);
    assert_eq!(cli.read("out.json"), printed.out);
    let output = cli.run(&["sim", "level.ron", "--out", "no/where.txt"]);
    output.fails(1, "no/where.txt: cannot be written");
    for command in ["sim", "compare"] {
        let output = cli.run(&[command, "level.ron", "--force"]);
        output.fails(2, "--force needs a file");
    }
    let output = cli.run(&["sim", "level.ron", "--log", "--out", "log.txt"]);
    assert!(
        output.code == 0 && cli.read("log.txt").contains("Round 1"),
        "{output:?}"
    );
    // A failed `--fail-unless` writes the file too.
    let output = cli.run(&[
        "sim",
        "level.ron",
        "--battles",
        "5",
        "--fail-unless",
        "foes 99..100%",
        "--out",
        "a.txt",
    ]);
    assert!(
        output.code == 1 && cli.read("a.txt").contains("foes wins"),
        "{output:?}"
    );
}

/// A folder can hold scenarios and packs; packs are for `check`.
#[test]
fn verify_and_positions_skip_packs_in_a_folder() {
    let cli = Cli::new("ci_packs");
    std::fs::create_dir_all(cli.home.join("all/pack")).unwrap();
    cli.write("all/pack/level.ron", LEVEL);
    let output = cli.run(&["verify", "all"]);
    assert_eq!(output.code, 1, "{output:?}");
    let none = "contains no .ron files outside packs";
    assert!(output.out.contains(none), "{output:?}");
    cli.write("all/a.ron", PASSING);
    let output = cli.run(&["verify", "all"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.out.ends_with("1 passed, 0 failed\n"), "{output:?}");
    // A folder of packs beside a scenario.
    std::fs::create_dir_all(cli.home.join("packs/pack")).unwrap();
    cli.write("packs/pack/level.ron", LEVEL);
    let output = cli.run(&["verify", "packs", "all/a.ron"]);
    assert!(output.code == 1 && output.out.contains(none), "{output:?}");
}
