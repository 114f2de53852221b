//! Shards: joined they equal the whole series, and `sum` reports missing ones. Also runs the
//! examples in docs/many-machines.md.

use crate::kit::{Cli, LEVEL, Output};
use std::{env, fs, path::Path, process::Command};

fn folder(test: &str) -> Cli {
    let cli = Cli::new(test);
    cli.write("my_level.ron", LEVEL);
    cli
}

/// Runs every shard of a call into its own file and returns the file names.
fn shards(cli: &Cli, call: &[&str], of: usize) -> Vec<String> {
    let part = |n: usize| {
        let (shard, file) = (format!("{n}/{of}"), format!("part_{n}.json"));
        let more = ["--json", "--shard", &shard, "--out", &file, "--force"];
        cli.run(&[call, &more].concat()).ok();
        file
    };
    (1..=of).map(part).collect()
}

/// Runs `sum` on the files in reverse order.
fn sum(cli: &Cli, files: &[String], more: &[&str]) -> Output {
    let files = files.iter().rev().map(String::as_str);
    cli.run(&[&["sum"], more, &files.collect::<Vec<_>>()].concat())
}

/// The output without results of single battles and without times.
fn counted(out: &str) -> String {
    let is_counted = |line: &&str| {
        !line.contains("\"what\":\"result\"") && !line.contains("\"what\":\"arena_times\"")
    };
    let lines = out.lines().filter(is_counted);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn shards_of_sim_and_compare_equal_the_whole() {
    let cli = folder("shards_sim");
    cli.write("other.ron", LEVEL.replace("at: (6, 1)", "at: (7, 1)"));
    let sim = ["sim", "my_level.ron", "--rules", "all", "--battles", "23"];
    let beside = ["--compare", "other.ron", "--vary", "goblin: hp +2"];
    let compare = ["compare", "my_level.ron", "--battles", "23"];
    for call in [&[&sim[..], &beside].concat()[..], &compare] {
        let whole = cli.run(&[call, &["--json"]].concat()).ok();
        let brief = cli.run(&[call, &["--json", "--brief"]].concat()).ok();
        assert_eq!(brief, counted(&whole));
        // Includes splits that 23 battles do not divide into evenly.
        for of in [1, 2, 5, 23] {
            let files = shards(&cli, call, of);
            assert_eq!(
                sum(&cli, &files, &["--json"]).ok(),
                brief,
                "{of} shards of {call:?}"
            );
            let text = cli.read(&files[0]);
            assert_eq!(
                text.matches("....+...").count(),
                brief.matches("....+...").count()
            );
        }
    }
}

#[test]
fn shards_of_an_arena_equal_the_whole() {
    let cli = folder("shards_arena");
    let call = [
        "arena",
        "my_level.ron",
        "--a",
        "idle",
        "--b",
        "easy",
        "--rules",
        "all",
        "--battles",
        "14",
        "--handicap",
        "b=2",
    ];
    let whole = cli.run(&[&call[..], &["--json"]].concat()).ok();
    assert_eq!(whole.matches("....+...").count(), 1, "the level once");
    for of in [1, 3, 7] {
        let files = shards(&cli, &call, of);
        let joined = sum(&cli, &files, &["--json"]).ok();
        assert_eq!(counted(&joined), counted(&whole), "{of} shards");
        // The number of decisions matches, although their times differ.
        let decisions = |out: &str| {
            let times = out.lines().filter(|line| line.contains("arena_times"));
            let all = times.map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                let both = line["microseconds"].as_array().unwrap().clone();
                let of = both.iter().map(|of| {
                    let counts = of.as_object().unwrap().values();
                    counts.map(|n| n.as_u64().unwrap()).sum::<u64>()
                });
                of.collect::<Vec<_>>()
            });
            all.collect::<Vec<_>>()
        };
        assert_eq!(decisions(&joined), decisions(&whole));
    }
    let files = shards(&cli, &call, 3);
    let text = sum(&cli, &files, &[]).ok();
    assert!(
        text.starts_with("Small: b easy with a handicap of 2 against a idle\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2 + 5, "{text}");
    let output = sum(&cli, &files[1..], &[]);
    assert!(
        output.code == 1
            && output
                .err
                .contains("my_level under Speed: shard 1/3 is missing: seeds 1 to 2"),
        "{output:?}"
    );
    for battles in ["5", "0", "1"] {
        let odd = cli.run(&["arena", "my_level.ron", "--battles", battles]);
        odd.fails(2, "even number");
    }
}

#[test]
fn missing_shards_are_named() {
    let cli = folder("shards_missing");
    let call = ["sim", "my_level.ron", "--seeds", "11..30"];
    let files = shards(&cli, &call, 4);
    let there = [files[0].clone(), files[2].clone()];
    let output = sum(&cli, &there, &["--json"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
    for line in [
        "my_level under Skirmish: shard 2/4 is missing: seeds 16 to 20",
        "my_level under Skirmish: shard 4/4 is missing: seeds 26 to 30",
        "--partial prints what there is",
    ] {
        assert!(
            output.err.lines().any(|output| output == line),
            "{line}: {output:?}"
        );
    }
    let partial = sum(&cli, &there, &["--json", "--partial"]);
    assert_eq!(partial.code, 0, "{partial:?}");
    assert!(partial.err.contains("shard 2/4") && partial.out.contains("\"battles\":10"));
    // A partial sum can be joined with the rest.
    cli.write("half.json", partial.out);
    let rest = ["half.json".to_owned(), files[1].clone(), files[3].clone()];
    let whole = sum(&cli, &rest, &["--json"]).ok();
    assert_eq!(whole, sum(&cli, &files, &["--json"]).ok());
    // Seeds run without `--shard` fill a gap, or part of it.
    let seeds = |range: &str, file: &str| {
        cli.write(
            file,
            cli.run(&["sim", "my_level.ron", "--seeds", range, "--json"])
                .ok(),
        );
        file.to_owned()
    };
    let some = seeds("16..18", "some.json");
    let output = sum(
        &cli,
        &[&files[..1], &files[2..], std::slice::from_ref(&some)].concat(),
        &[],
    );
    assert!(
        output
            .err
            .contains("shard 2/4 is incomplete: it lacks seeds 19 to 20"),
        "{output:?}"
    );
    let more = seeds("19..20", "more.json");
    let all = [&files[..1], &files[2..], &[some, more]].concat();
    assert_eq!(sum(&cli, &all, &["--json"]).ok(), whole);
    let odd = seeds("31..32", "odd.json");
    let output = sum(&cli, &[files[0].clone(), odd], &[]);
    output.fails(1, "not among those of seeds 11 to 30");
    // Shards of a different split.
    cli.write(
        "other.json",
        cli.call("sim my_level.ron --seeds 11..30 --json --shard 2/2")
            .ok(),
    );
    let output = sum(&cli, &[files[0].clone(), "other.json".into()], &[]);
    output.fails(1, "in 2 shards");
    // All parts in one file, then through a pipe.
    let text: String = files.iter().map(|file| cli.read(file)).collect();
    cli.write("all.json", text);
    assert_eq!(cli.run(&["sum", "--json", "all.json"]).ok(), whole);
    let output = cli.run(&["sum", "all.json", "all.json"]);
    output.fails(1, "is in an earlier part too");
}

#[test]
fn what_stopped_runs_lack_is_named() {
    let cli = folder("stopped");
    // A run of these seeds, as if it had been stopped on the way to `last`.
    let run = |first: u64, to: u64, last: u64| {
        let (seeds, file) = (format!("{first}..{to}"), format!("{first}.json"));
        let call = ["sim", "my_level.ron", "--json", "--seeds", &seeds];
        let seeds = format!("\"seeds\":[[{first},{to}]],");
        let whole = format!("{seeds}\"whole\":{{\"seeds\":[[{first},{last}]],\"shards\":1}},");
        let out = cli.run(&call).ok();
        let stopped = out.replacen(&seeds, &whole, 1);
        assert_ne!(out, stopped);
        cli.write(&file, if to < last { stopped } else { out });
        file
    };
    let stopped = [run(1, 3, 5), run(11, 13, 14)];
    let output = sum(&cli, &stopped, &[]);
    let lacks = "my_level under Skirmish: the run was stopped; it lacks seeds 4 to 5, 14\n";
    assert!(
        output.code == 1 && output.err.starts_with(lacks),
        "{output:?}"
    );
    let partial = sum(&cli, &stopped, &["--partial"]);
    partial.tells("6 battles");
    let all = [&stopped[..], &[run(4, 5, 5), run(14, 14, 14)]].concat();
    assert!(
        sum(&cli, &all, &[])
            .ok()
            .contains("9 battles, seeds 1 to 5, 11 to 14")
    );
}

#[test]
fn shard_numbers_are_checked() {
    let cli = folder("shards_off");
    for (shard, why) in [
        ("0/3", "the shards of 3 are 1/3 to 3/3"),
        ("4/3", "the shards of 3 are 1/3 to 3/3"),
        ("1", "write the number of the shard"),
        ("1/0", "write the number"),
        ("1/9999999999999999", "at most 100000, such as 3/10"),
        ("-1/2", "write the number"),
        ("1/200000", "at most 100000,"),
        ("1/11", "10 seeds cannot be split into 11 shards"),
    ] {
        let shard = format!("--shard={shard}");
        let output = cli.run(&["sim", "my_level.ron", "--battles", "10", &shard]);
        output.fails(2, why);
    }
    let output = cli.run(&["sim", "my_level.ron", "--within", "3%", "--shard", "1/2"]);
    assert_eq!(output.code, 2, "{output:?}");
    // Shards work up to the largest seed.
    let last = u64::MAX.to_string();
    let range = format!("{}..{last}", u64::MAX - 5);
    let call = ["sim", "my_level.ron", "--seeds", &range];
    let files = shards(&cli, &call, 4);
    let output = sum(&cli, &files, &[]).ok();
    assert!(output.contains("6 battles"), "{output}");
    // A forged number of shards must not make `sum` build a huge table.
    let part = cli.read(&files[0]);
    cli.write(
        "huge.json",
        part.replace("\"shards\":4", "\"shards\":4000000000"),
    );
    let output = cli.run(&["sum", "huge.json"]);
    output.fails(1, "at most 100000 shards");
}

/// The first code block of a section of docs/many-machines.md.
fn example(heading: &str) -> String {
    let page = fivefoot_kit::root().join("docs/many-machines.md");
    let page = fs::read_to_string(page).unwrap();
    let mut sections = page.trim_start_matches("# ").split("\n## ");
    let section = sections.find(|section| section.starts_with(heading));
    let section = section.unwrap_or_else(|| panic!("no section {heading}"));
    section
        .split("\n```")
        .nth(1)
        .unwrap()
        .split_once('\n')
        .unwrap()
        .1
        .to_owned()
}

/// Runs a shell script with `fivefoot` in its path.
fn script(cli: &Cli, shell: &str, text: &str, variables: &[(&str, String)]) -> Output {
    let bin = cli.home.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_fivefoot-headless"));
    let own = bin.join("fivefoot");
    if !own.exists() {
        std::os::unix::fs::symlink(program, own).unwrap();
    }
    let path = env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command.current_dir(&cli.home).args(["-ec", text]);
    command.env("PATH", format!("{}:{path}", bin.display()));
    command
        .env("HOME", &cli.home)
        .env("FIVEFOOT_HOME", &cli.home);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let done = command.output().unwrap();
    Output {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

#[test]
fn the_first_example_runs() {
    let cli = folder("machines_two");
    let output = script(
        &cli,
        "bash",
        &example("On many machines").replace("1000", "40"),
        &[],
    );
    output.tells("40 battles, seeds 1 to 40");
}

#[test]
fn the_gnu_parallel_example_runs() {
    let found = Command::new("parallel").arg("--version").output();
    if !found.is_ok_and(|found| String::from_utf8_lossy(&found.stdout).contains("GNU parallel")) {
        assert!(
            env::var_os("CI").is_none(),
            "install GNU parallel: ./test does"
        );
        eprintln!("GNU parallel is not installed: its example was not run");
        return;
    }
    let cli = folder("machines_parallel");
    let output = script(&cli, "bash", &example("GNU parallel"), &[]);
    assert_eq!(output.code, 0, "{output:?}");
    let parts: Vec<String> = (1..=8).map(|n| format!("part_{n}.json")).collect();
    assert_eq!(
        sum(&cli, &parts, &["--json"]).ok(),
        cli.call("sim my_level.ron --rules all --battles 1000 --json --brief")
            .ok()
    );
    assert!(
        output.out.contains("1000 battles, seeds 1 to 1000"),
        "{output:?}"
    );
}

/// The Slurm and Kubernetes examples run as plain commands with an index in the environment.
#[test]
fn the_job_array_examples_run() {
    for (heading, variable, first) in [
        ("Slurm", "SLURM_ARRAY_TASK_ID", 1),
        ("Kubernetes", "JOB_COMPLETION_INDEX", 0),
    ] {
        let cli = folder(&format!("machines_{variable}"));
        let text = example(heading);
        let text = match text.split_once("args:\n            - ") {
            Some((_, args)) => {
                // YAML folds the lines of a plain scalar into one.
                let args = args
                    .lines()
                    .take_while(|line| !line.contains("volumeMounts"));
                args.map(str::trim).collect::<Vec<_>>().join(" ")
            }
            None => text,
        };
        let text = text.replace("100000", "6").replace("/100 ", "/3 ");
        for n in 0..3 {
            let output = script(&cli, "sh", &text, &[(variable, (first + n).to_string())]);
            assert_eq!(output.code, 0, "{heading}: {output:?}");
        }
        let parts: Vec<String> = (1..=3).map(|n| format!("part_{n}.json")).collect();
        let output = sum(&cli, &parts, &[]).ok();
        assert!(output.contains("6 battles, seeds 1 to 6"), "{output}");
    }
}
