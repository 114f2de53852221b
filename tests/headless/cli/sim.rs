//! The command `sim`: a series on all cores, and one stopped by Ctrl-C.

use crate::kit::{Cli, Output};
use std::{
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let cli = Cli::with_level("sim_cores");
    let series = |more: &[&str]| {
        let args = [&["sim", "level.ron", "--battles", "24", "--json"], more].concat();
        let output = cli.run(&args);
        assert_eq!((output.code, output.err.as_str()), (0, ""));
        output.out
    };
    let all = series(&[]);
    assert_eq!(
        all.lines().count(),
        26,
        "and the level, and what was counted"
    );
    assert_eq!(all, series(&["--threads", "1"]));
    assert_eq!(all, series(&["--threads", "7"]));
}

/// Starts a practically endless series and sends Ctrl-C after some seconds.
fn interrupted(cli: &Cli, seconds: u64, more: &[&str]) -> Output {
    let endless = ["sim", "level.ron", "--battles", "4000000000"];
    let mut command = cli.command(&[&endless[..], more].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    sleep(Duration::from_secs(seconds));
    // The shell's built-in `kill`, because minimal systems have no `kill` program.
    let kill = format!("kill -INT {}", child.id());
    let killed = Command::new("sh").args(["-c", &kill]).status();
    assert!(killed.unwrap().success());
    let done = child.wait_with_output().unwrap();
    Output {
        code: done.status.code().expect("it ends by itself"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// Ctrl-C prints partial results and says that the series is incomplete.
#[test]
fn ctrl_c_stops_a_series_with_partial_results() {
    let cli = Cli::with_level("sim_ctrl_c");
    // On a busy machine the first battle can take a while, so each try waits longer.
    let mut tried = [1, 4, 16, 64]
        .into_iter()
        .map(|seconds| interrupted(&cli, seconds, &["--report", "out"]));
    let output = tried.find(|output| !output.out.is_empty());
    let Output { code, out, err } = output.expect("a battle in a minute");
    assert_eq!(code, 130, "{err}");
    assert!(
        out.contains("Small · Skirmish · ") && out.contains("party wins"),
        "{out}"
    );
    assert!(err.contains("stopped by Ctrl-C"), "{err}");
    // The page is complete, and `sum` accepts its JSON file.
    assert!(cli.read("out/level.html").ends_with("</html>\n"));
    let sum = cli.run(&["sum", "out/level.json", "--partial"]);
    assert!(sum.code == 0 && out.starts_with(&sum.out), "{sum:?}\n{out}");
}

/// Three battles say nothing about the worth of the first move.
#[test]
fn few_battles_say_nothing_of_the_first_move() {
    let cli = Cli::with_level("sim_few");
    let output = cli.call("sim level.ron --battles 3").ok();
    assert!(output.contains("party moved first in "), "{output}");
    assert!(!output.contains("more often"), "{output}");
}
